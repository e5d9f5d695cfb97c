//! Who meets whom, and what each format needs.

use super::Overrides;
use super::error::{PlanError, Source};
use super::raw::Raw;
use crate::pairing::Format;
use crate::pairing::schedule::{Schedule, Slice};
use crate::stats::design::{Quantity, Wanted};
use std::ops::Range;
use toml::Spanned;

/// Further pairs for a level tie of a knockout, by default.
const EXTRA: u16 = 4;

/// The format of the plan.
pub(super) fn format(source: &Source<'_>, raw: &Raw) -> Result<Format, PlanError> {
    let count = raw.players.len();
    let span = raw.format.as_ref().map_or(0..0, Spanned::span);
    let word = raw.format.as_ref().map_or("round-robin", |format| format.get_ref().as_str());
    let seeds = raw.seeds.as_ref();
    let format = match word {
        "round-robin" => Format::RoundRobin,
        "pyramid" => Format::Pyramid,
        "match" => Format::Match,
        "gauntlet" => Format::Gauntlet { seeds: seeds.map_or(1, |seeds| usize::from(*seeds.get_ref())) },
        "knockout" => knockout(raw),
        "swiss" => swiss(source, raw)?,
        "adaptive" => adaptive(source, raw, span.clone())?,
        other => {
            let text = format!(
                "format: unknown '{other}'; one of round-robin, pyramid, gauntlet, match, knockout, swiss, adaptive"
            );
            return Err(source.error(span, text));
        }
    };
    stray_tables(source, raw, word)?;
    let at_seeds = seeds.map_or(span.clone(), Spanned::span);
    match format {
        _ if count < 2 => {
            let end = source.text.len();
            Err(source.error(end..end, format!("players: {count}; give at least two [[players]]")))
        }
        Format::Match if count != 2 => {
            Err(source
                .error(span, format!("format: a match has two players, not {count}; use round-robin or gauntlet")))
        }
        Format::Gauntlet { seeds: 0 } => Err(source.error(at_seeds, "seeds: 0; a gauntlet needs at least one seed")),
        Format::Gauntlet { seeds: n } if n >= count => {
            Err(source.error(at_seeds, format!("seeds: {n} of {count} players; at least one must be no seed")))
        }
        format => Ok(format),
    }
}

/// Refuses keys that belong to another format.
fn stray_tables(source: &Source<'_>, raw: &Raw, word: &str) -> Result<(), PlanError> {
    if let Some(seeds) = raw.seeds.as_ref().filter(|_| word != "gauntlet") {
        let text = match word {
            "knockout" => "seeds: only a gauntlet has seeds; in a knockout the order of the players is their seeding",
            _ => "seeds: only a gauntlet has seeds; remove it or write format = \"gauntlet\"",
        };
        return Err(source.error(seeds.span(), text));
    }
    let tables: [(&str, Option<Range<usize>>); 3] = [
        ("knockout", raw.knockout.as_ref().map(Spanned::span)),
        ("swiss", raw.swiss.as_ref().map(Spanned::span)),
        ("adaptive", raw.adaptive.as_ref().map(Spanned::span)),
    ];
    for (name, span) in tables {
        if let Some(span) = span.filter(|_| name != word) {
            let text = format!("{name}: the format is {word}; remove the table or write format = \"{name}\"");
            return Err(source.error(span, text));
        }
    }
    Ok(())
}

/// The schedule with the colors that the plan wants.
pub(super) fn colors(source: &Source<'_>, raw: &Raw, schedule: Schedule) -> Result<Schedule, PlanError> {
    let schedule = if raw.reverse.unwrap_or(false) { schedule.reversed() } else { schedule };
    let Some(swap) = raw.swap.as_ref().filter(|swap| !swap.get_ref()) else { return Ok(schedule) };
    if !schedule.is_fixed() {
        let text = "swap: knockout, swiss and adaptive compare players by pairs with swapped colors; remove the key";
        return Err(source.error(swap.span(), text));
    }
    if raw.sprt.is_some() {
        let text = "swap: without swapped colors [sprt] would test White's advantage, too; remove the key or the test";
        return Err(source.error(swap.span(), text));
    }
    Ok(schedule.unswapped())
}

/// The part of the schedule that this machine is to play.
pub(super) fn part(
    source: &Source<'_>,
    raw: &Raw,
    schedule: Schedule,
    overrides: &Overrides,
) -> Result<Schedule, PlanError> {
    let Some(slice) = overrides.slice.filter(|slice| *slice != Slice::WHOLE) else { return Ok(schedule) };
    let refused = |text: &str| source.error(0..0, format!("--slice {slice}: {text}"));
    if !schedule.is_fixed() {
        return Err(refused("in knockout, swiss and adaptive, who meets next depends on all results"));
    }
    if raw.sprt.is_some() {
        return Err(refused(
            "[sprt] would test each part for itself; remove it and test all parts by the command sprt",
        ));
    }
    if overrides.seed.or(raw.seed).is_none() {
        return Err(refused("the plan needs a seed, or the parts would not have the same openings"));
    }
    Ok(schedule.sliced(slice))
}

fn knockout(raw: &Raw) -> Format {
    let extra = raw.knockout.as_ref().and_then(|table| table.get_ref().extra).unwrap_or(EXTRA);
    Format::Knockout { extra: u64::from(extra) }
}

fn swiss(source: &Source<'_>, raw: &Raw) -> Result<Format, PlanError> {
    let count = raw.players.len();
    // Everybody meets everybody at most once; with an odd number each may also have one bye.
    let most = if count.is_multiple_of(2) { count.saturating_sub(1) } else { count };
    let rounds = raw.swiss.as_ref().and_then(|table| table.get_ref().rounds.as_ref());
    let Some(rounds) = rounds else {
        let default = count.next_power_of_two().ilog2() as usize + 1;
        return Ok(Format::Swiss { rounds: default.min(most) as u64 });
    };
    match usize::from(*rounds.get_ref()) {
        n if n == 0 || count >= 2 && n > most => {
            let text = format!("swiss.rounds: {n}; from 1 to {most} with {count} players, so that nobody meets twice");
            Err(source.error(rounds.span(), text))
        }
        n => Ok(Format::Swiss { rounds: n as u64 }),
    }
}

fn adaptive(source: &Source<'_>, raw: &Raw, span: Range<usize>) -> Result<Format, PlanError> {
    let Some(table) = &raw.adaptive else {
        let text = "format: adaptive needs a budget; add a table [adaptive] with max_games = N";
        return Err(source.error(span, text));
    };
    let table = table.get_ref();
    let max_games = *table.max_games.get_ref();
    if max_games < 2 {
        let text = format!("adaptive.max_games: {max_games}; at least 2, one pair of games");
        return Err(source.error(table.max_games.span(), text));
    }
    let within = table.until.as_ref().map(|until| *until.get_ref());
    if let Some(until) = table.until.as_ref().filter(|until| !(*until.get_ref() > 0.0 && until.get_ref().is_finite())) {
        let text = format!("adaptive.until: {}; half the width of an interval, in Elo, above 0", until.get_ref());
        return Err(source.error(until.span(), text));
    }
    let quantity = match table.of.as_ref().map(|word| (word, word.get_ref().as_str())) {
        None | Some((_, "ratings")) => Quantity::Ratings { known: 0 },
        Some((_, "gaps")) => Quantity::Gaps,
        Some((word, other)) => {
            let text = format!("adaptive.of: unknown '{other}'; ratings (of all players) or gaps (between neighbors)");
            return Err(source.error(word.span(), text));
        }
    };
    let quantity = match &table.known {
        None => quantity,
        Some(known) => Quantity::Ratings { known: known_players(source, raw, known, quantity)? },
    };
    Ok(Format::Adaptive { wanted: Wanted { quantity, within }, max_games })
}

/// How many players' ratings are known.
fn known_players(source: &Source<'_>, raw: &Raw, known: &Spanned<u16>, quantity: Quantity) -> Result<usize, PlanError> {
    let (count, players) = (usize::from(*known.get_ref()), raw.players.len());
    let text = if quantity == Quantity::Gaps {
        "adaptive.known: only the others' ratings can be wanted; use it with of = \"ratings\"".to_owned()
    } else if players >= 2 && !(1..players).contains(&count) {
        format!("adaptive.known: {count}; from 1 to {}, so that somebody of the {players} is left", players - 1)
    } else {
        return Ok(count);
    };
    Err(source.error(known.span(), text))
}
