//! What the session says at length: the commands, the rules in a few sentences.

use super::seats::names_of_levels;
use crate::rules::table::{ALL, Captures, Check, Goal, Order, PawnStart, Quota, Reply, Rules};

/// The commands.
pub(super) const HELP: &str = "\
e4, Nf3, e2e4, O-O   play a move; several at once: Bc4 Qh5 Qxf7 or f1c4,d1h5,h5f7
undo [series]        take back your last move, or your whole last series
hint                 what the engine would play
moves                the legal moves
level [[white|black] NAME|human]
                     show or set who plays
rules [NAME]         show the rules, or begin a game by other rules
new [RULES]          begin again
save FILE, load FILE [N]
                     write the game as PGN; read the N-th game of a file
board, flip, fen     show the board, from the other side, as text
quit                 leave
";

/// The rules of a game in a few sentences, and the names of all games.
pub(super) fn rules(rules: &Rules) -> String {
    let mut sentences = vec![match rules.quota {
        Quota::Progressive => "White plays one move, Black two, White three, and so on.",
        Quota::Double => "White plays one move, then each side two in turn.",
    }];
    sentences.push(match rules.goal {
        Goal::Mate(Check::LastPlyOnly) => {
            "Only the last move of a series may give check; who can parry a check only by giving one too early is mated."
        }
        Goal::Mate(Check::EndsSeries) => "A check ends the series.",
        Goal::TakeAll => "Who captures every enemy man wins; kings are men like others, and there is no check.",
    });
    if rules.order == Order::Balanced {
        sentences.push("Every man that can move must move once before any moves again.");
    }
    sentences.push(match rules.pawns {
        PawnStart::Single => "Pawns go one step only.",
        PawnStart::Double => "There is no en passant capture.",
        PawnStart::DoubleEnPassant(Reply::FirstMove) => {
            "En passant captures are possible with the first move of a series."
        }
        PawnStart::DoubleEnPassant(Reply::AfterCapture) => {
            "En passant captures are possible with the first move, and right after another one."
        }
    });
    if !rules.castling {
        sentences.push("There is no castling.");
    }
    if rules.captures == Captures::Rebirth {
        sentences.push("Captured men are reborn on their home squares if those are empty.");
    }
    let names: Vec<&str> = ALL.iter().map(|rules| rules.name).collect();
    format!("Rules {}: {}\nAll rules: {}.\n", rules.name, sentences.join(" "), names.join(", "))
}

/// How to say who plays.
pub(super) fn levels() -> String {
    format!("Levels: {}; or human.\n", names_of_levels())
}
