//! Line plots as the template draws them: curves in a square of 1000 by 1000 that is stretched to the page, labels at
//! percentages beside it. So a plot fits a phone without tiny letters, and its colors are those of the page.

use serde::Serialize;
use std::fmt::Write as _;

/// How many curves can be told apart.
pub(crate) const CURVES: usize = 8;
/// About how many labels an axis has.
const TICKS: f64 = 6.0;

/// A label on an axis or a line across the plot.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tick {
    /// In percent, from the left or from the top.
    pub(crate) at: f64,
    pub(crate) text: String,
}

/// A curve as it is drawn.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Curve {
    pub(crate) name: String,
    /// The number of its color.
    pub(crate) color: usize,
    pub(crate) points: String,
    /// The outline of its error band, if it has one.
    pub(crate) band: String,
    pub(crate) is_faint: bool,
}

/// A plot as it is drawn.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Plot {
    pub(crate) title: &'static str,
    /// What is to be seen, for those who do not see it.
    pub(crate) description: String,
    pub(crate) x_label: &'static str,
    pub(crate) y_label: &'static str,
    pub(crate) x_ticks: Vec<Tick>,
    pub(crate) y_ticks: Vec<Tick>,
    pub(crate) lines: Vec<Tick>,
    pub(crate) curves: Vec<Curve>,
}

/// A curve in the numbers it is about: x, y, and half the height of the band.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(crate) name: String,
    pub(crate) color: usize,
    pub(crate) points: Vec<(f64, f64, Option<f64>)>,
    pub(crate) is_faint: bool,
}

/// A range of an axis, with the step of its labels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// The smallest range of round numbers that holds all values.
    pub(crate) fn around(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let step = round_step((high - low).max(1e-9));
        let (low, mut top) = ((low / step).floor() * step, (high / step).ceil() * step);
        if top <= low {
            top = low + step;
        }
        Self { low, high: top, step }
    }

    /// A range from the least to the greatest value exactly, with whole numbers as labels.
    pub(crate) fn counting(low: f64, high: f64) -> Self {
        Self { low, high: high.max(low + 1.0), step: round_step(high - low).max(1.0) }
    }

    /// Where a value is, in 0 to 1.
    pub(crate) fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Labels in percent from the low end.
    pub(crate) fn ticks(&self) -> Vec<Tick> {
        let first = (self.low / self.step).ceil() as i64;
        let last = (self.high / self.step + 1e-9).floor() as i64;
        let digits = if self.step < 1.0 { (-self.step.log10()).ceil() as usize } else { 0 };
        let tick = |n: i64| {
            let value = n as f64 * self.step;
            Tick { at: percent(self.place(value)), text: format!("{value:.digits$}") }
        };
        (first..=last).map(tick).collect()
    }
}

/// 1, 2 or 5 times a power of ten.
fn round_step(range: f64) -> f64 {
    let rough = (range / TICKS).max(1e-6);
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= rough * 0.999).unwrap_or(10.0 * power)
}

/// A share in percent, with the digits a page needs.
pub(crate) fn percent(share: f64) -> f64 {
    (share * 10_000.0).round() / 100.0
}

/// What a plot is called.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    pub(crate) title: &'static str,
    pub(crate) description: String,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
}

/// Draws curves; `lines` are heights with a name. `None` if there is nothing to draw.
pub(crate) fn plot(labels: Labels, data: &[Data], x: Axis, y: Axis, lines: &[(f64, String)]) -> Option<Plot> {
    if data.iter().all(|data| data.points.is_empty()) {
        return None;
    }
    let top = |tick: Tick| Tick { at: percent(1.0 - tick.at / 100.0), ..tick };
    let line = |(height, text): &(f64, String)| Tick { at: percent(1.0 - y.place(*height)), text: text.clone() };
    Some(Plot {
        title: labels.title,
        description: labels.description,
        x_label: labels.x,
        y_label: labels.y,
        x_ticks: x.ticks(),
        y_ticks: y.ticks().into_iter().map(top).collect(),
        lines: lines.iter().map(line).collect(),
        curves: data.iter().map(|data| curve(data, x, y)).collect(),
    })
}

fn curve(data: &Data, x: Axis, y: Axis) -> Curve {
    let place = |at: f64, height: f64| (1000.0 * x.place(at), 1000.0 * (1.0 - y.place(height)));
    let mut points = String::new();
    for &(at, height, _) in &data.points {
        let (left, top) = place(at, height);
        let _ = write!(points, "{left:.0},{top:.0} ");
    }
    let mut band = String::new();
    let upper = data.points.iter().filter_map(|&(at, height, error)| Some(place(at, height + error?)));
    let lower = data.points.iter().rev().filter_map(|&(at, height, error)| Some(place(at, height - error?)));
    for (left, top) in upper.chain(lower) {
        let _ = write!(band, "{left:.0},{top:.0} ");
    }
    // A single point is a line of no length, which round ends make visible.
    if data.points.len() == 1 {
        points = format!("{points}{points}");
    }
    Curve { name: data.name.clone(), color: data.color, points, band, is_faint: data.is_faint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_ends_and_few_labels() {
        let axis = Axis::around([-37.0, 122.0].into_iter());
        let ticks = axis.ticks();
        assert_eq!((ticks.first().unwrap().text.as_str(), ticks.last().unwrap().text.as_str()), ("-50", "150"));
        assert_eq!((ticks[0].at, ticks.last().unwrap().at), (0.0, 100.0));
        assert!(Axis::around(std::iter::empty()).ticks().len() > 1);
        assert!(Axis::around([3.0].into_iter()).ticks().len() > 1);
        assert!((4..=12).contains(&Axis::counting(1.0, 12.0).ticks().len()));
    }
}
