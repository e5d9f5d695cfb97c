//! A game in the terminal, without the terminal: a line in, text out. Files are wishes that the loop around it fulfills.

use super::board::{Look, draw};
use super::command::{Command, parse};
use super::seats::{Seat, Seats};
use super::text;
use crate::rules::game::{Game, PlayError};
use crate::rules::illegal::IllegalMove;
use crate::rules::midturn::{Midturn, Progress};
use crate::rules::notation::movetext::series_in_san;
use crate::rules::notation::pgn::{PgnGame, read};
use crate::rules::notation::san::{self, SanFault, leg_number};
use crate::rules::setup::Entry;
use crate::rules::table::{self, Rules};
use crate::search::info::Choice;
use crate::search::levels::Level;
use crate::search::limits::Limits;
use crate::search::think::{Searcher, Settings};
use crate::types::Color;
use crate::types::moves::Move;
use crate::types::score::{Score, ScoreText};
use crate::types::series::Series;

/// What the loop must do after it has printed the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// Go on.
    None,
    /// Write this text to a new file of this name.
    Save(String, String),
    /// Read this file and hand it to [`Session::loaded`], with the number of the game.
    Load(String, usize),
    /// End.
    Quit,
}

/// The answer to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) wish: Wish,
}

/// Nodes for a hint: enough for a good one, and soon.
const HINT_NODES: u64 = 1_000_000;

/// A game with its players.
pub(super) struct Session {
    game: Game,
    seats: Seats,
    look: Look,
    searcher: Searcher,
    nodes: u64,
    seed: u64,
}

impl Session {
    /// A session that begins with this game. A level thinks `nodes` moves about a series at most.
    pub(super) const fn new(game: Game, seats: Seats, look: Look, searcher: Searcher, nodes: u64, seed: u64) -> Self {
        Self { game, seats, look, searcher, nodes, seed }
    }

    /// What is said first.
    pub(super) fn greeting(&self) -> String {
        let name = self.game.rules().name;
        format!("Progressive chess, {name} rules. {}. Type help for the commands.\n{}", self.seats, self.board())
    }

    /// What stands before the cursor: turn, leg and quota, side.
    pub(super) fn prompt(&self) -> String {
        let current = self.game.current();
        if self.game.outcome().is_some() {
            return "over> ".into();
        }
        let quota = current.rules().quota(current.turn());
        format!("{} {}, move {} of {quota}> ", side(current.color()), current.turn(), leg_number(current))
    }

    /// Acts on a line.
    pub(super) fn hear(&mut self, line: &str) -> Said {
        let wish = match parse(line) {
            Command::Quit => Wish::Quit,
            Command::Load(path, number) => Wish::Load(path, number),
            Command::Save(path) => Wish::Save(path, self.pgn()),
            command => return Said { text: self.act(command), wish: Wish::None },
        };
        Said { text: String::new(), wish }
    }

    fn act(&mut self, command: Command) -> String {
        match command {
            Command::Show => self.board(),
            Command::Moves(words) => self.play(&words).unwrap_or_else(|reason| format!("{reason}\n")),
            Command::Undo(series) => self.undo(series),
            Command::Hint => self.hint(),
            Command::Legal => self.legal(),
            Command::Level(None) => format!("{}.\n{}", self.seats, text::levels()),
            Command::Level(Some(who)) => match self.seats.set(&who) {
                Ok(()) => format!("{}.\n", self.seats),
                Err(reason) => format!("{reason}\n"),
            },
            Command::Rules(None) => text::rules(self.game.rules()),
            Command::Rules(Some(name)) if self.game.plies() > 0 && self.game.outcome().is_none() => {
                format!("A game is under way; 'new {name}' ends it and begins another.\n")
            }
            Command::New(None) => self.begin(self.game.rules()),
            Command::Rules(Some(name)) | Command::New(Some(name)) => match Rules::by_name(&name) {
                Some(rules) => self.begin(rules),
                None => format!("'{name}' is not one of: {}\n", table::ALL.map(|rules| rules.name).join(", ")),
            },
            Command::Fen => format!("{}\n", self.game.current().fen()),
            Command::Flip => {
                self.look.flipped = !self.look.flipped;
                self.board()
            }
            Command::Help => text::HELP.into(),
            Command::Usage(usage) => format!("usage: {usage}\n"),
            Command::Save(..) | Command::Load(..) | Command::Quit => String::new(),
        }
    }

    fn begin(&mut self, rules: &'static Rules) -> String {
        self.game = Game::new(rules);
        self.searcher.clear();
        self.greeting()
    }

    /// The board, and whose turn it is or how the game ended.
    fn board(&self) -> String {
        let current = self.game.current();
        let status = match self.game.outcome() {
            Some(outcome) => format!("The game is over: {outcome}."),
            None => {
                let check = if current.is_in_check() { ", in check" } else { "" };
                let moves = if current.left() == 1 { "move" } else { "moves" };
                format!(
                    "Turn {}: {}, {} {moves} to play{check}.",
                    current.turn(),
                    side(current.color()),
                    current.left()
                )
            }
        };
        format!("{}{status}\n", draw(&self.game, self.look))
    }

    // Moves of people.

    /// Plays the moves of a line: all, or none if one is not legal.
    fn play(&mut self, words: &[String]) -> Result<String, String> {
        let mut game = self.game.clone();
        let mut series_over = false;
        for word in words {
            if series_over {
                return Err(format!("Not played: '{word}' comes after the end of the series."));
            }
            let mv = read_move(&game, word)?;
            let progress = game.play(mv).map_err(|reason| format!("Not played: '{word}': {reason}."))?;
            series_over = progress != Progress::More;
        }
        self.game = game;
        Ok(self.board())
    }

    /// Takes back to before the last move of a person, or to before the last series in which a person moved.
    fn undo(&mut self, series: bool) -> String {
        let is_human = |midturn: &Midturn| self.seats.of(midturn.color()) == Seat::Human;
        let moves: Vec<Move> = self.game.turns().iter().flat_map(|(_, series)| series.iter().copied()).collect();
        let mut keep = None;
        let mut game = Game::from_entry(entry(&self.game));
        for (count, &mv) in moves.iter().enumerate() {
            let begins_turn = game.current().is_fresh() || count == 0;
            if is_human(game.current()) && (begins_turn || !series) {
                keep = Some(count);
            }
            let _ = game.play(mv);
        }
        let Some(keep) = keep else { return "There is no move of yours to take back.\n".into() };
        self.game = Game::from_entry(entry(&self.game));
        for &mv in &moves[..keep] {
            let _ = self.game.play(mv);
        }
        let count = moves.len() - keep;
        format!("Taken back: {count} {}.\n{}", if count == 1 { "move" } else { "moves" }, self.board())
    }

    fn legal(&self) -> String {
        let mut moves: Vec<String> =
            self.game.legal().into_iter().map(|mv| san::write(self.game.current(), mv)).collect();
        moves.sort();
        format!("{} legal: {}\n", moves.len(), moves.join(" "))
    }

    // The engine.

    /// Whether a level is to move.
    pub(super) fn is_engines_turn(&self) -> bool {
        self.game.outcome().is_none() && matches!(self.seats.of(self.game.color()), Seat::Engine(_))
    }

    /// Lets the level that is to move play its series.
    pub(super) fn think(&mut self) -> String {
        let color = self.game.color();
        let (Seat::Engine(level), None) = (self.seats.of(color), self.game.outcome()) else { return String::new() };
        let choice = self.search(level, self.nodes);
        for &mv in choice.series.iter().flat_map(|series| series.iter()) {
            if self.game.play(mv).is_err() {
                break;
            }
        }
        let last = series_in_san(&self.game).pop();
        let played = last.map_or_else(String::new, |(turn, moves)| format!("{turn}. {}", moves.join(" ")));
        format!("{} ({}) plays {played}\n{}", side(color), level.name, self.board())
    }

    fn hint(&mut self) -> String {
        if let Some(outcome) = self.game.outcome() {
            return format!("The game is over: {outcome}.\n");
        }
        let choice = self.search(Level::full(), HINT_NODES);
        let Some(series) = choice.series else { return "There is nothing to suggest.\n".into() };
        format!("Hint: {} ({})\n", in_san(&self.game, &series), score_text(choice.score))
    }

    fn search(&mut self, level: &'static Level, nodes: u64) -> Choice {
        let settings = Settings { level: *level, seed: self.seed };
        self.searcher.think(self.game.current(), &settings, &Limits::nodes(nodes), &mut |_| {})
    }

    // Files.

    fn pgn(&self) -> String {
        let mut pgn = PgnGame::new(self.game.clone());
        pgn.set_tag("White", self.seats.white.to_string());
        pgn.set_tag("Black", self.seats.black.to_string());
        pgn.canonical()
    }

    /// Takes the text of a file that was asked for.
    pub(super) fn loaded(&mut self, text: &str, number: usize) -> String {
        match read::games(text, self.game.rules()).nth(number - 1) {
            None => format!("There is no game {number} in the file; nothing has changed.\n"),
            Some(Err(error)) => format!("Not loaded: {error}; nothing has changed.\n"),
            Some(Ok(pgn)) => {
                self.game = pgn.game;
                let warnings: String = pgn.warnings.iter().map(|warning| format!("Warning: {warning}\n")).collect();
                format!("{warnings}Loaded: {} rules.\n{}", self.game.rules().name, self.board())
            }
        }
    }
}

/// Where the game began, as something to begin from.
fn entry(game: &Game) -> Entry {
    game.start().position().map_or(Entry::Inside(*game.start()), Entry::Between)
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A person's move, or the sentence that says why it is none.
fn read_move(game: &Game, word: &str) -> Result<Move, String> {
    if let Some(outcome) = game.outcome() {
        return Err(format!("Not played: {}.", PlayError::Over(outcome)));
    }
    san::read(game.current(), word).map_err(|error| match &error.reason {
        SanFault::Syntax => format!("'{}' is neither a move nor a command; type help for the commands.", error.text),
        SanFault::Illegal(IllegalMove::EarlyCheck) => {
            format!("Not played: '{}' gives check before the last move.", error.text)
        }
        reason => format!("Not played: '{}': {reason}.", error.text),
    })
}

/// A series to be played from here, in algebraic notation.
fn in_san(game: &Game, series: &Series) -> String {
    let mut ahead = game.clone();
    let legs_before = ahead.turns().last().filter(|_| !ahead.current().is_fresh()).map_or(0, |(_, s)| s.len());
    for &mv in series.iter() {
        let _ = ahead.play(mv);
    }
    let (_, moves) = series_in_san(&ahead).pop().unwrap_or((game.current().turn(), Vec::new()));
    moves[legs_before.min(moves.len())..].join(" ")
}

fn score_text(score: Score) -> String {
    match score.text() {
        ScoreText::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        ScoreText::Mate(1) => "mate in this series".into(),
        ScoreText::Mate(series) if series > 0 => format!("mate in {series} series"),
        ScoreText::Mate(series) => format!("mated in {} series", -series),
    }
}

#[cfg(test)]
mod tests;
