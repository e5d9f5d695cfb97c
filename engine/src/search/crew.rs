//! Who does the work of a search: one alone, or several at a time. The search only says what can be done at the same time; threads belong to the
//! workers' floor.

/// A number of workers.
pub trait Crew: Sync {
    /// How many can work at a time; at least 1.
    fn size(&self) -> usize;

    /// Calls `work` with 0, 1, … up to [`Crew::size`] - 1, as far as possible at the same time, and comes back when all are done. Not all need to be
    /// called: whoever shares out work must not count on a particular one but 0.
    fn work(&self, work: &(dyn Fn(usize) + Sync));
}

/// One worker. Whatever it does is the same each time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Crew for Alone {
    fn size(&self) -> usize {
        1
    }

    fn work(&self, work: &(dyn Fn(usize) + Sync)) {
        work(0);
    }
}
