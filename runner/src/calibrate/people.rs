//! Games of bots against rated people: where the internal scale of the bots lies on that of the people.

use crate::collect::tag;
use crate::stats::elo::Interval;
use crate::stats::link::{Bridge, Link, link};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A bot whose offset from the line is more standard errors than this is out of line.
const OUT_OF_LINE: f64 = 3.0;

/// One game of a bot against a person.
#[derive(Clone, Debug, PartialEq)]
struct Game {
    bot: String,
    person: String,
    rating: f64,
    deviation: f64,
    /// The bot's points.
    points: f64,
}

/// Games of bots against rated people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct People {
    games: Vec<Game>,
    /// Games left out: without a result, a bot or a rating.
    pub left_out: u64,
}

/// The bots' internal Elo by their names in lower case.
pub type Bots = BTreeMap<String, f64>;

impl People {
    /// Reads games: CSV if the first line is a header with `bot` in it, otherwise PGN, of which only the tags matter.
    ///
    /// # Errors
    /// What is wrong, and in which line.
    pub fn read(text: &str, bots: &Bots, deviation: f64) -> Result<Self, String> {
        let header: Vec<&str> = text.lines().next().unwrap_or_default().split(',').map(str::trim).collect();
        let people =
            if header.contains(&"bot") { csv(text, &header, bots, deviation)? } else { pgn(text, bots, deviation) };
        if people.games.is_empty() {
            return Err("no game of a bot against a rated person in it".into());
        }
        Ok(people)
    }

    /// The line from internal Elo to the people's ratings, and what each bot says of it.
    #[must_use]
    pub fn fit(&self, bots: &Bots) -> Option<Fitted> {
        let mut persons = BTreeMap::new();
        let mut bridge = |game: &Game| {
            let next = persons.len() as u64;
            let cluster = *persons.entry(game.person.clone()).or_insert(next);
            let Game { rating, deviation, points, .. } = *game;
            Some(Bridge { ours: *bots.get(&game.bot)?, theirs: rating, deviation, points, cluster })
        };
        let bridges: Vec<(String, Bridge)> =
            self.games.iter().filter_map(|game| Some((game.bot.clone(), bridge(game)?))).collect();
        let all: Vec<Bridge> = bridges.iter().map(|(_, bridge)| *bridge).collect();
        let line = link(&all)?;
        let names: std::collections::BTreeSet<&String> = bridges.iter().map(|(name, _)| name).collect();
        let of = |name: &String| {
            let own: Vec<Bridge> =
                bridges.iter().filter(|(other, _)| other == name).map(|(_, bridge)| *bridge).collect();
            let alone = link(&own)?;
            let (elo, interval) = line.rating(alone.center);
            let z = (alone.at_center - elo) / alone.at_center_error.max(f64::MIN_POSITIVE);
            Some(Bot { name: name.clone(), ours: alone.center, elo, interval, games: own.len(), z })
        };
        Some(Fitted {
            line,
            persons: persons.len(),
            games: all.len(),
            bots: names.into_iter().filter_map(of).collect(),
        })
    }
}

fn csv(text: &str, header: &[&str], bots: &Bots, deviation: f64) -> Result<People, String> {
    let column = |name: &str| header.iter().position(|known| *known == name);
    let need = |name: &str| column(name).ok_or_else(|| format!("line 1: no column '{name}' in the header"));
    let (bot, rating, score) = (need("bot")?, need("rating")?, need("score")?);
    let (person, own_deviation) = (column("person"), column("deviation"));
    let mut people = People::default();
    for (number, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let number = number + 1;
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        if cells.len() != header.len() {
            return Err(format!("line {number}: {} values for {} columns", cells.len(), header.len()));
        }
        let value = |at: usize, what: &str, range: std::ops::RangeInclusive<f64>| {
            let known = cells[at].parse::<f64>().ok().filter(|value| range.contains(value));
            known.ok_or_else(|| {
                format!("line {number}: {what} '{}'; from {} to {}", cells[at], range.start(), range.end())
            })
        };
        let name = cells[bot].to_lowercase();
        if !bots.contains_key(&name) {
            return Err(format!("line {number}: bot '{}' has no known Elo; give it with --bot NAME=ELO", cells[bot]));
        }
        people.games.push(Game {
            bot: name,
            // Without names every game is its own person's.
            person: person.map_or_else(|| format!("line {number}"), |at| cells[at].to_owned()),
            rating: value(rating, "rating", -1000.0..=5000.0)?,
            deviation: own_deviation.map_or(Ok(deviation), |at| value(at, "deviation", 0.0..=1000.0))?,
            points: value(score, "score", 0.0..=1.0)?,
        });
    }
    Ok(people)
}

fn pgn(text: &str, bots: &Bots, deviation: f64) -> People {
    let mut people = People::default();
    let mut tags: BTreeMap<&str, &str> = BTreeMap::new();
    let mut close = |tags: &mut BTreeMap<&str, &str>| {
        if !tags.is_empty() {
            match game(tags, bots, deviation) {
                Some(game) => people.games.push(game),
                None => people.left_out += 1,
            }
            tags.clear();
        }
    };
    let mut is_open = false;
    for line in text.lines() {
        match tag(line.trim()) {
            Some((name, value)) => {
                if !is_open {
                    close(&mut tags);
                }
                is_open = true;
                tags.insert(name, value);
            }
            None => is_open = false,
        }
    }
    close(&mut tags);
    people
}

/// A game by its tags; none if it is not one of a bot against a rated person, with a result.
fn game(tags: &BTreeMap<&str, &str>, bots: &Bots, deviation: f64) -> Option<Game> {
    let [white, black] = ["White", "Black"].map(|name| tags.get(name).copied().unwrap_or_default());
    let is_bot = |name: &str| bots.contains_key(&name.to_lowercase());
    let (bot, person, sides) = match (is_bot(white), is_bot(black)) {
        (true, false) => (white, black, ["BlackElo", "BlackRD"]),
        (false, true) => (black, white, ["WhiteElo", "WhiteRD"]),
        _ => return None,
    };
    let points = match *tags.get("Result")? {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" => 0.5,
        _ => return None,
    };
    let number =
        |name: &str| tags.get(name).and_then(|value| value.parse::<f64>().ok()).filter(|value| value.is_finite());
    Some(Game {
        bot: bot.to_lowercase(),
        person: person.to_owned(),
        rating: number(sides[0])?,
        deviation: number(sides[1]).filter(|own| *own >= 0.0).unwrap_or(deviation),
        points: if bot == white { points } else { 1.0 - points },
    })
}

/// What one bot's games say.
#[derive(Clone, Debug)]
pub struct Bot {
    /// The name, in lower case.
    pub name: String,
    /// The internal Elo.
    pub ours: f64,
    /// The rating among people by the line.
    pub elo: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// Games against people.
    pub games: usize,
    /// How many of its own standard errors the bot's games alone are off the line.
    pub z: f64,
}

/// Bots among people.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// From internal Elo to the people's.
    pub line: Link,
    /// How many people.
    pub persons: usize,
    /// How many games.
    pub games: usize,
    /// The bots that have games.
    pub bots: Vec<Bot>,
}

impl Fitted {
    /// The findings in lines of at most 80 columns.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text =
            format!("{:<24} {:>8} {:>8} {:>6} {:>7} {:>6}\n", "bot", "internal", "people", "±95%", "games", "z");
        let mut bots: Vec<&Bot> = self.bots.iter().collect();
        bots.sort_by(|a, b| a.ours.total_cmp(&b.ours));
        for Bot { name, ours, elo, interval, games, z } in bots {
            let margin = interval.margin();
            let _ = writeln!(text, "{name:<24} {ours:>8.0} {elo:>8.0} {margin:>6.0} {games:>7} {z:>6.1}");
        }
        let Link { center, scale, scale_error, brier, .. } = self.line;
        let (offset, at_zero) = self.line.rating(0.0);
        let _ = writeln!(text, "{} games of {} people.", self.games, self.persons);
        let _ = writeln!(
            text,
            "rating among people = {offset:.0} (± {:.0}) + {scale:.3} (± {:.3}) x internal Elo",
            at_zero.margin(),
            1.96 * scale_error
        );
        let (elo, at_center) = self.line.rating(center);
        let _ =
            writeln!(text, "at internal {center:.0}: {elo:.0} ± {:.0}. Brier score {brier:.4}.", at_center.margin());
        for bot in self.bots.iter().filter(|bot| bot.z.abs() > OUT_OF_LINE) {
            let _ = writeln!(text, "! {} is out of line: people and engines rate it differently.", bot.name);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots() -> Bots {
        BTreeMap::from([("novice".to_owned(), 500.0), ("expert".to_owned(), 1400.0)])
    }

    #[test]
    fn csv_and_pgn_say_the_same() {
        let csv = "bot,person,rating,deviation,score\nNovice,ann,1200,45,0\nExpert,bob,1500,80,0.5\n";
        let pgn = "[White \"Novice\"]\n[Black \"ann\"]\n[BlackElo \"1200\"]\n[BlackRD \"45\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n\n\
            [White \"bob\"]\n[Black \"EXPERT\"]\n[WhiteElo \"1500\"]\n[Result \"1/2-1/2\"]\n\n\
            [White \"Novice\"]\n[Black \"Expert\"]\n[Result \"0-1\"]\n\n[White \"cat\"]\n[Black \"Novice\"]\n[WhiteElo \"?\"]\n[Result \"1-0\"]\n";
        let by_csv = People::read(csv, &bots(), 10.0).unwrap();
        let by_pgn = People::read(pgn, &bots(), 80.0).unwrap();
        assert_eq!(by_csv.games, by_pgn.games);
        assert_eq!((by_csv.left_out, by_pgn.left_out), (0, 2));
        let fitted = by_csv.fit(&bots()).unwrap();
        assert_eq!((fitted.games, fitted.persons, fitted.bots.len()), (2, 2, 2));
        assert!(fitted.text().lines().all(|line| line.chars().count() <= 80), "{}", fitted.text());
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, part) in [
            ("bot,rating\nNovice,1200\n", "line 1: no column 'score'"),
            ("bot,rating,score\nNovice,1200\n", "line 2: 2 values for 3 columns"),
            ("bot,rating,score\nNovice,1200,2\n", "line 2: score '2'; from 0 to 1"),
            ("bot,rating,score\n\nMartian,1200,1\n", "line 3: bot 'Martian'"),
            ("[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n", "no game of a bot"),
        ] {
            let error = People::read(text, &bots(), 80.0).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
