//! Conversion between sRGB-encoded bytes and linear light (IEC 61966-2-1), exactly and by table.

use std::sync::LazyLock;

pub fn decode(encoded: f32) -> f32 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

pub fn encode(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

pub static LINEAR_OF_BYTE: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| decode(byte as f32 / 255.0)));

/// The curve is steepest at black, 3294 bytes per unit of light: a step is a fifth of a byte there, and every byte is
/// restored exactly.
const STEPS: usize = 1 << 14;
static BYTE_OF_LINEAR: LazyLock<Vec<u8>> =
    LazyLock::new(|| (0..=STEPS).map(|i| (encode(i as f32 / STEPS as f32) * 255.0 + 0.5) as u8).collect());

pub fn byte_of_linear(linear: f32) -> u8 {
    BYTE_OF_LINEAR[(linear.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curves_are_inverse_and_the_table_is_near() {
        for i in 0..=100_000 {
            let x = i as f32 / 100_000.0;
            assert!((encode(decode(x)) - x).abs() < 1e-5);
            assert!((f32::from(byte_of_linear(x)) - encode(x) * 255.0).abs() < 0.62);
        }
    }
}
