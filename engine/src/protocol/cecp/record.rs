//! The game as both sides see it: series here, alternating plies with passes in xboard.

use super::command::Ply;
use super::mirror::Mirror;
use crate::rules::game::{Game, PlayError};
use crate::rules::setup::Entry;
use crate::rules::table::Rules;
use crate::types::moves::Move;
use crate::types::{Color, Square};

/// The game and xboard's record of it.
#[derive(Clone, Debug)]
pub(super) struct Record {
    game: Game,
    plies: Vec<Ply>,
}

impl Record {
    /// From the start position.
    pub(super) fn new(rules: &'static Rules) -> Self {
        Self { game: Game::new(rules), plies: Vec::new() }
    }

    /// From any position.
    pub(super) fn from_entry(entry: Entry) -> Self {
        Self { game: Game::from_entry(entry), plies: Vec::new() }
    }

    /// The game.
    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    /// Whose turn it is in xboard.
    pub(super) fn side_in_gui(&self) -> Color {
        let first = self.game.start().color();
        if self.plies.len().is_multiple_of(2) { first } else { !first }
    }

    /// Whether xboard waits for a ply of a side that has none: a pass is due.
    pub(super) fn is_pass_due(&self) -> bool {
        self.game.outcome().is_none() && self.side_in_gui() != self.game.color()
    }

    /// Takes a ply that xboard shows already.
    ///
    /// # Errors
    /// It is not legal; nothing has changed.
    pub(super) fn take(&mut self, ply: Ply) -> Result<(), PlayError> {
        if let Some(mv) = ply.mv {
            self.game.play(mv)?;
        }
        self.plies.push(ply);
        Ok(())
    }

    /// Makes a legal move; the lines tell it to xboard.
    ///
    /// # Errors
    /// It is not legal; nothing has changed.
    pub(super) fn send_move(&mut self, mv: Move) -> Result<Vec<String>, PlayError> {
        let mut mirror = self.mirror();
        let is_capture = mirror.is_occupied(mv.to());
        let is_castling = mirror.is_castling(mv);
        self.game.play(mv)?;
        mirror.play(mv);
        // Only a plain move goes round by way of a ghost: with a capture, a castling or a promotion xboard would do something else.
        let is_plain = mv.promotion().is_none() && !is_castling && !is_capture;
        let swept = mirror.ghost(self.game.current()).filter(|_| is_plain);
        self.plies.push(Ply { mv: Some(mv), swept });
        Ok(lines(swept, mv.from(), mv.to()).unwrap_or_else(|| vec![format!("move {mv}")]))
    }

    /// Makes a pass for the side that xboard waits for; the lines tell it to xboard. A pass that `sweeps` clears a ghost away.
    pub(super) fn send_pass(&mut self, sweeps: bool) -> Vec<String> {
        let mirror = self.mirror();
        let sweeper = mirror.sweeper(self.side_in_gui()).filter(|_| sweeps);
        let swept = mirror.ghost(self.game.current()).filter(|_| sweeper.is_some());
        self.plies.push(Ply { mv: None, swept });
        sweeper.and_then(|home| lines(swept, home, home)).unwrap_or_else(|| vec!["move @@@@".into()])
    }

    /// Takes back the last `count` plies of xboard's record. Returns the moves that are now missing from the series in progress.
    pub(super) fn take_back(&mut self, count: usize) -> Vec<Move> {
        let all: Vec<Move> = self.plies.iter().filter_map(|ply| ply.mv).collect();
        self.plies.truncate(self.plies.len().saturating_sub(count));
        let kept = self.plies.iter().filter(|ply| ply.mv.is_some()).count();
        let start = *self.game.start();
        let mut game = Game::from_entry(start.position().map_or(Entry::Inside(start), Entry::Between));
        for &mv in &all[..kept] {
            let _ = game.play(mv);
        }
        self.game = game.clone();
        let turn = game.current().turn();
        let rest = all[kept..].iter().copied();
        let missing = rest.take_while(|&mv| game.current().turn() == turn && game.play(mv).is_ok());
        missing.collect()
    }

    /// The board as xboard shows it.
    fn mirror(&self) -> Mirror {
        let mut mirror = Mirror::of(self.game.start());
        for ply in &self.plies {
            match ply.mv {
                Some(mv) => mirror.play(mv),
                None => mirror.pass(),
            }
            ply.swept.into_iter().for_each(|square| mirror.clear(square));
        }
        mirror
    }
}

/// Two legs by way of a ghost. xboard takes them for one ply.
fn lines(ghost: Option<Square>, from: Square, to: Square) -> Option<Vec<String>> {
    ghost.map(|ghost| vec![format!("move {from}{ghost},"), format!("move {ghost}{to}")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::table::ITALIAN;

    /// A record after these plies: `--` is a pass, given by the engine; moves of `sender` are sent, the others taken.
    fn record(plies: &str, sender: Color) -> (Record, Vec<String>) {
        let (mut record, mut last) = (Record::new(&ITALIAN), Vec::new());
        for ply in plies.split_whitespace() {
            last = match ply.parse() {
                Err(_) => record.send_pass(true),
                Ok(mv) if record.side_in_gui() == sender => record.send_move(mv).unwrap(),
                Ok(mv) => record.take(Ply::of(mv)).map(|()| Vec::new()).unwrap(),
            };
        }
        (record, last)
    }

    const BEFORE: &str = "e2e4 a7a6 -- b7b6 e4e5 -- h2h3 -- a2a3 d7d5 -- a6a5 -- b6b5 -- h7h6";

    #[test]
    fn the_next_pass_clears_a_ghost_of_the_person() {
        let (mut record, _) = record(&format!("{BEFORE} e5d6"), Color::Black);
        assert!(record.is_pass_due());
        assert_eq!(record.send_pass(true), ["move e8d5,", "move d5e8"]);
        assert_eq!(record.mirror().ghost(record.game().current()), None);
        assert!(!record.is_pass_due());
    }

    #[test]
    fn the_engine_takes_a_ghost_on_its_way() {
        let (mut record, last) = record(&format!("{BEFORE} e5d6"), Color::White);
        assert_eq!(last, ["move e5d5,", "move d5d6"]);
        assert_eq!(record.send_pass(true), ["move @@@@"]);
    }

    #[test]
    fn take_back_counts_plies_of_the_gui() {
        let (mut record, _) = record("e2e4 a7a6 -- b7b6 e4e5 -- h2h3", Color::Black);
        assert_eq!(record.side_in_gui(), Color::Black);
        record.send_pass(true);
        // Two plies: the pass and h2h3.
        assert_eq!(record.take_back(2), ["h2h3".parse().unwrap()]);
        assert_eq!((record.game().current().left(), record.is_pass_due()), (2, false));
        assert_eq!(record.take_back(2).len(), 1);
        assert_eq!(record.game().current().left(), 3);
        // Into the engine's series: its last move is missing.
        assert_eq!(record.take_back(2), ["b7b6".parse().unwrap()]);
        assert!(record.is_pass_due());
        assert_eq!(record.take_back(99), ["e2e4".parse().unwrap()]);
        assert_eq!(record.game().plies(), 0);
    }
}
