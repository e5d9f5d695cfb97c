//! The analysis as glyphs and comments of a PGN game.

use super::words;
use crate::rules::notation::pgn::{Nag, PgnGame};
use crate::tools::analysis::{Mark, TurnReport, Worth};

/// Adds glyphs and comments; what the game had is kept.
pub(super) fn annotate(game: &mut PgnGame, turns: &[TurnReport]) {
    for turn in turns {
        if let Some(mark) = turn.mark {
            let code = match mark {
                Mark::Good => 1,
                Mark::Mistake => 2,
                Mark::Blunder => 4,
            };
            game.nags.push(Nag { after: turn.plies, code });
        }
        let leaves_mate = matches!(turn.played.worth, Worth::LetsMate(_));
        let mut said = Vec::new();
        if leaves_mate || turn.mark == Some(Mark::Good) {
            said.push(words::worth(&turn.midturn, &turn.played));
        }
        said.extend(words::better(turn));
        if !said.is_empty() {
            game.add_comment(turn.plies, said.join("; "));
        }
    }
    if let Some(last) = turns.last() {
        game.add_comment(last.plies, format!("Accuracy: {}", words::accuracies(turns)));
    }
    let annotator = format!("crescendo {}", env!("CARGO_PKG_VERSION"));
    game.set_tag("Annotator", annotator);
}
