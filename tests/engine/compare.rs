//! The fast generator against the slow reference, which was written from the text of the rules alone and shares no code with it.
//!
//! Default tier: 200 random positions and perft 3 per rule set; long tier (`--features long`): 20,000 positions and perft 4.

#![allow(clippy::print_stdout, reason = "tests say what they compared")]

#[path = "../reference/mod.rs"]
mod reference;

use crescendo::board::generate::Checks;
use crescendo::board::men::Board;
use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::Midturn;
use crescendo::rules::outcome::{Outcome, WinBy};
use crescendo::rules::perft::perft;
use crescendo::rules::setup::{Entry, Strictness};
use crescendo::rules::table::{ALL, Rules};
use crescendo::types::moves::Move;
use crescendo::types::{BitBoard, Color};
use reference::State;
use reference::walk::{SplitMix64, Walk};
use std::collections::HashSet;

const POSITIONS: usize = if cfg!(feature = "long") { 20_000 } else { 200 };
const DEPTH: u32 = if cfg!(feature = "long") { 4 } else { 3 };

fn entry(rules: &'static Rules, text: &str) -> Entry {
    fen::read(text, rules, Strictness::Lenient).unwrap_or_else(|e| panic!("{} {text}: {e}", rules.name)).0
}

fn legal(midturn: &Midturn) -> Vec<String> {
    let mut legs: Vec<String> = midturn.legal().iter().map(Move::to_string).collect();
    legs.sort();
    legs
}

/// The status in the reference's words, and who has won.
fn status(outcome: Option<Outcome>) -> (&'static str, Option<char>) {
    let letter = |color| if color == Color::White { 'w' } else { 'b' };
    match outcome {
        None => ("ongoing", None),
        Some(Outcome::Win { winner, by: WinBy::ItalianMate }) => ("mate", Some(letter(winner))),
        Some(outcome) => (outcome.reason(), outcome.winner().map(letter)),
    }
}

/// One position on both sides: text, key, status, legal moves.
fn same(rules: &'static Rules, midturn: &Midturn, state: &State) {
    let text = state.fen();
    assert_eq!(midturn.fen(), text, "{}", rules.name);
    made_boards_agree(midturn);
    questions_agree(midturn);
    // Repetition depends on the history, which a position does not have; the games below compare it.
    if state.status() == "repetition" {
        return;
    }
    let outcome = midturn.outcome();
    assert_eq!(status(outcome), (state.status(), state.winner()), "{} {text}", rules.name);
    let italian = matches!(outcome, Some(Outcome::Win { by: WinBy::ItalianMate, .. }));
    assert_eq!(italian, state.italian_mate(), "{} {text}", rules.name);
    if outcome.is_none() {
        assert_eq!(legal(midturn), state.legal(), "{} {text}", rules.name);
    }
}

/// Moves made while they are generated lead where listed moves lead.
fn made_boards_agree(midturn: &Midturn) {
    let (board, terms) = (midturn.board(), midturn.terms());
    for checks in [Checks::Any, Checks::Without, Checks::Only] {
        let mut made = Vec::new();
        board.for_each_after(terms, checks, BitBoard::FULL, |mv, after| made.push((mv, *after)));
        let moves = board.moves(terms, checks, BitBoard::FULL);
        let listed: Vec<(Move, Board)> = moves.into_iter().map(|mv| (mv, board.after(mv, terms))).collect();
        assert_eq!(made, listed, "{} {}", midturn.rules().name, midturn.fen());
    }
}

/// What is asked of one move, or of whether there is any, is what the list of moves says.
fn questions_agree(midturn: &Midturn) {
    let (board, terms) = (midturn.board(), midturn.terms());
    let place = || format!("{} {}", midturn.rules().name, midturn.fen());
    for checks in [Checks::Any, Checks::Without, Checks::Only] {
        // Where kings are not royal, nobody asks for checks.
        if checks == Checks::Only && !terms.royal {
            continue;
        }
        let listed: HashSet<Move> = board.moves(terms, checks, BitBoard::FULL).into_iter().collect();
        // All moves that are there, and some of all that can be written, legal or not.
        let first = (midturn.key() % 31) as usize;
        let others = (first..1 << 15).step_by(31).map(|bits| Move::from_bits(bits as u16));
        for mv in others.chain(listed.iter().copied()) {
            assert_eq!(board.has_move(terms, checks, mv), listed.contains(&mv), "{} {mv} {checks:?}", place());
        }
    }
    assert_eq!(midturn.has_legal(), midturn.count_legal() > 0, "{}", place());
    if !midturn.is_in_check() && board.has_plain_step(terms, BitBoard::FULL) {
        assert!(board.count_moves(terms, Checks::Without, BitBoard::FULL) > 0, "{}", place());
    }
}

/// A position that can be written between turns and read again: not one whose turn or quiet count is past its end.
fn is_readable(state: &State) -> bool {
    let quiet_is_over = state.at_turn_start() && (state.quiet() == 11 || state.status() == "ten-turns");
    state.turn() <= 255 && !quiet_is_over
}

#[test]
fn random_positions_agree() {
    for (seed, rules) in (1u64..).zip(ALL) {
        let mut rng = SplitMix64::new(seed);
        let mut compared = 0;
        for state in Walk::new(rules.name, seed).filter(is_readable).take(POSITIONS) {
            let midturn = entry(rules, &state.fen()).midturn();
            same(rules, &midturn, &state);
            // And after one of its moves.
            if state.status() != "ongoing" {
                continue;
            }
            let legs = state.legal();
            let leg = &legs[rng.below(legs.len())];
            let mut theirs = state.clone();
            theirs.play(leg).unwrap();
            let mut ours = Game::from_entry(entry(rules, &state.fen()));
            ours.play(leg.parse().unwrap()).unwrap();
            same(rules, ours.current(), &theirs);
            compared += 1;
        }
        println!("{}: {POSITIONS} positions, {compared} moves agree", rules.name);
    }
}

#[test]
fn random_games_agree_to_the_end() {
    for (seed, rules) in (100u64..).zip(ALL) {
        for game in 0..POSITIONS as u64 / 20 {
            let mut rng = SplitMix64::new(seed * 1000 + game);
            let (mut ours, mut theirs) = (Game::new(rules), State::start(rules.name).unwrap());
            for _ in 0..120 {
                assert_eq!(status(ours.outcome()), (theirs.status(), theirs.winner()), "{}", theirs.fen());
                if ours.outcome().is_some() {
                    break;
                }
                let legs = theirs.legal();
                let leg = &legs[rng.below(legs.len())];
                theirs.play(leg).unwrap();
                ours.play(leg.parse().unwrap()).unwrap();
                same(rules, ours.current(), &theirs);
            }
        }
    }
}

#[test]
fn perft_agrees() {
    let tenth = |i: usize| i % 37 == 36;
    for (seed, rules) in (200u64..).zip(ALL) {
        let walk = Walk::new(rules.name, seed)
            .enumerate()
            .filter(|(i, state)| tenth(*i) && state.status() == "ongoing" && is_readable(state));
        let middle = walk.map(|(_, state)| state).take(10);
        for state in std::iter::once(State::start(rules.name).unwrap()).chain(middle) {
            let midturn = entry(rules, &state.fen()).midturn();
            assert_eq!(perft(&midturn, DEPTH, &mut || false), state.perft(DEPTH), "{} {}", rules.name, state.fen());
        }
    }
}

#[test]
fn mirrored_positions_give_mirrored_moves() {
    for (seed, rules) in (300u64..).zip(ALL) {
        for state in Walk::new(rules.name, seed).filter(is_readable).take(POSITIONS.min(500)) {
            let Some(mirrored) = mirror(&state.fen()) else { continue };
            let (here, there) = (entry(rules, &state.fen()).midturn(), entry(rules, &mirrored).midturn());
            if here.left() != there.left() {
                continue;
            }
            let turned: Vec<String> = {
                let mut legs: Vec<String> =
                    there.legal().iter().map(|mv| mv.seen_by(Color::Black).to_string()).collect();
                legs.sort();
                legs
            };
            assert_eq!(legal(&here), turned, "{} {} {mirrored}", rules.name, state.fen());
        }
    }
}

/// The same position with colors changed, one turn later so that the parity fits, and the same number of moves left.
fn mirror(text: &str) -> Option<String> {
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let turned = |squares: &str| -> String {
        let rank = |c: char| c.to_digit(10).map_or(c, |d| char::from_digit(9 - d, 10).unwrap_or(c));
        squares.chars().map(|c| if c.is_ascii_digit() { rank(c) } else { c }).collect()
    };
    fields[0] =
        fields[0].split('/').rev().map(|row| row.chars().map(swap).collect()).collect::<Vec<String>>().join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.into();
    fields[2] = fields[2].chars().map(swap).collect();
    fields[3] = turned(&fields[3]);
    let turn: u16 = fields[5].parse().ok()?;
    if turn >= 255 || fields.len() == 6 {
        // Between turns the quota would differ; only mid-series positions can say how many moves are left.
        return None;
    }
    fields[5] = (turn + 1).to_string();
    if let Some(marks) = fields.get_mut(7) {
        *marks = format!("m={}", turned(&marks[2..]));
    }
    Some(fields.join(" "))
}
