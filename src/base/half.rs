//! Half floats (IEEE 754 binary16) as the GPU stores them.

/// The value of a half float's bits.
#[must_use]
pub fn to_f64(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (bits >> 15, i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + fraction / 1024.0) * 2f64.powi(e - 15),
    };
    if sign == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::to_f64;

    #[test]
    fn known_values() {
        let table =
            [(0x3C00, 1.0), (0xC000, -2.0), (0x7BFF, 65504.0), (0x0001, 2f64.powi(-24)), (0x3555, 0.333_251_953_125)];
        for (bits, value) in table {
            assert_eq!(to_f64(bits), value);
        }
        assert!(to_f64(0x7E00).is_nan() && to_f64(0x7C00).is_infinite());
    }
}
