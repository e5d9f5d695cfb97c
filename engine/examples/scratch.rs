use crescendo::rules::{fen, game::Game, setup::Strictness, table::ITALIAN};
use crescendo::search::{
    levels::Level,
    limits::{Limits, Pace},
    think::{Searcher, Settings},
};
use crescendo::solver::{self, Solver, Verdict};
fn cpu() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse::<f64>().unwrap()
        / 1e9
}
struct Timed(f64, f64);
impl Pace for Timed {
    fn used(&self) -> f64 {
        (cpu() - self.0) / self.1
    }
    fn is_stopped(&self) -> bool {
        false
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let secs: f64 = a[2].parse().unwrap();
    let (mut safe, mut tot) = (0, 0);
    for l in std::fs::read_to_string(&a[1]).unwrap().lines().filter(|l| !l.starts_with('#')) {
        let Ok((e, _)) = fen::read(l.split('\t').next().unwrap(), &ITALIAN, Strictness::Lenient) else {
            println!("bad {l}");
            continue;
        };
        let pace = Timed(cpu(), secs);
        let mut s = Searcher::new(64).unwrap();
        let limits = Limits { nodes: None, pace: &pace, ..Limits::nodes(1) };
        let c = s.think(&e.midturn(), &Settings { level: Level::full(), seed: 1 }, &limits, &mut |_| {});
        let t = cpu() - pace.0;
        let mut g = Game::from_entry(e);
        for &m in c.series.as_ref().unwrap().iter() {
            g.play(m).unwrap();
        }
        let v = match g.outcome() {
            Some(o) => format!("{o}"),
            None => match Solver::new(1 << 28)
                .solve(g.current(), &solver::Limits { nodes: 300_000_000, stop: None })
                .verdict
            {
                Verdict::Mate(_) => "MATED".into(),
                Verdict::NoMate => "safe".into(),
                Verdict::Unknown(_) => "unk".to_string(),
            },
        };
        tot += 1;
        if v != "MATED" && v != "unk" {
            safe += 1;
        }
        println!("{v:12} {} {:.2}s nodes {} {}", c.score, t, c.nodes, l);
    }
    println!("SAFE {safe}/{tot}");
}
