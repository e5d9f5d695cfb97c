//! What of a plan is neither players nor openings: when games and runs end before their time, and on which processors.

use super::error::{PlanError, Source};
use super::raw::{Raw, RawPlayer, RawSprt};
use crate::adjudicate::{Adjudication, DrawByScore, Resign};
use crate::pairing::Format;
use crate::player::affinity;
use crate::player::dialect::Dialect;
use crate::player::transcript::Kept;
use crate::scheduler::OnCrash;
use crate::stats::sprt::{EloScale, Sprt};
use std::path::Path;
use toml::Spanned;

/// Ends of games that are no result over the board.
pub(super) fn adjudication(raw: &Raw) -> Adjudication {
    let count = |count: Option<std::num::NonZeroU32>| count.map_or(3, |count| count.get() as usize);
    let score = |score: u32| i32::try_from(score).unwrap_or(i32::MAX);
    Adjudication {
        max_turns: raw.max_turns,
        resign: raw.resign.as_ref().map(Spanned::get_ref).map(|resign| Resign {
            score: score(resign.score.get()),
            count: count(resign.count),
            two_sided: resign.two_sided.unwrap_or(true),
        }),
        draw: raw.draw.as_ref().map(Spanned::get_ref).map(|draw| DrawByScore {
            score: score(u32::from(draw.score)),
            count: count(draw.count),
            after: draw.after.unwrap_or(10),
        }),
    }
}

pub(super) fn on_crash(source: &Source<'_>, raw: &Raw) -> Result<OnCrash, PlanError> {
    match raw.on_crash.as_ref().map_or("lose", |word| word.get_ref().as_str()) {
        "lose" => Ok(OnCrash::Lose),
        "replay" => Ok(OnCrash::Replay),
        "stop" => Ok(OnCrash::Stop),
        other => {
            let span = raw.on_crash.as_ref().map_or(0..0, Spanned::span);
            Err(source.error(span, format!("on_crash: unknown '{other}'; one of lose, replay, stop")))
        }
    }
}

/// Which games have transcripts.
pub(super) fn transcripts(source: &Source<'_>, raw: &Raw) -> Result<Kept, PlanError> {
    match raw.transcripts.as_ref().map(|word| (word, word.get_ref().as_str())) {
        None | Some((_, "abnormal")) => Ok(Kept::Last),
        Some((_, "all")) => Ok(Kept::Game),
        Some((word, other)) => {
            Err(source.error(word.span(), format!("transcripts: unknown '{other}'; abnormal or all")))
        }
    }
}

pub(super) fn dialect(source: &Source<'_>, player: &RawPlayer) -> Result<Dialect, PlanError> {
    let Some(word) = &player.dialect else { return Ok(Dialect::Series) };
    word.get_ref().parse().map_err(|error| source.error(word.span(), format!("players.dialect: {error}")))
}

/// The share of random turns.
pub(super) fn random(source: &Source<'_>, player: &RawPlayer) -> Result<f64, PlanError> {
    let Some(share) = &player.random else { return Ok(0.0) };
    let fault = || source.error(share.span(), format!("players.random: {}; a share from 0 to 1", share.get_ref()));
    Some(*share.get_ref()).filter(|share| (0.0..=1.0).contains(share)).ok_or_else(fault)
}

/// A processor for each worker, if the plan wants that.
pub(super) fn cpus(source: &Source<'_>, raw: &Raw, workers: usize) -> Result<Vec<usize>, PlanError> {
    let Some(wanted) = raw.affinity.as_ref().filter(|wanted| *wanted.get_ref()) else { return Ok(Vec::new()) };
    let cpus = affinity::allowed();
    if cpus.len() < workers {
        let text =
            format!("affinity: {workers} games at a time, but {} processors to use; lower concurrency", cpus.len());
        return Err(source.error(wanted.span(), text));
    }
    Ok(cpus)
}

/// The sequential test of a plan and the name of the player that it is about, without a look at the rest of the plan: reports of
/// old runs need no engines.
///
/// # Errors
/// The text is no plan, or its test none.
pub fn test(file: &Path, text: &str) -> Result<Option<(Sprt, String)>, PlanError> {
    let source = Source { file, text };
    let raw: Raw = toml::from_str(text).map_err(|error| source.toml_error(&error))?;
    let first = raw.players.first().map(|player| player.get_ref().name.get_ref().clone());
    Ok(sprt(&source, &raw, Format::Match)?.zip(first))
}

/// The test of `[sprt]`, which is about two players.
pub(super) fn sprt(source: &Source<'_>, raw: &Raw, format: Format) -> Result<Option<Sprt>, PlanError> {
    let Some(table) = &raw.sprt else { return Ok(None) };
    if format != Format::Match {
        return Err(source.error(table.span(), "sprt: tests the first of two players; write format = \"match\""));
    }
    let RawSprt { elo0, elo1, alpha, beta, scale } = table.get_ref();
    let scale = match scale.as_ref().map(|scale| (scale, scale.get_ref().parse())) {
        None => EloScale::Normalized,
        Some((_, Ok(known))) => known,
        Some((scale, Err(error))) => return Err(source.error(scale.span(), format!("sprt.scale: {error}"))),
    };
    let made = Sprt::new(*elo0, *elo1, scale, alpha.unwrap_or(0.05), beta.unwrap_or(0.05));
    made.map(Some).map_err(|error| source.error(table.span(), format!("sprt: {error}")))
}
