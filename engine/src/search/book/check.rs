//! Proves what a book claims once more.

use super::{Book, Claim, Entry, Line};
use crate::rules::midturn::SeriesEnd;
use crate::rules::outcome::Outcome;
use crate::rules::position::Position;
use crate::search::beam::enumerate;
use crate::solver::{Limits, Solver, Verdict};
use crate::types::series::Series;
use rustc_hash::FxHashSet;

/// Distinct ends of a turn up to which its replies are looked at one by one. Turn 2 never has more than a few hundred.
pub const MOST_ENDS: usize = 20_000;

/// Why a line of a book is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// Not a complete legal series.
    #[error("the series is not legal and complete")]
    Illegal,
    /// The same end of the turn is there already.
    #[error("another line of this position ends alike")]
    Twice,
    /// The proof says something else than is so.
    #[error("'{0}' is not so")]
    Wrong(Claim),
    /// The solver's limit came first.
    #[error("'{0}' is not proved within the node limit")]
    Unproved(Claim),
    /// A series that loses or is not proved must not be played where something better is known.
    #[error("a weight for what loses")]
    Weight,
    /// Losing series are missing.
    #[error("{0} losing series are missing")]
    Missing(usize),
}

/// What is so of a series that ends like this, as far as `nodes` go.
pub fn claim_of(end: &SeriesEnd, solver: &mut Solver, nodes: u64) -> Claim {
    match end {
        SeriesEnd::Game(_) => Claim::Draws,
        SeriesEnd::Turn(next) => match next.outcome() {
            Some(Outcome::Win { .. }) => Claim::Wins,
            Some(Outcome::Draw(_)) => Claim::Draws,
            None => match solver.solve(&next.begin(), &Limits::nodes(nodes)).verdict {
                Verdict::Mate(series) => Claim::Loses(series),
                Verdict::NoMate => Claim::Safe,
                Verdict::Unknown(_) => Claim::Open,
            },
        },
    }
}

/// Every distinct end of a turn that loses to a mate in the next one, with both series, in the order of their text; and how many ends there are in
/// all. `None`, if there are more than [`MOST_ENDS`] or one of them is not decided within `nodes`.
pub fn losing_series(position: &Position, solver: &mut Solver, nodes: u64) -> Option<(Vec<(Series, Series)>, usize)> {
    let ends = enumerate(&position.begin(), MOST_ENDS)?;
    let mut losing = Vec::new();
    for end in ends.iter().filter(|end| !end.is_drawn) {
        match claim_of(&SeriesEnd::Turn(end.next_position()), solver, nodes) {
            Claim::Open => return None,
            Claim::Loses(mate) => {
                let series: Series = end.moves.iter().map(|mv| mv.seen_by(position.color())).collect();
                losing.push((series, mate));
            }
            Claim::Wins | Claim::Draws | Claim::Safe => {}
        }
    }
    losing.sort_by_cached_key(|(series, _)| series.to_string());
    Some((losing, ends.len()))
}

/// Checks a position of a book: every series legal, every proof proved again within `nodes`, and the losing series complete where the book
/// promises that. Calls `on_flaw` with the number of the line within the entry, from 0.
pub fn check(book: &Book, entry: &Entry, solver: &mut Solver, nodes: u64, on_flaw: &mut dyn FnMut(usize, &Flaw)) {
    let start = entry.position.begin();
    let mut ends = FxHashSet::default();
    for (i, line) in entry.lines.iter().enumerate() {
        match start.end_of(&line.series) {
            None => on_flaw(i, &Flaw::Illegal),
            Some(end) => {
                if let SeriesEnd::Turn(next) = end
                    && !ends.insert(*next.board())
                {
                    on_flaw(i, &Flaw::Twice);
                }
                if let Err(flaw) = prove(&end, line, solver, nodes) {
                    on_flaw(i, &flaw);
                }
            }
        }
    }
    if entry.position.turn().number() <= book.losing() {
        let named = entry.lines.iter().filter(|line| matches!(line.claim, Claim::Loses(_))).count();
        let all = losing_series(&entry.position, solver, nodes).map_or(usize::MAX, |(losing, _)| losing.len());
        if named < all {
            on_flaw(0, &Flaw::Missing(all - named));
        }
    }
}

fn prove(end: &SeriesEnd, line: &Line, solver: &mut Solver, nodes: u64) -> Result<(), Flaw> {
    if line.weight > 0 && matches!(line.claim, Claim::Loses(_)) {
        return Err(Flaw::Weight);
    }
    let wrong = || Err(Flaw::Wrong(line.claim.clone()));
    // The mate that the book names must be one, whatever other the solver finds.
    if let (Claim::Loses(mate), SeriesEnd::Turn(next)) = (&line.claim, end)
        && !matches!(next.begin().end_of(mate), Some(SeriesEnd::Turn(last))
            if matches!(last.outcome(), Some(Outcome::Win { winner, .. }) if winner == next.color()))
    {
        return wrong();
    }
    match (&line.claim, claim_of(end, solver, nodes)) {
        (Claim::Loses(_), Claim::Loses(_)) | (Claim::Open, Claim::Open | Claim::Safe | Claim::Loses(_)) => Ok(()),
        (claim, found) if *claim == found => Ok(()),
        (claim, Claim::Open) => Err(Flaw::Unproved(claim.clone())),
        _ => wrong(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# Crescendo book 1\n# rules: italian\n# losing: LOSING\nfen\tseries\tscore\tweight\tproof\n";
    const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";

    fn flaws(losing: &str, rows: &[&str]) -> Vec<String> {
        let rows: String =
            rows.iter().map(|row| format!("{E4}\t{}\n", row.replace(' ', "\t").replace('_', " "))).collect();
        let book = Book::parse(&(HEAD.replace("LOSING", losing) + &rows)).unwrap();
        let mut flaws = Vec::new();
        let mut solver = Solver::proving(1 << 22);
        check(&book, &book.entries()[0], &mut solver, 1 << 24, &mut |i, flaw| flaws.push(format!("{i}: {flaw}")));
        flaws
    }

    #[test]
    fn what_is_so_passes() {
        let fine = ["d7d5,b8c6 cp_0 1000 safe", "e7e5,g8f6 mate_-1 0 loses_f1c4,d1h5,h5f7", "e7e5,f7f6 cp_-9 0 open"];
        assert_eq!(flaws("0", &fine), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_so_is_found() {
        for (row, part) in [
            ("e7e5,g8f6 cp_0 1 safe", "'safe' is not so"),
            ("d7d5,b8c6 mate_-1 0 loses_f1c4,d1h5,h5f7", "is not so"),
            ("e7e5,g8f6 mate_-1 0 loses_f1c4,d1h5,a2a3", "is not so"),
            ("e7e5,g8f6 mate_-1 5 loses_f1c4,d1h5,h5f7", "a weight"),
            ("d7d5,b8c6 cp_0 1 wins", "'wins' is not so"),
            ("d7d5 cp_0 1 safe", "not legal and complete"),
        ] {
            let found = flaws("0", &[row]);
            assert!(found.len() == 1 && found[0].contains(part), "{row}: {found:?}");
        }
        let twice = flaws("0", &["d7d5,b8c6 cp_0 1 safe", "b8c6,d7d5 cp_0 1 safe"]);
        assert_eq!(twice, ["1: another line of this position ends alike"]);
        let one = flaws("2", &["e7e5,g8f6 mate_-1 0 loses_f1c4,d1h5,h5f7"]);
        assert_eq!(one, ["0: 137 losing series are missing"]);
    }
}
