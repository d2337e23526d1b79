//! A device that returns garbage, simulated for tests: nothing is executed, no pipeline is compiled, and what is read back is replaced.

use std::cell::Cell;

#[derive(Clone, Copy, Debug)]
pub enum Garbage {
    Zeros,
    /// The largest index, and NaN as a float.
    Ones,
    Noise,
    /// Random bits below a random power of two: indices that are often nearly valid.
    Small,
}

thread_local! {
    static RETURNED: Cell<Option<(Garbage, u64)>> = const { Cell::new(None) };
}

impl Garbage {
    /// From now on all devices return it to this thread; `None`: they work.
    pub fn simulate(garbage: Option<Self>, seed: u64) {
        RETURNED.set(garbage.map(|garbage| (garbage, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)));
    }

    fn word(self, dice: &mut u64) -> u64 {
        // xorshift64* (Vigna 2016).
        *dice ^= *dice >> 12;
        *dice ^= *dice << 25;
        *dice ^= *dice >> 27;
        let noise = dice.wrapping_mul(0x2545_F491_4F6C_DD1D);
        match self {
            Self::Zeros => 0,
            Self::Ones => u64::MAX,
            Self::Noise => noise,
            Self::Small => {
                let half = |word: u64| u64::from(word as u32 >> (word >> 58 & 31));
                half(noise) | half(noise.rotate_left(32)) << 32
            }
        }
    }
}

pub(super) fn is_on() -> bool {
    RETURNED.get().is_some()
}

/// Replaces `bytes` if garbage is returned.
pub(super) fn spoil(bytes: &mut [u8]) {
    let Some((garbage, mut dice)) = RETURNED.get() else { return };
    for place in bytes.chunks_mut(8) {
        place.copy_from_slice(&garbage.word(&mut dice).to_le_bytes()[..place.len()]);
    }
    RETURNED.set(Some((garbage, dice)));
}
