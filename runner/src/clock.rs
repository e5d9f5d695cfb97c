//! Time controls and the other limits of a player.

use crescendo::types::Color;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock: so much time for a number of series (or the game), and an increment per series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Series to the next period; `None` = the whole game.
    pub series: Option<u32>,
    /// Time of a period.
    pub time: Duration,
    /// Added before each series, the first included.
    pub increment: Duration,
}

/// Text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no time control; write series/seconds+increment, as in 10+0.1, 40/60 or 1:30+1")]
pub struct ControlSyntax(String);

/// A length of time in seconds.
#[must_use]
pub fn seconds(text: &str) -> Option<Duration> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value = if plain { text.parse::<f64>().ok()? } else { return None };
    (value <= 1e6).then(|| Duration::from_secs_f64(value))
}

impl FromStr for Control {
    type Err = ControlSyntax;

    fn from_str(text: &str) -> Result<Self, ControlSyntax> {
        let bad = || ControlSyntax(text.to_owned());
        let (series, rest) = match text.split_once('/') {
            Some((series, rest)) => (Some(series.parse().ok().filter(|&n| n > 0).ok_or_else(bad)?), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = match time.split_once(':') {
            Some((minutes, rest)) => {
                let minutes: u32 = minutes.parse().ok().filter(|&n| n < 10_000).ok_or_else(bad)?;
                Duration::from_secs(60 * u64::from(minutes)) + seconds(rest).ok_or_else(bad)?
            }
            None => seconds(time).ok_or_else(bad)?,
        };
        let increment = seconds(increment).ok_or_else(bad)?;
        if (time + increment).is_zero() {
            return Err(bad());
        }
        Ok(Self { series, time, increment })
    }
}

impl fmt::Display for Control {
    /// As PGN has it: `40/60+0.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(series) = self.series {
            write!(f, "{series}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// All limits of one player. Those that are given hold together; the turn limit always does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A clock.
    pub control: Option<Control>,
    /// Time for each series.
    pub series_time: Option<Duration>,
    /// Nodes for each series.
    pub nodes: Option<u64>,
    /// Depth in series.
    pub depth: Option<u32>,
    /// How far time may be overrun without loss.
    pub margin: Duration,
    /// The longest that any turn may take, whatever the other limits.
    pub turn: Duration,
}

impl Limits {
    /// No limit but the turn's.
    pub const NONE: Self = Self {
        control: None,
        series_time: None,
        nodes: None,
        depth: None,
        margin: Duration::from_millis(50),
        turn: Duration::from_secs(60),
    };

    /// Whether an engine under these limits would search without end.
    #[must_use]
    pub const fn is_endless(&self) -> bool {
        self.control.is_none() && self.series_time.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// For the PGN tag `TimeControl`: a clock, a time per series, or `-`.
    #[must_use]
    pub fn tag(&self) -> String {
        match (self.control, self.series_time) {
            (Some(control), _) => control.to_string(),
            (None, Some(time)) => format!("1/{}", time.as_secs_f64()),
            (None, None) => "-".into(),
        }
    }
}

/// The running clock of one player.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    left: Duration,
    /// Series to the next period.
    to_go: Option<u32>,
}

/// What became of a turn's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// Within the limits.
    InTime,
    /// So much over, the margin not counted.
    Overrun(Duration),
}

impl Clock {
    /// A clock before the first series.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let control = limits.control;
        let left = control.map_or(Duration::ZERO, |control| control.time + control.increment);
        Self { limits, left, to_go: control.and_then(|control| control.series) }
    }

    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The time this turn may take, if it is limited; margin and turn limit not counted.
    #[must_use]
    pub fn allowed(&self) -> Option<Duration> {
        let clock = self.limits.control.map(|_| self.left);
        match (clock, self.limits.series_time) {
            (Some(clock), Some(series)) => Some(clock.min(series)),
            (clock, series) => clock.or(series),
        }
    }

    /// How long to wait for an answer: never without end.
    #[must_use]
    pub fn patience(&self) -> Duration {
        let allowed = self.allowed().map_or(Duration::MAX, |allowed| allowed.saturating_add(self.limits.margin));
        allowed.min(self.limits.turn)
    }

    /// Judges a turn that took `elapsed`, and books it.
    pub fn spend(&mut self, elapsed: Duration) -> Spent {
        if let Some(allowed) = self.allowed()
            && elapsed > allowed + self.limits.margin
        {
            return Spent::Overrun(elapsed - allowed);
        }
        if let Some(control) = self.limits.control {
            self.left = self.left.saturating_sub(elapsed) + control.increment;
            if let (Some(to_go), Some(series)) = (&mut self.to_go, control.series) {
                *to_go -= 1;
                if *to_go == 0 {
                    *to_go = series;
                    self.left += control.time;
                }
            }
        }
        Spent::InTime
    }
}

/// The `go` line for the player to move.
#[must_use]
pub fn go(white: &Clock, black: &Clock, mover: Color) -> String {
    use std::fmt::Write as _;
    let mut line = "go".to_owned();
    let millis = Duration::as_millis;
    for (letter, clock) in [('w', white), ('b', black)] {
        if clock.limits.control.is_some() {
            let _ = write!(line, " {letter}time {}", millis(&clock.left));
        }
    }
    for (letter, clock) in [('w', white), ('b', black)] {
        if let Some(control) = clock.limits.control.filter(|control| !control.increment.is_zero()) {
            let _ = write!(line, " {letter}inc {}", millis(&control.increment));
        }
    }
    let own = if mover == Color::White { white } else { black };
    let mut add = |name: &str, value: Option<u128>| {
        if let Some(value) = value {
            let _ = write!(line, " {name} {value}");
        }
    };
    add("movestogo", own.to_go.map(u128::from));
    add("movetime", own.limits.series_time.as_ref().map(millis));
    add("nodes", own.limits.nodes.map(u128::from));
    add("depth", own.limits.depth.map(u128::from));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str, margin_ms: u64) -> Clock {
        let control = Some(text.parse().unwrap());
        Clock::new(Limits { control, margin: Duration::from_millis(margin_ms), ..Limits::NONE })
    }

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn text_of_controls() {
        for text in ["10+0.1", "40/60", "2/1", "0.5+0.01", "300"] {
            assert_eq!(text.parse::<Control>().unwrap().to_string(), text);
        }
        assert_eq!("1:30+1".parse::<Control>().unwrap().time, ms(90_000));
        for text in ["", "0", "x", "1e3", "-1", "NaN", "0/10", "10+", "/5", "1:", "inf", "99999999999"] {
            assert!(text.parse::<Control>().is_err(), "{text}");
        }
    }

    #[test]
    fn increment_comes_before_the_first_series() {
        let (mut white, black) = (clock("10+1", 0), clock("10+1", 0));
        assert_eq!(go(&white, &black, Color::White), "go wtime 11000 btime 11000 winc 1000 binc 1000");
        assert_eq!(white.spend(ms(2500)), Spent::InTime);
        assert_eq!(go(&white, &black, Color::Black), "go wtime 9500 btime 11000 winc 1000 binc 1000");
    }

    #[test]
    fn the_next_period_is_credited_after_the_test() {
        let mut clock = clock("2/1", 0);
        assert_eq!(go(&clock, &clock.clone(), Color::White), "go wtime 1000 btime 1000 movestogo 2");
        assert_eq!(clock.spend(ms(100)), Spent::InTime);
        assert_eq!(clock.clone().spend(ms(1200)), Spent::Overrun(ms(300)));
        assert_eq!(clock.spend(ms(900)), Spent::InTime);
        assert_eq!((clock.left, clock.to_go), (ms(1000), Some(2)));
    }

    #[test]
    fn margin_is_forgiven_but_not_given() {
        let mut clock = clock("1", 100);
        assert_eq!(clock.patience(), ms(1100));
        assert_eq!(clock.clone().spend(ms(1150)), Spent::Overrun(ms(150)));
        assert_eq!(clock.spend(ms(1050)), Spent::InTime);
        assert_eq!(clock.left, ms(0));
        assert_eq!(clock.patience(), ms(100));
    }

    #[test]
    fn limits_combine_and_the_turn_limit_always_holds() {
        let limits = Limits { nodes: Some(100), depth: Some(3), ..Limits::NONE };
        let clock = Clock::new(limits);
        assert_eq!(go(&clock, &clock, Color::White), "go nodes 100 depth 3");
        assert_eq!((clock.patience(), clock.allowed(), limits.tag()), (limits.turn, None, "-".to_owned()));
        let both = Limits { series_time: Some(ms(500)), control: Some("10".parse().unwrap()), ..limits };
        assert_eq!(Clock::new(both).allowed(), Some(ms(500)));
        assert!(Limits::NONE.is_endless() && !limits.is_endless());
    }
}
