//! Choice between draw and dispatch of the same picture.

use gpu::{Format, Gpu, ImageView, Use};

/// How a pass writes its pixels; the picture is the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawnBy {
    /// The quicker one: by compute on a GPU, by raster on a software driver.
    Auto,
    /// As a dispatch, where the picture can be written by compute shaders.
    Compute,
    /// As a draw.
    Raster,
}

impl DrawnBy {
    pub fn draws_all(self, gpu: &Gpu) -> bool {
        let policy = gpu.policy();
        match self {
            Self::Auto => policy.runs_on_cpu && policy.can_draw,
            Self::Compute => false,
            Self::Raster => policy.can_draw,
        }
    }

    /// Images of a window and those that encode sRGB are always drawn to.
    pub fn computes(self, gpu: &Gpu, target: &ImageView) -> bool {
        let policy = gpu.policy();
        let wants = match self {
            _ if !policy.can_draw => true,
            Self::Auto => !policy.runs_on_cpu,
            by => by == Self::Compute,
        };
        wants && can_be_computed(target)
    }
}

fn can_be_computed(target: &ImageView) -> bool {
    let image = target.image();
    image.is_for(Use::Storage) && image.shows_as(Format::R32U) && !target.format().is_srgb()
}

/// `target` as integers, and the constant for its order of bytes.
pub fn stored(target: &ImageView) -> (ImageView, (&'static str, u32)) {
    let blue_first = u32::from(target.format() == Format::Bgra8);
    (target.clone().as_format(Format::R32U), ("BLUE_FIRST", blue_first))
}
