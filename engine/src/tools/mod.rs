//! Floor 5: what measures and counts. Here are the tools that both the protocol and the command line offer.

pub(crate) mod analysis;
pub(crate) mod bench;
pub(crate) mod counting;
pub(crate) mod italian_mates;
pub(crate) mod mate_suite;
pub(crate) mod safe_suite;
pub(crate) mod tune;
