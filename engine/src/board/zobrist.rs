//! Zobrist numbers: one for each man and square in the mover's view, one for each right.

use crate::types::{Role, Square};

struct Numbers {
    us: [[u64; 64]; 6],
    them: [[u64; 64]; 6],
    rights: [u64; 64],
}

/// SplitMix64 (Steele, Lea, Flood 2014): a fixed sequence, so that keys are the same in every build.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

static NUMBERS: Numbers = {
    let mut state = 0x05ee_d0fc_4e5c_e0d0;
    let mut numbers = Numbers { us: [[0; 64]; 6], them: [[0; 64]; 6], rights: [0; 64] };
    let mut square = 0;
    while square < 64 {
        let mut role = 0;
        while role < 6 {
            numbers.us[role][square] = split_mix(&mut state);
            numbers.them[role][square] = split_mix(&mut state);
            role += 1;
        }
        numbers.rights[square] = split_mix(&mut state);
        square += 1;
    }
    numbers
};

/// The number of the mover's man.
#[inline(always)]
pub(super) fn us(role: Role, square: Square) -> u64 {
    NUMBERS.us[role as usize][square as usize]
}

/// The number of the opponent's man.
#[inline(always)]
pub(super) fn them(role: Role, square: Square) -> u64 {
    NUMBERS.them[role as usize][square as usize]
}

/// The number of a right kept on this square.
#[inline(always)]
pub(super) fn right(square: Square) -> u64 {
    NUMBERS.rights[square as usize]
}
