//! Bytes and operations of passes, and how near they are to what the device can do.

use crate::gpu::{PassResources, PassWork};
use crate::lab::DeviceProbe;

/// Bytes and operations of all passes of a name in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassLimits {
    /// Bytes read if each byte of the bound ranges moves once.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// The technique's own count of both, where all of these passes have one.
    pub counted: Option<u64>,
    /// Floating-point operations, where the technique counts those of all of these passes.
    pub flops: Option<u64>,
}

/// A pass beside its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Bytes that it moves.
    pub bytes: u64,
    /// Gigabytes (10^9) a second.
    pub gb_s: f64,
    /// Part of the bandwidth of a copy of as many bytes; `None` if the device was not measured.
    pub of_probe: Option<f64>,
    /// Billions of floating-point operations a second.
    pub gflop_s: Option<f64>,
}

impl PassLimits {
    /// Of the passes that `is_one` selects; `None` if there is none.
    #[must_use]
    pub fn of(passes: &[PassResources], is_one: impl Fn(&str) -> bool) -> Option<Self> {
        let each = passes.iter().filter(|pass| is_one(&pass.pass)).map(|pass| {
            let ([read, written], PassWork { bytes: counted, flops }) = (pass.bytes, pass.work);
            Self { read, written, counted, flops }
        });
        each.reduce(Self::plus)
    }

    fn plus(self, other: Self) -> Self {
        // A count of some of them is no count of all: the others have their bound ranges.
        let counted = match (self.counted, other.counted) {
            (None, None) => None,
            _ => Some(self.bytes() + other.bytes()),
        };
        let flops = self.flops.zip(other.flops).map(|(a, b)| a + b);
        Self { read: self.read + other.read, written: self.written + other.written, counted, flops }
    }

    /// Bytes read and written, by the technique's count if there is one.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.counted.unwrap_or(self.read + self.written)
    }

    /// In `us` microseconds on a device; `None` without a time.
    #[must_use]
    pub fn reach(&self, us: f64, probe: Option<&DeviceProbe>) -> Option<Reach> {
        let per_us = |count: u64| count as f64 / us / 1e3;
        let bytes = self.bytes();
        (us > 0.0).then(|| Reach {
            bytes,
            gb_s: per_us(bytes),
            of_probe: probe.and_then(|probe| probe.part(bytes, us)),
            gflop_s: self.flops.map(per_us),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(name: &str, bytes: [u64; 2], work: PassWork) -> PassResources {
        let (resources, pipelines) = (Vec::new(), Vec::new());
        PassResources { pass: name.into(), on_compute_queue: false, resources, bytes, work, pipelines }
    }

    #[test]
    fn passes_of_a_name_add_up() {
        let own = PassWork { bytes: Some(10), flops: Some(4) };
        let passes = [
            pass("a", [100, 20], PassWork::default()),
            pass("b", [7, 1], own),
            pass("a", [50, 0], own),
            pass("b", [1, 1], own),
        ];
        let of = |name: &str| PassLimits::of(&passes, |pass| pass == name);
        assert_eq!(of("a"), Some(PassLimits { read: 150, written: 20, counted: Some(130), flops: None }));
        assert_eq!(of("b"), Some(PassLimits { read: 8, written: 2, counted: Some(20), flops: Some(8) }));
        assert_eq!(of("c"), None);
        assert_eq!(PassLimits::of(&passes, |_| true).unwrap().bytes(), 150);
    }

    /// Known times instead of a clock.
    #[test]
    fn the_reach_is_relative_to_a_copy_of_as_many_bytes() {
        let probe = DeviceProbe::sample(None, &[(1_000_000, 5.0), (100_000_000, 100.0)]);
        let limits = PassLimits { read: 60_000_000, written: 40_000_000, counted: None, flops: Some(5_000_000) };
        let reach = limits.reach(200.0, Some(&probe)).unwrap();
        assert_eq!(reach, Reach { bytes: 100_000_000, gb_s: 500.0, of_probe: Some(0.5), gflop_s: Some(25.0) });
        let counted = PassLimits { counted: Some(1_000_000), ..limits };
        assert_eq!(counted.reach(50.0, Some(&probe)).unwrap().of_probe, Some(0.1));
        assert_eq!(limits.reach(200.0, None).unwrap().of_probe, None);
        assert_eq!(limits.reach(0.0, Some(&probe)), None);
    }
}
