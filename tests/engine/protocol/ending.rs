//! Endings: scenarios 15 to 18.

use super::client::{Client, ENGINE, assert_complete, best_of, game, milliseconds};
use std::io::Read;
use std::process::{Command, Stdio};

/// What a program may be busy with when its end comes.
const BUSY: [&[&str]; 5] = [
    &["isready"],
    &["isready", "go infinite"],
    &["isready", "position startpos moves e2e4", "go perft 9"],
    &["isready", "go perft 9 series"],
    &["isready", "bench"],
];

#[test]
fn s15_end_of_input() {
    for busy in BUSY {
        let mut client = Client::told(busy);
        client.until("readyok");
        let ended = client.hang_up();
        ended.assert_clean();
        assert!(ended.took < milliseconds(2000), "{busy:?}: {:?}", ended.took);
    }
}

#[test]
fn s16_quit_while_busy() {
    for busy in BUSY {
        let mut client = Client::told(busy);
        client.until("readyok");
        let ended = client.quit();
        ended.assert_clean();
        assert!(ended.took < milliseconds(2000), "{busy:?}: {:?}", ended.took);
    }
}

#[test]
fn s17_commands_from_a_file() {
    // The end of the file cuts the search, which still gives its answer.
    for last in ["", "quit\n"] {
        let mut client = Client::start();
        client.send_bytes(format!("uci\nposition startpos moves e2e4\ngo depth 3\n{last}").as_bytes());
        let ended = client.hang_up();
        ended.assert_clean();
        assert_complete(&super::client::replay(&game("startpos"), "e2e4"), &best_of(&ended.rest));
    }
}

#[test]
fn s18_the_reader_of_our_output_dies() {
    for busy in BUSY {
        let mut child = Command::new(ENGINE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        for line in busy {
            // The engine may already be gone: that is the point.
            let _ = std::io::Write::write_all(&mut input, format!("{line}\n").as_bytes());
        }
        // The input stays open: only the closed output can end the program.
        assert_eq!(child.wait().unwrap().code(), Some(0), "{busy:?}");
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(errors, "", "{busy:?}");
        drop(input);
    }
}
