//! The options: one table says what is declared, [`Options`] holds the values.

use super::go::whole_number;
use super::reply::Reply;
use crate::rules::midturn::Midturn;
use crate::rules::table::{self, Rules};
use crate::search::book::Book;
use crate::search::levels::{LADDER, Level};
use crate::search::sight::luck;
use std::sync::Arc;

/// Which option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Id {
    Hash,
    Threads,
    Ponder,
    MultiPv,
    ClearHash,
    MoveOverhead,
    Variant,
    LimitStrength,
    Elo,
    Level,
    ShowWdl,
    AnalyseMode,
    Opponent,
    OwnBook,
    BookFile,
    SeriesOutput,
    Seed,
    LogFile,
}

/// What kind of value, with default and range.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Spin(i64, i64, i64),
    /// The range of the ladder of levels, its top the default.
    Elo,
    Check(bool),
    Button,
    Combo,
    Text,
}

const TABLE: [(Id, &str, Kind); 18] = [
    (Id::Hash, "Hash", Kind::Spin(16, 1, 65_536)),
    (Id::Threads, "Threads", Kind::Spin(1, 1, 256)),
    (Id::Ponder, "Ponder", Kind::Check(false)),
    (Id::MultiPv, "MultiPV", Kind::Spin(1, 1, 64)),
    (Id::ClearHash, "Clear Hash", Kind::Button),
    (Id::MoveOverhead, "Move Overhead", Kind::Spin(20, 0, 5000)),
    (Id::Variant, "UCI_Variant", Kind::Combo),
    (Id::LimitStrength, "UCI_LimitStrength", Kind::Check(false)),
    (Id::Elo, "UCI_Elo", Kind::Elo),
    (Id::Level, "Level", Kind::Combo),
    (Id::ShowWdl, "UCI_ShowWDL", Kind::Check(false)),
    (Id::AnalyseMode, "UCI_AnalyseMode", Kind::Check(false)),
    (Id::Opponent, "UCI_Opponent", Kind::Text),
    (Id::OwnBook, "OwnBook", Kind::Check(true)),
    (Id::BookFile, "Book File", Kind::Text),
    (Id::SeriesOutput, "Series Output", Kind::Combo),
    (Id::Seed, "Seed", Kind::Spin(0, 0, i32::MAX as i64)),
    (Id::LogFile, "Debug Log File", Kind::Text),
];

/// The values now in force.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) hash_mib: usize,
    pub(super) threads: usize,
    pub(super) ponder: bool,
    pub(super) multi_pv: usize,
    pub(super) overhead: i64,
    pub(super) rules: &'static Rules,
    limit_strength: bool,
    elo: i64,
    level: &'static Level,
    pub(super) show_wdl: bool,
    analyse: bool,
    pub(super) own_book: bool,
    /// The book of `Book File`; none = the one that the engine is built with.
    pub(super) book: Option<Arc<Book>>,
    /// Each leg of a series is asked for and answered alone.
    pub(super) legs: bool,
    /// 0 = from the clock.
    pub(super) seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            ponder: false,
            multi_pv: 1,
            overhead: 20,
            rules: &table::ITALIAN,
            limit_strength: false,
            elo: LADDER.range().1,
            level: Level::full(),
            show_wdl: false,
            analyse: false,
            own_book: true,
            book: None,
            legs: false,
            seed: 0,
        }
    }
}

/// What setting an option asks the session to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing more.
    None,
    /// Give the tables this size if there is the memory.
    Hash(usize),
    /// Empty the tables.
    ClearHash,
    /// Another game: its start position, empty tables.
    NewVariant,
    /// Read this book; empty = none.
    BookFile(String),
    /// Write a log to this file; empty = none.
    LogFile(String),
}

impl Options {
    /// Sets an option. The replies are warnings or the one error; after an error nothing has changed.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> (Effect, Vec<Reply>) {
        let Some(&(id, name, kind)) = TABLE.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(name)) else {
            return (Effect::None, vec![Reply::error("unknown-option", format!("'{name}'"))]);
        };
        let mut replies = Vec::new();
        let effect = read(name, kind, value, &mut replies).and_then(|value| self.apply(id, name, value));
        match effect {
            Ok(effect) => (effect, replies),
            Err(text) => (Effect::None, vec![Reply::error("option-value", text)]),
        }
    }

    fn apply(&mut self, id: Id, name: &str, value: Value<'_>) -> Result<Effect, String> {
        match (id, value) {
            (Id::Hash, Value::Number(mib)) => return Ok(Effect::Hash(size(mib))),
            (Id::Threads, Value::Number(n)) => self.threads = size(n),
            (Id::MultiPv, Value::Number(n)) => self.multi_pv = size(n),
            (Id::MoveOverhead, Value::Number(ms)) => self.overhead = ms,
            (Id::Elo, Value::Number(elo)) => self.elo = elo,
            (Id::Seed, Value::Number(seed)) => self.seed = seed.unsigned_abs(),
            (Id::Ponder, Value::Flag(on)) => self.ponder = on,
            (Id::LimitStrength, Value::Flag(on)) => self.limit_strength = on,
            (Id::ShowWdl, Value::Flag(on)) => self.show_wdl = on,
            (Id::AnalyseMode, Value::Flag(on)) => self.analyse = on,
            (Id::OwnBook, Value::Flag(on)) => self.own_book = on,
            (Id::ClearHash, _) => return Ok(Effect::ClearHash),
            (Id::Variant, Value::Text(text)) => {
                self.rules = Rules::by_name(text).ok_or_else(|| not_one_of(name, text))?;
                return Ok(Effect::NewVariant);
            }
            (Id::Level, Value::Text(text)) => {
                self.level = Level::by_name(text).ok_or_else(|| not_one_of(name, text))?
            }
            (Id::SeriesOutput, Value::Text(text)) => {
                self.legs = match () {
                    () if text.eq_ignore_ascii_case("leg") => true,
                    () if text.eq_ignore_ascii_case("series") => false,
                    () => return Err(not_one_of(name, text)),
                }
            }
            (Id::BookFile, Value::Text(text)) => return Ok(Effect::BookFile(text.into())),
            (Id::LogFile, Value::Text(text)) => return Ok(Effect::LogFile(text.into())),
            // The opponent's name changes nothing; other pairs of option and value do not occur.
            _ => {}
        }
        Ok(Effect::None)
    }

    /// Whether the strength is limited by Elo.
    pub(super) const fn limits_strength(&self) -> bool {
        self.limit_strength
    }

    /// Whether the client analyses.
    pub(super) const fn is_analysis(&self) -> bool {
        self.analyse
    }

    /// The level in force in this turn; `seed` decides where a strength between two levels is asked for. In analysis it is
    /// always the full strength.
    pub(super) fn level(&self, midturn: &Midturn, seed: u64) -> Level {
        match (self.analyse, self.limit_strength) {
            (true, _) => *Level::full(),
            // By the turn: where a series is asked for move by move, one player makes all of it.
            (false, true) => LADDER.at(self.elo as f64, self.rules, luck(seed, midturn.turn().number().into())),
            (false, false) => *self.level,
        }
    }
}

/// Default, least and greatest value of a number.
fn limits(kind: Kind) -> Option<(i64, i64, i64)> {
    match kind {
        Kind::Spin(default, min, max) => Some((default, min, max)),
        Kind::Elo => {
            let (min, max) = LADDER.range();
            Some((max, min, max))
        }
        _ => None,
    }
}

fn size(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

/// A value of the right form, already in range.
enum Value<'a> {
    Number(i64),
    Flag(bool),
    Text(&'a str),
    Pressed,
}

fn read<'a>(name: &str, kind: Kind, value: Option<&'a str>, replies: &mut Vec<Reply>) -> Result<Value<'a>, String> {
    if matches!(kind, Kind::Button) {
        return Ok(Value::Pressed);
    }
    let text = value.ok_or_else(|| format!("{name} needs a value"))?;
    Ok(match kind {
        Kind::Spin(..) | Kind::Elo => {
            let (_, min, max) = limits(kind).unwrap_or_default();
            let number = whole_number(text).ok_or_else(|| format!("{name} '{text}' is not a number"))?;
            let clamped = number.clamp(min, max);
            if clamped != number {
                let said = format!("{name} {text} is not from {min} to {max}; taken as {clamped}");
                replies.push(Reply::warning("option-range", said));
            }
            Value::Number(clamped)
        }
        Kind::Check(_) if text.eq_ignore_ascii_case("true") => Value::Flag(true),
        Kind::Check(_) if text.eq_ignore_ascii_case("false") => Value::Flag(false),
        Kind::Check(_) => return Err(format!("{name} '{text}' is neither true nor false")),
        Kind::Text if text.eq_ignore_ascii_case("<empty>") => Value::Text(""),
        Kind::Text | Kind::Combo => Value::Text(text),
        Kind::Button => Value::Pressed,
    })
}

fn not_one_of(name: &str, text: &str) -> String {
    let id = TABLE.iter().find(|(_, known, _)| *known == name).map(|(id, ..)| *id);
    format!("{name} '{text}' is not one of: {}", id.map(choices).unwrap_or_default().join(", "))
}

/// The values of a combo, its default first.
fn choices(id: Id) -> Vec<&'static str> {
    match id {
        Id::Variant => table::ALL.iter().map(|rules| rules.variant).collect(),
        Id::Level => Level::all().iter().rev().chain(Level::personalities()).map(|level| level.name).collect(),
        Id::SeriesOutput => vec!["series", "leg"],
        _ => Vec::new(),
    }
}

/// The `option` lines of the answer to `uci`.
pub(super) fn declarations() -> impl Iterator<Item = String> {
    TABLE.iter().map(|&(id, name, kind)| {
        let kind = match kind {
            Kind::Spin(..) | Kind::Elo => {
                let (default, min, max) = limits(kind).unwrap_or_default();
                format!("spin default {default} min {min} max {max}")
            }
            Kind::Check(default) => format!("check default {default}"),
            Kind::Button => "button".into(),
            Kind::Text => "string default <empty>".into(),
            Kind::Combo => {
                let choices = choices(id);
                format!("combo default {} var {}", choices[0], choices.join(" var "))
            }
        };
        format!("option name {name} type {kind}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Game;

    fn level(options: &Options) -> &'static str {
        options.level(Game::new(options.rules).current(), 1).name
    }

    fn set(options: &mut Options, name: &str, value: &str) -> (Effect, String) {
        let (effect, replies) = options.set(name, Some(value));
        (effect, replies.iter().map(Reply::to_string).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn names_and_choices_are_case_blind() {
        let mut options = Options::default();
        assert_eq!(set(&mut options, "move overhead", "100"), (Effect::None, String::new()));
        assert_eq!(options.overhead, 100);
        assert_eq!(set(&mut options, "uci_variant", "Logical-Scottish").0, Effect::NewVariant);
        assert_eq!(options.rules.name, "logical-scottish");
        assert_eq!(set(&mut options, "LEVEL", "club PLAYER").1, "");
        assert_eq!(level(&options), "Club player");
    }

    #[test]
    fn bad_values_change_nothing() {
        let mut options = Options::default();
        for (name, value) in [("Threads", "abc"), ("Threads", "1.5"), ("Ponder", "yes"), ("UCI_Variant", "crazyhouse")]
        {
            let (effect, said) = set(&mut options, name, value);
            assert!(effect == Effect::None && said.starts_with("info string error option-value: "), "{said}");
        }
        assert_eq!((options.threads, options.rules.name), (1, "italian"));
        assert!(set(&mut options, "Contempt", "1").1.starts_with("info string error unknown-option: 'Contempt'"));
        assert!(options.set("Threads", None).1[0].to_string().contains("needs a value"));
        assert!(set(&mut options, "UCI_Variant", "chess").1.contains("progressive, scottishprogressive"));
    }

    #[test]
    fn out_of_range_is_clamped_aloud() {
        let mut options = Options::default();
        for (value, taken) in [("0", 1), ("-1", 1), ("999999999999999999999999", 256)] {
            let (_, said) = set(&mut options, "Threads", value);
            assert!(said.starts_with("info string warning option-range: Threads"), "{said}");
            assert_eq!(options.threads, taken);
        }
        assert_eq!(set(&mut options, "Hash", "-1").0, Effect::Hash(1));
    }

    #[test]
    fn defaults_lie_in_their_range() {
        for (_, name, kind) in TABLE {
            if let Some((default, min, max)) = limits(kind) {
                assert!((min..=max).contains(&default), "{name}");
            }
        }
        assert_eq!(level(&Options::default()), "Full");
    }

    #[test]
    fn elo_counts_only_where_strength_is_limited() {
        let mut options = Options::default();
        let (min, max) = LADDER.range();
        set(&mut options, "UCI_Elo", &min.to_string());
        assert_eq!(level(&options), "Full");
        set(&mut options, "UCI_LimitStrength", "true");
        assert_eq!(level(&options), "Novice");
        set(&mut options, "UCI_Elo", &max.to_string());
        assert_eq!(level(&options), "Full");
        set(&mut options, "UCI_Elo", &(min + 1).to_string());
        set(&mut options, "UCI_AnalyseMode", "true");
        assert_eq!(level(&options), "Full");
    }

    #[test]
    fn a_strength_between_two_levels_is_one_player_throughout_a_turn() {
        let mut options = Options::default();
        set(&mut options, "UCI_LimitStrength", "true");
        let elo = &LADDER.measured(&table::ITALIAN).unwrap().elo;
        let start = *Game::new(&table::ITALIAN).current();
        let mut second = start;
        second.step(start.legal_seen_by_mover()[0]);
        // A turn later two moves are one turn's.
        let second = second.next_position().begin();
        let mut middle = second;
        middle.step(second.legal_seen_by_mover()[0]);
        for at in 0..elo.len() - 1 {
            set(&mut options, "UCI_Elo", &format!("{:.0}", (elo[at] + elo[at + 1]) / 2.0));
            assert!((1..=200).all(|seed| options.level(&second, seed) == options.level(&middle, seed)));
        }
        // The last of these lies between a level that errs and one that does not: some turns are the one's, some the other's.
        let full = (1..=200).filter(|&seed| options.level(&start, seed).name == "Full").count();
        assert!((60..=140).contains(&full), "{full}");
        set(&mut options, "UCI_Elo", &format!("{:.0}", (elo[3] + elo[4]) / 2.0));
        let players: Vec<Level> = (1..=200).map(|seed| options.level(&start, seed)).collect();
        assert!(players.iter().all(|player| player.noise == players[0].noise && !Level::all().contains(player)));
    }
}
