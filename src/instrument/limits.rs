//! Bytes of passes, and how near their bandwidth is to that of a copy.

use gpu::PassResources;
use lab::DeviceProbe;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassLimits {
    /// If each byte of the bound ranges moves once.
    pub read: u64,
    pub written: u64,
    /// The technique's own count of both, where all of these passes have one.
    pub counted: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    pub bytes: u64,
    pub gb_s: f64,
    /// Part of the bandwidth of a copy of as many bytes; `None` if the device was not measured.
    pub of_probe: Option<f64>,
}

impl PassLimits {
    pub fn of(passes: &[PassResources], is_one: impl Fn(&str) -> bool) -> Option<Self> {
        let each = passes.iter().filter(|pass| is_one(&pass.pass)).map(|pass| {
            let [read, written] = pass.bytes;
            Self { read, written, counted: pass.counted }
        });
        each.reduce(Self::plus)
    }

    fn plus(self, other: Self) -> Self {
        // A count of some passes is no count of all: the others have their bound ranges.
        let counted = match (self.counted, other.counted) {
            (None, None) => None,
            _ => Some(self.bytes() + other.bytes()),
        };
        Self { read: self.read + other.read, written: self.written + other.written, counted }
    }

    pub fn bytes(&self) -> u64 {
        self.counted.unwrap_or(self.read + self.written)
    }

    pub fn reach(&self, us: f64, probe: Option<&DeviceProbe>) -> Option<Reach> {
        let bytes = self.bytes();
        (us > 0.0).then(|| Reach {
            bytes,
            gb_s: bytes as f64 / us / 1e3,
            of_probe: probe.and_then(|probe| probe.part(bytes, us)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(name: &str, bytes: [u64; 2], counted: Option<u64>) -> PassResources {
        let (resources, pipelines) = (Vec::new(), Vec::new());
        PassResources { pass: name.into(), on_compute_queue: false, resources, bytes, counted, pipelines }
    }

    #[test]
    fn passes_of_a_name_add_up() {
        let passes = [
            pass("a", [100, 20], None),
            pass("b", [7, 1], Some(10)),
            pass("a", [50, 0], Some(10)),
            pass("b", [1, 1], Some(10)),
        ];
        let of = |name: &str| PassLimits::of(&passes, |pass| pass == name);
        assert_eq!(of("a"), Some(PassLimits { read: 150, written: 20, counted: Some(130) }));
        assert_eq!(of("b"), Some(PassLimits { read: 8, written: 2, counted: Some(20) }));
        assert_eq!(of("c"), None);
        assert_eq!(PassLimits::of(&passes, |_| true).unwrap().bytes(), 150);
    }

    #[test]
    fn the_reach_is_relative_to_a_copy_of_as_many_bytes() {
        let probe = DeviceProbe::sample(None, &[(1_000_000, 5.0), (100_000_000, 100.0)]);
        let limits = PassLimits { read: 60_000_000, written: 40_000_000, counted: None };
        let reach = limits.reach(200.0, Some(&probe)).unwrap();
        assert_eq!(reach, Reach { bytes: 100_000_000, gb_s: 500.0, of_probe: Some(0.5) });
        let counted = PassLimits { counted: Some(1_000_000), ..limits };
        assert_eq!(counted.reach(50.0, Some(&probe)).unwrap().of_probe, Some(0.1));
        assert_eq!(limits.reach(200.0, None).unwrap().of_probe, None);
        assert_eq!(limits.reach(0.0, Some(&probe)), None);
    }
}
