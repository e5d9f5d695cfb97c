//! What the engine tells xboard about itself: features, options, the board of a game.

use crate::protocol::options::declarations;
use crate::rules::position::Position;
use crate::rules::table::{self, Captures, Rules};

/// Options for which xboard has commands of its own, or that belong to the other face.
const ELSEWHERE: [&str; 8] =
    ["Hash", "Threads", "Ponder", "UCI_Variant", "UCI_ShowWDL", "UCI_AnalyseMode", "UCI_Opponent", "Series Output"];

/// An option of this face alone: xboard's own option Test Legality is off, so captured pawns must be cleared away.
pub(super) const NULL_CAPTURES: &str = "Null Captures";

/// The games that xboard's board can show: it knows no rebirth.
pub(super) fn variants() -> Vec<&'static Rules> {
    table::ALL.into_iter().filter(|rules| rules.captures == Captures::Remove).collect()
}

/// The lines that answer `protover`.
pub(super) fn lines() -> Vec<String> {
    let names: Vec<&str> = variants().iter().map(|rules| rules.variant).collect();
    let version = env!("CARGO_PKG_VERSION");
    let mut lines = vec![
        "feature done=0".into(),
        format!("feature myname=\"Crescendo {version}\" variants=\"{}\"", names.join(",")),
        "feature ping=1 setboard=1 playother=1 usermove=1 san=0 highlight=1 debug=1 colors=0".into(),
        "feature sigint=0 sigterm=0 analyze=0 draw=1 reuse=1 time=1 memory=1 smp=1".into(),
    ];
    lines.extend(declarations().filter_map(|line| option_feature(&line)));
    lines.push(format!("feature option=\"{NULL_CAPTURES} -check 0\""));
    lines.push("feature done=1".into());
    lines
}

/// An option of the other face in xboard's words: `option name Seed type spin default 0 min 0 max 9` →
/// `feature option="Seed -spin 0 0 9"`.
fn option_feature(declared: &str) -> Option<String> {
    let (name, rest) = declared.strip_prefix("option name ")?.split_once(" type ")?;
    let (kind, values) = rest.split_once(' ').unwrap_or((rest, ""));
    let default = values.strip_prefix("default ").unwrap_or_default();
    if ELSEWHERE.contains(&name) {
        return None;
    }
    let text = match kind {
        "button" => String::new(),
        "check" => format!(" {}", u8::from(default == "true")),
        "string" => " ".into(),
        "spin" => format!(" {}", default.replace("min ", "").replace("max ", "")),
        _ => {
            let mut choices = default.split(" var ");
            let chosen = choices.next()?;
            let marked = |choice: &str| format!("{}{choice}", if choice == chosen { "*" } else { "" });
            format!(" {}", choices.map(marked).collect::<Vec<_>>().join(" /// "))
        }
    };
    Some(format!("feature option=\"{name} -{kind}{text}\""))
}

/// The answer to `variant`: letters, size, parent and start position. The parent must be a game in which xboard does not judge
/// stalemate by itself, since the side that passes often has no move.
pub(super) fn setup(rules: &'static Rules) -> String {
    let fen = Position::start(rules).fen();
    format!("setup (PNBRQ................Kpnbrq................k) 8x8+0_kriegspiel {fen}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_in_other_words() {
        let feature = |declared: &str| option_feature(declared).unwrap_or_default();
        for (declared, said) in [
            ("option name Seed type spin default 0 min 0 max 9", "feature option=\"Seed -spin 0 0 9\""),
            ("option name OwnBook type check default true", "feature option=\"OwnBook -check 1\""),
            ("option name Clear Hash type button", "feature option=\"Clear Hash -button\""),
            ("option name Book File type string default <empty>", "feature option=\"Book File -string \""),
            ("option name L type combo default b var a b var b", "feature option=\"L -combo a b /// *b\""),
            ("option name Hash type spin default 16 min 1 max 65536", ""),
        ] {
            assert_eq!(feature(declared), said);
        }
    }

    #[test]
    fn every_declared_option_is_offered_or_named_as_not() {
        let names = lines().into_iter().filter(|line| line.contains("option=")).count();
        assert_eq!(names - 1 + ELSEWHERE.len(), declarations().count());
        assert_eq!(lines().last().map(String::as_str), Some("feature done=1"));
    }
}
