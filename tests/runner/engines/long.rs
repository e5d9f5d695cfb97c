//! What takes minutes and wants a machine that does nothing else.

use super::support::{QUICK, forfeit, stub, tournament};
use crescendo_runner::stats::quantile::Sample;

// 35: more games at a time than processors, short clocks, and nobody loses on time.
#[test]
fn many_short_games_at_once_forfeit_nothing() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let head = QUICK
        .replace("concurrency = 1", &format!("rounds = 100\nconcurrency = {}", 2 * cores))
        .replace("nodes = 100", "tc = \"0.5+0.01\"");
    let modes = ["late=5", "score=0", "time=5"];
    let done = tournament(&format!("{head}{}{}", stub("a", &modes), stub("b", &modes)));
    let games = done.games();
    assert_eq!((done.code, games.len()), (Some(0), 200), "{}", done.err);
    let lost: Vec<_> = games.iter().filter_map(forfeit).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let overheads: Sample =
        games.iter().flat_map(|game| &game.turns).map(|turn| turn.overhead().unwrap() as u32).collect();
    let at = |p: f64| overheads.quantile(p).unwrap();
    println!("overhead in ms: median {}, 99 % {}, longest {}", at(0.5), at(0.99), at(1.0));
}
