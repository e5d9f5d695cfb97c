//! `crescendo bench`: a fixed workload whose node count is the engine's signature. Same code, same number, on every machine.

use crate::rules::fen;
use crate::rules::setup::Strictness;
use crate::rules::table::Rules;
use crate::search::levels::Level;
use crate::search::limits::{Limits, Pace};
use crate::search::think::{Searcher, Settings};
use std::time::Instant;

/// Limit of each search, in moves made.
const NODES: u64 = 100_000;
/// Size of the tables.
const HASH_MIB: usize = 16;
/// Seed of all searches.
const SEED: u64 = 1;

/// Positions of every rule set, from played games: rule set and FEN.
const POSITIONS: [(&str, &str); 27] = [
    ("italian", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("italian", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"),
    ("italian", "rnbqkbnr/1pppppp1/p6B/8/1P6/3P3N/P1P1PPPP/RN1QKB1R b KQkq b3 0 4"),
    ("italian", "rnbqkb1r/1ppppppp/p7/1P6/8/4P2N/P1PP1nPP/RNBQKB1R w KQkq - 0 5"),
    ("italian", "rnbqkbn1/1pp1ppp1/p7/3p4/1P4P1/3PPQ1N/P1P2K1P/RN3BR1 b q g3 0 6"),
    ("italian", "8/6k1/4P1n1/1r1P4/5r2/3r2P1/1r5K/8 w - - 0 7"),
    ("scottish", "r1bqkbnr/ppppppp1/2n4p/8/2B5/4PN1P/PPPP1PP1/RNBQK2R b KQkq - 0 4"),
    ("scottish", "rnb1kbnr/1p1pq2p/p1p1p3/5pp1/3P2P1/3Q4/PPPBPP1P/RN2KBNR w KQkq f6,g6 0 5"),
    ("scottish", "r1bqkb2/pppppBpr/7p/7n/3P4/5N1P/PPPPKPP1/RNB3QR b q - 0 6"),
    ("english", "rnbqkb1r/1ppppppp/5n2/p7/2P2P2/N6N/PP1PP1PP/R1BQKB1R b KQkq - 0 4"),
    ("english", "1nbqk2r/1ppp1ppp/r3p3/p7/2P2Pn1/b6N/PP1PP1PP/R1BQKB1R w KQk - 0 5"),
    ("english", "r1b1kbnr/ppqppp1p/n7/8/1P1Q3P/P3P3/2P2PB1/RNB1K1NR b KQkq - 0 6"),
    ("logical", "r1bqkb1r/pppppppp/n4n2/8/8/3P4/PPPNPPPP/R1BQKBNR b - - 0 4"),
    ("logical", "r1bqkb1r/p1pppppp/1p6/7n/8/3P4/PPnNPPPP/R1BQKBNR w - - 0 5"),
    ("logical", "rn1qkb1r/p1pp1ppp/4p2n/2N5/8/5PPP/PPPPPK2/R1BQ2Nb b - - 0 6"),
    ("logical-scottish", "rnbqkb1r/pppp1ppp/4p2n/8/8/1PP1P1P1/P2P1P1P/RNBQKBNR b - - 0 4"),
    ("logical-scottish", "rnbqkb2/1pp3pr/p2ppp1n/8/8/8/PPPPPPPP/RNBQKBR1 w - - 0 5"),
    ("takeall", "rnbqkb1r/pppp1ppp/4p2n/8/P3P3/5P2/1PPPQ1PP/RNB1KBNR b KQkq a3,e3 0 4"),
    ("takeall", "rnbqk2r/1ppp1p1p/4p2n/1p4p1/1b4P1/2N5/P1PPPP1P/R1BQKBNR w KQkq - 0 5"),
    ("takeall", "1n4r1/rb6/pqpp4/4p3/8/3P4/8/R7 w - - 0 11"),
    ("circe", "rnbqkbnr/ppp2ppp/8/3pp3/P7/3P1P1N/1PP1P1PP/RNBQKB1R b KQkq a3 0 4"),
    ("circe", "r1bqkbnr/p1p1p3/np1p3p/5pp1/8/P6P/1PPPPPP1/RNBQKBNR w KQkq g6 0 5"),
    ("circe-scottish", "rnbqk1nr/pppp1ppp/8/2b1p3/PP6/R2P4/2P1PPPP/1NBQKBNR b Kkq b3 0 4"),
    ("circe-scottish", "r1bqkb1r/pppppp1p/n5p1/8/8/1Qn3P1/PPPPPP1P/RNBK1BNR w kq - 0 5"),
    ("marseillais", "r1bqkbnr/ppppppp1/n6p/8/1P5P/5P2/P1PPP1P1/RNBQKBNR b KQkq b3,h3 0 4"),
    ("marseillais", "rnbqkbnr/pppp1ppp/8/4p3/5P2/3P4/PPPKP1PP/RNBQ1BNR w - - 0 5"),
    ("marseillais", "4k3/8/8/6P1/p4K2/7N/1B6/5N2 w - - 1 39"),
];

/// Searches all positions and says a line for each; the last line is the signature. Returns the nodes, or nothing if it was
/// stopped or there is no memory for the tables.
pub(crate) fn bench(pace: &dyn Pace, say: &mut dyn FnMut(String)) -> Option<u64> {
    let start = Instant::now();
    let settings = Settings { level: *Level::full(), seed: SEED };
    let Ok(mut searcher) = Searcher::new(HASH_MIB) else {
        say(format!("info string error option-value: no memory for {HASH_MIB} MiB of tables"));
        return None;
    };
    let mut total = 0;
    for (i, (name, text)) in POSITIONS.iter().enumerate() {
        let Some((entry, _)) = Rules::by_name(name).and_then(|r| fen::read(text, r, Strictness::Strict).ok()) else {
            continue;
        };
        searcher.clear();
        let limits = Limits { pace, ..Limits::nodes(NODES) };
        let choice = searcher.think(&entry.midturn(), &settings, &limits, &mut |_| {});
        if pace.is_stopped() {
            return None;
        }
        total += choice.nodes;
        let series = choice.series.map_or_else(|| "(none)".into(), |series| series.to_string());
        say(format!("{}/{} {name}: {} nodes, {series}", i + 1, POSITIONS.len(), choice.nodes));
    }
    let ms = start.elapsed().as_millis().max(1);
    say(format!("Time: {ms} ms, {} nodes per second", u128::from(total) * 1000 / ms));
    say(format!("Bench: {total}"));
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::table::ALL;

    #[test]
    fn every_rule_set_has_positions_that_are_not_over() {
        for rules in ALL {
            assert!(POSITIONS.iter().any(|(name, _)| *name == rules.name), "{}", rules.name);
        }
        for (name, text) in POSITIONS {
            let rules = Rules::by_name(name).unwrap();
            let (entry, _) =
                fen::read(text, rules, Strictness::Strict).unwrap_or_else(|e| panic!("{name} {text}: {e}"));
            assert_eq!(entry.midturn().outcome(), None, "{name} {text}");
        }
    }
}
