//! Simulated device that returns garbage, for tests: commands are not executed, pipelines not compiled, and readbacks are replaced.
use super::Gpu;
use std::sync::Mutex;

/// Replacement of every word read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Garbage {
    /// 0: uninitialized memory.
    Zeros,
    /// All bits set: the largest index, and NaN as a float.
    Ones,
    /// Uniform random bits.
    Noise,
    /// Random bits below a random power of two: indices that are often nearly valid.
    Small,
}

impl Garbage {
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

    fn fill(self, dice: &mut u64, bytes: &mut [u8]) {
        for place in bytes.chunks_mut(8) {
            place.copy_from_slice(&self.word(dice).to_le_bytes()[..place.len()]);
        }
    }
}

/// Simulated fault of a device, if any, and the state of its generator.
#[derive(Default)]
pub(super) struct Fault(Mutex<(Option<Garbage>, u64)>);

impl Gpu {
    /// From now on the device executes nothing, and readbacks are `garbage`.
    pub fn fail_with(&self, garbage: Garbage, seed: u64) {
        if let Ok(mut fault) = self.fault.0.lock() {
            *fault = (Some(garbage), seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        }
    }

    pub(super) fn is_faulty(&self) -> bool {
        self.fault.0.lock().is_ok_and(|fault| fault.0.is_some())
    }

    /// Replaces `bytes` if the device has a fault.
    pub(super) fn spoil(&self, bytes: &mut [u8]) {
        if let Ok(mut fault) = self.fault.0.lock()
            && let (Some(garbage), dice) = &mut *fault
        {
            garbage.fill(dice, bytes);
        }
    }
}
