//! Bad input: an error that names file, line and field and says what would be right; exit code 2; nothing written.

use super::support::{QUICK, STUB, stub, tournament};

/// Asserts the refusal of a plan, and that the message has all of these.
fn refused(plan: &str, parts: &[&str]) {
    let done = tournament(plan);
    assert_eq!(done.code, Some(2), "{}\n{}", done.err, done.out);
    assert!(!done.has("out"), "something was written");
    assert!(done.out.is_empty(), "{}", done.out);
    for part in parts {
        assert!(done.err.contains(part), "no '{part}' in: {}", done.err);
    }
}

fn two() -> String {
    stub("a", &[]) + &stub("b", &[])
}

#[test]
fn keys_and_types() {
    refused(
        &format!("rouns = 3\n{QUICK}{}", two()),
        &["plan.toml:1:", "`rouns`, did you mean `rounds`? expected one of"],
    );
    refused(
        &format!("rules = italian\n{QUICK}{}", two()),
        &["plan.toml:1: rules: text needs quotes, as in rules = \"italian\""],
    );
    refused(&format!("{QUICK}[openings]\n{}", two()), &["plan.toml:11: [openings]: missing field `file`"]);
    refused(
        &format!("seed = 99999999999999999999\n{}", two()),
        &["plan.toml:1: seed: ", "expected a whole number, 0 or more"],
    );
    refused(&format!("rounds = \"3\"\n{QUICK}{}", two()), &["plan.toml:1:", "rounds", "expected a whole number"]);
    refused(&format!("{QUICK}nods = 3\n{}", two()), &["plan.toml:", "nods", "nodes"]);
    refused(&format!("{QUICK}{}[[players]]\nname = 5\n", two()), &["plan.toml:20:", "name", "expected text in quotes"]);
    refused(&format!("{QUICK}{}depth = 0\n", two()), &["plan.toml:19:", "depth", "a whole number above 0"]);
    refused(&format!("{QUICK}{}st = -1.0\n", two()), &["plan.toml:19:", "st", "seconds"]);
    refused("rounds = \n", &["plan.toml:1:"]);
}

#[test]
fn values() {
    refused(&format!("rules = \"chess\"\n{QUICK}{}", two()), &["plan.toml:1:", "rules", "italian, scottish"]);
    refused(&format!("format = \"knock\"\n{QUICK}{}", two()), &["plan.toml:1:", "format", "gauntlet"]);
    refused(&format!("format = \"match\"\n{QUICK}{}{}", two(), stub("c", &[])), &["format", "two players"]);
    refused(&format!("seeds = 1\n{QUICK}{}", two()), &["plan.toml:1:", "seeds", "gauntlet"]);
    refused(&format!("{QUICK}{}", stub("a", &[])), &["players: 1", "two"]);
    refused(&format!("{QUICK}{}tc = \"1e3\"\n", two()), &["plan.toml:19:", "tc", "10+0.1"]);
    refused(&format!("{}{}", QUICK.replace("nodes = 100\n", ""), two()), &["no limit", "nodes or depth"]);
    for key in ["rounds", "concurrency", "starts"] {
        let head = QUICK.replace("concurrency = 1\n", "");
        refused(&format!("name = \"x\"\n{key} = 0\n{head}{}", two()), &["plan.toml:2:", key, "a whole number above 0"]);
    }
}

// 100
#[test]
fn formats() {
    let three = two() + &stub("c", &[]);
    let with = |head: &str, table: &str| format!("{head}\n{QUICK}{table}{three}");
    let knockout = "format = \"knockout\"";
    refused(&with(&format!("{knockout}\nseeds = 2"), ""), &["plan.toml:2:", "seeds", "the order of the players"]);
    let sprt = "[sprt]\nelo0 = 0.0\nelo1 = 5.0\n";
    refused(&with(knockout, sprt), &["plan.toml:12:", "sprt", "format = \"match\""]);
    refused(&with(knockout, "[swiss]\nrounds = 2\n"), &["plan.toml:12:", "swiss", "the format is knockout"]);
    refused(&with("", "[knockout]\nextra = 2\n"), &["plan.toml:12:", "knockout", "the format is round-robin"]);
    refused(&with(knockout, "[knockout]\nextra = -2\n"), &["plan.toml:13:", "extra", "a whole number"]);
    refused(&with(&format!("{knockout}\nswap = false"), ""), &["plan.toml:2:", "swap", "pairs with swapped colors"]);
    let two_of_them = format!("format = \"match\"\nswap = false\n{QUICK}{sprt}{}", two());
    refused(&two_of_them, &["plan.toml:2:", "swap", "would test White's advantage, too"]);
    refused(&with("pgn = \"short\"", ""), &["plan.toml:1:", "pgn: unknown 'short'; canonical, padded or headers"]);
    let swiss = "format = \"swiss\"";
    refused(&with(swiss, "[swiss]\nrounds = 4\n"), &["plan.toml:13:", "swiss.rounds: 4; from 1 to 3 with 3 players"]);
    refused(&with(swiss, "[swiss]\nrounds = 0\n"), &["plan.toml:13:", "swiss.rounds: 0"]);
    let adaptive = "format = \"adaptive\"";
    refused(&with(adaptive, ""), &["plan.toml:1:", "adaptive", "max_games"]);
    refused(&with(adaptive, "[adaptive]\nuntil = 20\n"), &["plan.toml:12:", "max_games"]);
    let table = |more: &str| with(adaptive, &format!("[adaptive]\nmax_games = 100\n{more}\n"));
    refused(&table("until = 0"), &["plan.toml:14:", "adaptive.until", "above 0"]);
    refused(&table("of = \"all\""), &["plan.toml:14:", "adaptive.of", "ratings", "gaps"]);
    refused(&table("known = 0"), &["plan.toml:14:", "adaptive.known: 0; from 1 to 2", "of the 3 is left"]);
    refused(&table("known = 3"), &["plan.toml:14:", "adaptive.known: 3; from 1 to 2"]);
    refused(&table("of = \"gaps\"\nknown = 1"), &["plan.toml:15:", "adaptive.known", "of = \"ratings\""]);
    refused(&with(adaptive, "[adaptive]\nmax_games = 1\n"), &["plan.toml:13:", "adaptive.max_games: 1", "at least 2"]);
}

#[test]
fn a_share_of_random_turns() {
    refused(&format!("{QUICK}{}random = 1.5\n", two()), &["plan.toml:19:", "players.random: 1.5", "from 0 to 1"]);
    refused(&format!("{QUICK}{}random = nan\n", two()), &["plan.toml:19:", "players.random"]);
}

// 83: flags in any order mean the same, and a wrong one is named with what would be right.
#[test]
fn flags() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), format!("{QUICK}{}", two())).unwrap();
    let runner = |args: &[&str]| {
        let mut command = std::process::Command::new(super::support::RUNNER);
        command.args(args).current_dir(folder.path()).output().unwrap()
    };
    let orders: [[&str; 8]; 3] = [
        ["run", "plan.toml", "--rounds", "2", "--seed", "9", "--out", "one"],
        ["run", "--seed", "9", "--out", "two", "--rounds", "2", "plan.toml"],
        ["run", "--out=three", "plan.toml", "--seed=9", "--rounds=2", "--quiet", "--concurrency", "1"],
    ];
    for order in orders {
        assert_eq!(runner(&order).status.code(), Some(0));
    }
    let result = |name: &str| std::fs::read_to_string(folder.path().join(name).join("result.json")).unwrap();
    assert!(result("one") == result("two") && result("two") == result("three"));
    assert!(result("one").contains("\"seed\": 9,") && result("one").contains("\"planned\": 4,"));
    for (flags, parts) in [
        (["--ruonds", "2"], ["--ruonds", "--rounds"]),
        (["--rounds", "1e3x"], ["--rounds", "1e3x"]),
        (["--rounds", "-1"], ["-1", "--rounds"]),
        (["--seed", "NaN"], ["--seed", "NaN"]),
        (["--seed", "99999999999999999999"], ["--seed", "too large"]),
        (["--concurrency", "0"], ["--concurrency", "0"]),
    ] {
        let refused = runner(&[&["run", "plan.toml", "--out", "no"], flags.as_slice()].concat());
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(parts.iter().all(|part| said.contains(part)), "{parts:?}: {said}");
    }
    assert!(!folder.path().join("no").exists());
}

// 84
#[test]
fn names() {
    let plan = format!("{QUICK}{}{}", stub("same", &[]), stub("same", &[]));
    refused(&plan, &["plan.toml:16:", "players.name", "'same' is taken by the player of line 11", "must differ"]);
    refused(&format!("{QUICK}{}{}", stub("", &[]), stub("b", &[])), &["players.name", "give a name"]);
}

// 11
#[test]
fn engines_that_are_none() {
    let with = |command: &str| format!("{QUICK}{}[[players]]\nname = \"x\"\ncommand = \"{command}\"\n", stub("a", &[]));
    refused(&with("no/such/engine"), &["plan.toml:17:", "players.command", "no file 'no/such/engine'"]);
    refused(&with("/tmp"), &["plan.toml:17:", "players.command", "is a folder"]);
    refused(&with("/etc/passwd"), &["plan.toml:17:", "players.command", "chmod +x"]);
    refused(&with("true"), &["plan.toml:15:", "players.command", "the process ended"]);
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine.sh");
    std::fs::write(&script, "#!/no/such/shell\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    refused(&with(script.to_str().unwrap()), &["plan.toml:15:", "players.command", "exit status: 127"]);
    refused(&format!("{QUICK}{}{}", two(), stub("c", &["exit-at-once"])), &["'c'", "exit status: 1"]);
}

// 31
#[test]
fn options() {
    let with = |options: &str| format!("{QUICK}{}[players.options]\n{options}\n", two());
    refused(&with("Hsh = 16"), &["plan.toml:20:", "options.Hsh", "no such option", "Hash, Clear Hash"]);
    refused(&with("Hash = 4096"), &["plan.toml:20:", "options.Hash", "from 1 to 1024"]);
    refused(&with("Hash = \"much\""), &["plan.toml:20:", "options.Hash", "whole number"]);
    refused(&with("Hash = 1.5"), &["plan.toml:20:", "options.Hash", "number"]);
    let mute = format!("rules = \"scottish\"\n{QUICK}{}{}", stub("a", &[]), stub("old", &["no-options"]));
    refused(&mute, &["'old' does not offer scottishprogressive"]);
}

// 73
#[test]
fn openings() {
    let with = |lines: &str, more: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("suite.txt");
        std::fs::write(&file, lines).unwrap();
        let plan = format!("{QUICK}[openings]\nfile = \"{}\"\n{more}\n{}", file.display(), two());
        (folder, plan)
    };
    let (_folder, plan) = with("; head\ne2e4 e7e5,e7e6\n", "");
    refused(&plan, &["plan.toml:12:", "openings.file", "suite.txt:2:", "turn 2 leg 2 'e7e6': no man on e7"]);
    let (_folder, plan) = with("; nothing\n", "");
    refused(&plan, &["suite.txt", "no opening in the file"]);
    let (_folder, plan) = with("e2e4\n", "order = \"best\"");
    refused(&plan, &["plan.toml:13:", "openings.order", "random or sequential"]);
    let (_folder, plan) = with("e2e4\n", "start = 2");
    refused(&plan, &["plan.toml:13:", "openings.start", "from 1 to 1"]);
    refused(&format!("{QUICK}[openings]\nfile = \"none.txt\"\n{}", two()), &["plan.toml:12:", "none.txt"]);
    let (_folder, plan) = with("e2e4\n", "turns = 2");
    refused(&plan, &["plan.toml:13:", "openings.turns", "for .pgn files"]);
    let pgn = format!("{QUICK}[openings]\nfile = \"games.pgn\"\n{}", two());
    refused(&pgn, &["plan.toml:12:", "openings.turns", "needed for .pgn files"]);
}

// More games at a time than files allow are refused before the first.
#[test]
fn too_few_files() {
    let folder = tempfile::tempdir().unwrap();
    let plan = QUICK.replace("concurrency = 1", "concurrency = 20") + &two();
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let script = "ulimit -n 100; exec \"$0\" run plan.toml --out out";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, super::support::RUNNER]).current_dir(folder.path());
    let output = command.output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("20 games at a time may need 160 open files, but only 100 are allowed"), "{err}");
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_folder_with_a_tournament_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), format!("{QUICK}{}", two())).unwrap();
    let run = || {
        let mut command = std::process::Command::new(super::support::RUNNER);
        command.args(["run", "plan.toml", "--out", "out"]).current_dir(folder.path()).output().unwrap()
    };
    assert_eq!(run().status.code(), Some(0));
    let games = std::fs::read(folder.path().join("out/games.jsonl")).unwrap();
    let again = run();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("holds a tournament already"));
    assert_eq!(std::fs::read(folder.path().join("out/games.jsonl")).unwrap(), games);
    assert!(STUB.contains("crescendo-stub"));
}
