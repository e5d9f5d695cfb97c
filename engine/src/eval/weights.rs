//! The numbers behind the static score, in hundredths of a pawn.

use crate::types::Role;

/// What a man is worth, by role. A king counts only where he is a man like others (take-all).
pub const MAN: [i32; Role::NUM] = [110, 340, 360, 560, 1120, 280];
/// One of his pawns can promote within his next series.
pub const THEIR_PROMOTION: i32 = 60;
/// One of our pawns can promote within our next series.
pub const OUR_PROMOTION: i32 = 30;
/// Each rank that his pawn has advanced.
pub const THEIR_ADVANCE: i32 = 3;
/// Each rank that our pawn has advanced.
pub const OUR_ADVANCE: i32 = 6;
/// Each square our king could go to that is not attacked: mates need them covered.
pub const FLIGHT: i32 = 8;
/// A check: he must spend his first move on it.
pub const CHECK: i32 = 40;
