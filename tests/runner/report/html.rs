//! The page.

use crate::support::{Done, QUICK, RUNNER, STUB, stub, tournament, well_formed};
use crescendo_runner::record::GameRecord;
use crescendo_runner::report::html::{Heading, REPLAYED, Test, render};
use crescendo_runner::stats::sprt::{EloScale, Sprt};
use std::process::Command;

/// A name that would be markup, were it not escaped.
const EVIL: &str = "<script>alert('x')</script>&\"</script>";

/// A recorded tournament with every kind of end that the stub can make.
fn played() -> Done {
    let head = QUICK.replace("seed = 1\n", "name = \"Cup <b>&amp;\"\nseed = 1\nrounds = 2\n");
    let players = stub("one", &["seed=1"])
        + &stub("two", &["seed=2", "mate"])
        + &stub("three", &["seed=3", "die-on-go@3"])
        + &format!("[[players]]\nname = '''{EVIL}'''\ncommand = \"{}\"\nargs = [\"seed=4\"]\n", STUB);
    let done = tournament(&(head + &players));
    assert_eq!(done.code, Some(0), "{}", done.err);
    done
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#x27;")
        .replace('/', "&#x2f;")
}

/// The games that the page holds for its board.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn everything_is_in_it_and_nothing_else() {
    let done = played();
    let (page, games) = (done.text("out/report.html"), done.games());
    let all = data(&page);
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 24);
    // 1. Every game, with its players, result and moves.
    for game in &games {
        let told = all.iter().find(|told| told["id"] == game.id + 1).unwrap();
        assert_eq!((told["white"].as_str(), told["black"].as_str()), (Some(&*game.white), Some(&*game.black)));
        assert_eq!((told["result"].as_str(), told["reason"].as_str()), (Some(&*game.result), Some(game.end.reason())));
        let moves = told["series"].as_array().unwrap().iter().map(|series| series["m"].as_array().unwrap().len());
        assert_eq!(moves.sum::<usize>(), game.plies);
        assert!(page.contains(&format!("title=\"Replay game {}\"", game.id + 1)));
    }
    // 2. Every player, escaped; the page has the scripts of its own and no others.
    for name in ["one", "two", "three", EVIL] {
        assert!(page.contains(&format!("<th scope=\"row\">{}</th>", escaped(name))), "{name}");
    }
    assert!(page.contains("<h1>Cup &lt;b&gt;&amp;amp;</h1>"));
    assert!(!page.contains("<script>alert"));
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    // 3. Faults with their reasons.
    assert!(page.contains("the process ended: exit status"), "the crashes of three");
    // 4. Nothing is fetched from anywhere, and the page is closed in itself.
    well_formed(&page);
}

#[test]
fn the_command_makes_the_same_page_from_the_journal() {
    let done = played();
    let page = done.text("out/report.html");
    let report = |arguments: &[&str]| {
        Command::new(RUNNER).arg("report").args(arguments).current_dir(done.folder.path()).output().unwrap()
    };
    assert!(report(&["out", "--out", "again.html"]).status.success());
    assert_eq!(done.text("again.html"), page);
    assert!(report(&["out/games.jsonl", "--title", "Spring", "--out", "named.html"]).status.success());
    assert_eq!(done.text("named.html"), page.replace("Cup &lt;b&gt;&amp;amp;", "Spring"));
    // A journal whose last line is torn, and what is no journal.
    let torn = done.text("out/games.jsonl") + "{\"v\":1,";
    std::fs::write(done.folder.path().join("torn.jsonl"), torn).unwrap();
    assert!(report(&["torn.jsonl", "--title", "Cup <b>&amp;", "--out", "torn.html"]).status.success());
    assert_eq!(done.text("torn.html"), page);
    let wrong = report(&["plan.toml"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("line 1"));
    assert_eq!(report(&["nowhere"]).status.code(), Some(2));
    std::fs::write(done.folder.path().join("empty.jsonl"), "").unwrap();
    assert!(report(&["empty.jsonl", "--out", "empty.html"]).status.success());
    well_formed(&done.text("empty.html"));
}

fn heading(title: &str, test: Option<Test>) -> Heading {
    Heading { title: title.into(), test, course: None }
}

/// A journal of many games, made from one, with the results of every pair as given.
fn journal(count: u64, results: impl Fn(u64) -> &'static str) -> (tempfile::TempDir, std::path::PathBuf) {
    let one = r#"{"v":1,"id":0,"round":1,"pair":0,"white":"a","black":"b","rules":"italian","book":0,
        "moves":"e2e4 e7e5,g8f6 f1c4,d1h5,h5f7","result":"1-0","end":{"kind":"played","result":"1-0","reason":"mate"},
        "plies":6,"seed":1,"control":"-","began":"2026-01-01T00:00:00Z","ms":9,
        "turns":[{"turn":1,"ms":4},{"turn":2,"ms":5,"depth":3,"cp":-20},{"turn":3,"ms":2,"mate":1}]}"#;
    let mut game: GameRecord = serde_json::from_str(one).unwrap();
    let mut text = String::new();
    for id in 0..count {
        (game.id, game.pair, game.result) = (id, id / 2, results(id).into());
        let (white, black) = if id % 2 == 0 { ("a", "b") } else { ("b", "a") };
        (game.white, game.black) = (white.into(), black.into());
        let draw = r#"{"kind":"adjudicated","ruling":"max-turns"}"#;
        let fault = r#"{"kind":"forfeit","loser":"white","fault":{"kind":"time","turn":3,"text":"late"}}"#;
        game.end = match results(id) {
            "1-0" => serde_json::from_str(one).map(|game: GameRecord| game.end).unwrap(),
            "1/2-1/2" => serde_json::from_str(draw).unwrap(),
            _ => serde_json::from_str(fault).unwrap(),
        };
        text += &(serde_json::to_string(&game).unwrap() + "\n");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn of_many_games_there_is_a_sample_and_the_page_says_so() {
    let (_folder, path) = journal(3000, |id| if id % 50 == 0 { "0-1" } else { "1-0" });
    let page = render(&path, &heading("Many", None)).unwrap();
    let games = data(&page);
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), REPLAYED);
    let late = games.iter().filter(|game| game["reason"] == "time").count();
    assert_eq!(late, 60, "all games with a fault are in it, since they are few");
    assert!(page.contains("500 of 3000 games"));
    assert!(page.contains("3000 counted of 3000"));
    assert!(page.len() < 1_000_000, "{}", page.len());
    well_formed(&page);
}

#[test]
fn a_test_has_its_curve() {
    // The player a takes one and a half points of every pair but each fifth.
    let (_folder, path) = journal(200, |id| if id % 2 == 0 || id % 10 == 1 { "1-0" } else { "1/2-1/2" });
    let sprt = Sprt::new(0.0, 20.0, EloScale::Logistic, 0.05, 0.05).unwrap();
    let page = render(&path, &heading("Test", Some(Test { sprt, player: "a".into() }))).unwrap();
    assert!(page.contains("<b>SPRT</b>") && page.contains("accept H1 (2.94)"));
    assert!(page.contains("after 100 pairs: H1 accepted"), "{page}");
    well_formed(&page);
    assert!(!render(&path, &heading("Test", None)).unwrap().contains("SPRT"));
}

#[test]
fn brackets_and_tables_are_on_the_page() {
    let three = [stub("a<b", &["seed=1"]), stub("b", &["seed=2"]), stub("c", &["seed=3"])].concat();
    for (format, title, column) in [
        ("knockout", "Bracket", "Semi-finals"),
        ("swiss", "Swiss table after 2 rounds", "Buchholz"),
        ("adaptive", "What is known", "not by who leads"),
    ] {
        let table = match format {
            "adaptive" => "[adaptive]\nmax_games = 8\nof = \"gaps\"\nuntil = 5.0\n",
            "swiss" => "[swiss]\nrounds = 2\n",
            _ => "[knockout]\nextra = 1\n",
        };
        let done = tournament(&format!("format = \"{format}\"\n{QUICK}{table}{three}"));
        // The gaps are far from known after eight games.
        assert_eq!(done.code, Some(0), "{}", done.err);
        assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
        let page = done.text("out/report.html");
        assert!(page.contains(&format!(">{title}</h2>")) && page.contains(column), "{format}");
        assert!(page.contains("a&lt;b") && !page.contains("a<b"));
        well_formed(&page);
        let result: serde_json::Value = serde_json::from_str(&done.text("out/result.json")).unwrap();
        assert_eq!(result["course"]["format"], format);
        // The command makes the same page again.
        let again = Command::new(RUNNER).args(["report", "out"]).current_dir(done.folder.path()).output().unwrap();
        assert!(again.status.success());
        assert!(done.text("out/report.html") == page, "{format}");
    }
}
