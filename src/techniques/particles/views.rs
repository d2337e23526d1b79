//! Views of the particles, in the order of the numbers in shaders/particles/view.comp.

use technique::{Golden, Legend, ViewInfo};

pub(super) const STOPS: &[[u8; 3]] = &[[26, 51, 140], [31, 158, 107], [242, 204, 64], [217, 38, 31], [255, 240, 240]];

const fn heat(low: &'static str, high: &'static str) -> Legend {
    Legend::Ramp { stops: STOPS, low, high }
}

/// Positions depend on sines and cosines, which differ between drivers.
pub const VIEWS: [ViewInfo; 4] = Golden { is_kept: false, ..Golden::with(&[]) }.of([
    ViewInfo::new(
        "density",
        "Density",
        "Number of particles behind each pixel and its neighbours, hidden ones included.",
        heat("one (logarithmic scale)", "256"),
    ),
    ViewInfo::new(
        "age",
        "Age",
        "Age as a fraction of a particle's lifetime: the mean per pixel.",
        heat("just born", "at its end"),
    ),
    ViewInfo::new("velocity", "Velocity", "Speed of the particles: the mean per pixel.", heat("at rest", "4 m/s")),
    ViewInfo::new(
        "tile",
        "Tiles",
        "N-body: particles that are loaded into shared memory together, one colour per tile (16 colours in turn).",
        Legend::None,
    ),
]);
