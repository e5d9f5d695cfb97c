//! The levels of play, from Novice to Full. They differ in nodes and noise, never in time, so a level plays alike everywhere.

/// One level of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// The value of the option `Level`.
    pub name: &'static str,
    /// Most nodes spent on a mate in this turn.
    pub mate_nodes: u64,
    /// Positions kept after each move when candidate series are sought.
    pub width: usize,
    /// Up to so much is added to each static score at random, in hundredths of a pawn.
    pub noise: i32,
    /// How many candidates are checked for a mate by the opponent in the next turn.
    pub checked: usize,
    /// Most nodes spent on checking one candidate.
    pub check_nodes: u64,
    /// How many safe candidates are compared by the opponent's best reply.
    pub replies: usize,
    /// Whether it goes on looking for a safe series while its budget lasts.
    pub persists: bool,
}

/// All levels, the weakest first; the last is full strength.
pub static LEVELS: [Level; 10] = [
    Level {
        name: "Novice",
        mate_nodes: 0,
        width: 3,
        noise: 700,
        checked: 0,
        check_nodes: 0,
        replies: 0,
        persists: false,
    },
    Level {
        name: "Beginner",
        mate_nodes: 100,
        width: 6,
        noise: 450,
        checked: 0,
        check_nodes: 0,
        replies: 0,
        persists: false,
    },
    Level {
        name: "Casual",
        mate_nodes: 400,
        width: 8,
        noise: 320,
        checked: 1,
        check_nodes: 200,
        replies: 0,
        persists: false,
    },
    Level {
        name: "Improver",
        mate_nodes: 1500,
        width: 12,
        noise: 230,
        checked: 3,
        check_nodes: 600,
        replies: 0,
        persists: false,
    },
    Level {
        name: "Regular",
        mate_nodes: 4000,
        width: 15,
        noise: 190,
        checked: 3,
        check_nodes: 900,
        replies: 0,
        persists: false,
    },
    Level {
        name: "Club player",
        mate_nodes: 8000,
        width: 20,
        noise: 145,
        checked: 6,
        check_nodes: 1500,
        replies: 0,
        persists: false,
    },
    Level {
        name: "Strong club",
        mate_nodes: 16_000,
        width: 30,
        noise: 105,
        checked: 10,
        check_nodes: 3000,
        replies: 0,
        persists: false,
    },
    Level {
        name: "Expert",
        mate_nodes: 35_000,
        width: 42,
        noise: 78,
        checked: 14,
        check_nodes: 5000,
        replies: 0,
        persists: false,
    },
    Level {
        name: "Master",
        mate_nodes: 55_000,
        width: 52,
        noise: 68,
        checked: 18,
        check_nodes: 7000,
        replies: 1,
        persists: false,
    },
    Level {
        name: "Full",
        mate_nodes: u64::MAX,
        width: 150,
        noise: 0,
        checked: 400,
        check_nodes: u64::MAX,
        replies: 24,
        persists: true,
    },
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
