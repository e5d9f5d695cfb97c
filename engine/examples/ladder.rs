use crescendo::rules::{game::Game, outcome::Outcome, table::Rules};
use crescendo::search::{
    levels::LEVELS,
    limits::Limits,
    think::{Searcher, Settings},
};
use crescendo::types::Color;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules = Rules::by_name(&a[1]).unwrap();
    let nodes: u64 = a[2].parse().unwrap();
    let games: u64 = a[3].parse().unwrap();
    let gap: usize = a.get(4).map_or(1, |x| x.parse().unwrap());
    for i in 0..LEVELS.len() - gap {
        let (lo, hi) = (&LEVELS[i], &LEVELS[i + gap]);
        let (mut w, mut d, mut l, mut turns) = (0, 0, 0, 0);
        let t = std::time::Instant::now();
        for g in 0..games {
            let mut game = Game::new(rules);
            // random opening: two turns
            let mut x = (g / 2).wrapping_mul(0x9e3779b97f4a7c15) ^ 12345;
            while game.current().turn().number() < 3 && game.outcome().is_none() {
                let m = game.legal();
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                game.play(m[(x % m.len() as u64) as usize]).unwrap();
            }
            let hi_color = if g % 2 == 0 { Color::White } else { Color::Black };
            let mut s = Searcher::new(16).unwrap();
            while game.outcome().is_none() && game.current().turn().number() < 30 {
                let level = if game.color() == hi_color { hi } else { lo };
                let c =
                    s.think(game.current(), &Settings { level, seed: g * 7 + 1 }, &Limits::nodes(nodes), &mut |_| {});
                for &m in c.series.unwrap().iter() {
                    game.play(m).unwrap();
                }
            }
            turns += game.current().turn().number() as u32;
            match game.outcome() {
                Some(Outcome::Win { winner, .. }) => {
                    if winner == hi_color {
                        w += 1
                    } else {
                        l += 1
                    }
                }
                _ => d += 1,
            }
        }
        println!(
            "{:12} v {:12} +{w} ={d} -{l}  turns {:.1} {:.2}s",
            hi.name,
            lo.name,
            turns as f64 / games as f64,
            t.elapsed().as_secs_f64()
        );
    }
}
