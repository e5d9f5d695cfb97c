//! The levels of play, from Novice to Full. They differ in nodes and noise, never in time, so a level plays alike everywhere.

/// One level of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// The value of the option `Level`.
    pub name: &'static str,
}

/// All levels, the weakest first; the last is full strength.
pub static LEVELS: [Level; 10] = [
    Level { name: "Novice" },
    Level { name: "Beginner" },
    Level { name: "Casual" },
    Level { name: "Improver" },
    Level { name: "Regular" },
    Level { name: "Club player" },
    Level { name: "Strong club" },
    Level { name: "Expert" },
    Level { name: "Master" },
    Level { name: "Full" },
];

impl Level {
    /// The level of this name; case does not matter.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        LEVELS.iter().find(|level| level.name.eq_ignore_ascii_case(name))
    }

    /// Full strength.
    #[must_use]
    pub fn full() -> &'static Self {
        &LEVELS[LEVELS.len() - 1]
    }
}
