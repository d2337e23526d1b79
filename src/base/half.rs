//! Half floats (IEEE 754 binary16) as stored by the GPU.

pub fn to_f64(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (u64::from(bits >> 15) << 63, u64::from(bits >> 10 & 31), u64::from(bits & 1023));
    f64::from_bits(
        match exponent {
            // Subnormal: steps of 2^-24.
            0 => (fraction as f64 / f64::from(1 << 24)).to_bits(),
            31 => 0x7FF << 52 | fraction << 42,
            _ => (exponent + 1008) << 52 | fraction << 42,
        } | sign,
    )
}

pub fn to_f32(bits: u16) -> f32 {
    to_f64(bits) as f32
}

/// As a half float keeps it.
pub fn rounded(value: f32) -> f32 {
    to_f32(from_f64(value.into()))
}

/// To the nearest, ties to even; too large a value is infinite.
pub fn from_f64(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | 0x7E00;
    }
    // The step between neighbours, 2^-24 below the smallest normal number.
    let exponent = (magnitude.max(2f64.powi(-14)).log2().floor() as i32).min(16);
    let steps = (magnitude / 2f64.powi(exponent - 10)).round_ties_even();
    let bits = (f64::from(exponent + 14) * 1024.0 + steps).min(f64::from(0x7C00));
    sign | bits as u16
}

#[cfg(test)]
mod tests {
    use super::{from_f64, to_f64};

    #[test]
    fn every_half_comes_back() {
        for bits in (0..0x7C01u16).chain(0x8000..0xFC01) {
            assert_eq!(from_f64(to_f64(bits)), bits, "{bits:#x}");
        }
        assert_eq!(from_f64(1.0 + 2f64.powi(-11)), 0x3C00, "ties go to even");
        assert_eq!(from_f64(1.0 + 3.0 * 2f64.powi(-11)), 0x3C02);
        assert_eq!((from_f64(65519.0), from_f64(65520.0), from_f64(1e9)), (0x7BFF, 0x7C00, 0x7C00));
        assert!(to_f64(from_f64(f64::NAN)).is_nan());
    }

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
