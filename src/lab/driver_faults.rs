//! Known driver faults: what fails, and the affected versions.
use super::{Check, Raster};
use gpu::DeviceInfo;

struct DriverFault {
    device: &'static str,
    /// First and last Mesa version in which it was observed.
    mesa: [[u32; 2]; 2],
    subgroup_size: u32,
    affects: fn(&Check) -> bool,
    what: &'static str,
}

const FAULTS: &[DriverFault] = &[DriverFault {
    device: "llvmpipe",
    mesa: [[22, 3], [25, 0]],
    subgroup_size: 16,
    affects: |check| check.raster == Raster::Required,
    what: "Mesa's software driver crashes in its compiler when anything is drawn with 16 lanes",
}];

impl Check {
    pub fn known_fault(&self, info: &DeviceInfo) -> Option<&'static str> {
        let version = mesa_version(&info.driver)?;
        let hit = |fault: &&DriverFault| {
            info.name.starts_with(fault.device)
                && info.subgroup.size == fault.subgroup_size
                && (fault.mesa[0]..=fault.mesa[1]).contains(&version)
                && (fault.affects)(self)
        };
        FAULTS.iter().find(hit).map(|fault| fault.what)
    }
}

/// `Mesa 25.0.7-2 (LLVM 19.1.7)`.
fn mesa_version(driver: &str) -> Option<[u32; 2]> {
    let mut parts = driver.strip_prefix("Mesa ")?.split('.').map_while(|part| part.parse().ok());
    Some([parts.next()?, parts.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_as_numbers() {
        assert_eq!(mesa_version("Mesa 22.3.6 (LLVM 15.0.6)"), Some([22, 3]));
        assert_eq!(mesa_version("Mesa 25.0.7-2"), Some([25, 0]));
        assert_eq!(mesa_version("580.159.04"), None);
        assert_eq!(mesa_version("Mesa git"), None);
        assert!([24, 10] > [24, 9] && [25, 1] > FAULTS[0].mesa[1]);
    }
}
