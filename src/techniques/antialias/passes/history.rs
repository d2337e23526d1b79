//! Images that outlive a frame, and the per-frame uniforms of the shaders.

use crate::{
    input::{AntialiasInput, Change},
    settings::AntialiasSettings,
};
use glam::{DMat4, Mat4, UVec2, Vec2};
use gpu::{Format, Frame, Image, ImageDesc, ImageView, Result, Use, gpu_struct};
use scene::world::Camera;

gpu_struct! {
    /// As in shaders/antialias/frame.glsl, where the fields are explained.
    pub struct FrameBlock {
        pub before_from_now: Mat4,
        pub size: Vec2,
        pub whole: Vec2,
        pub shift: Vec2,
        pub exposure: f32,
        pub moves: f32,
        pub rests: f32,
        pub begins: f32,
        pub most: f32,
        pub reach: f32,
        pub reject: f32,
        pub kept: Vec2,
        pub repeats: f32,
    }
}

/// After the camera has stopped: the picture soon consists of samples at rest.
const FROM_MOTION: f32 = 4.0;
const NO_LIMIT: f32 = 1e4;

/// Two of each, written in turn.
pub struct History {
    /// The fourth channel is the number of averaged samples.
    light: [Image; 2],
    /// Rg32U, packed as by `surface_of` in shaders/antialias/frame.glsl.
    surfaces: [Image; 2],
    /// In floats, compressed as the shaders average it.
    mean: Image,
    last: [usize; 2],
    /// Without shift; and its part of the picture's pixels.
    last_view: Option<(Camera, f32)>,
}

type NamedFormat = (&'static str, Format);
const LIGHT: NamedFormat = ("antialiased light", Format::Rgba16F);
const SURFACES: NamedFormat = ("antialiased surfaces", Format::Rg32U);

fn image(frame: &mut Frame, (name, format): &NamedFormat, size: [u32; 2]) -> Result<Image> {
    Image::new(frame.gpu(), ImageDesc::new(name, size, *format, &[Use::Sample, Use::Storage, Use::Color]))
}

/// Must be a number where it is multiplied by 0.
fn new_mean(frame: &mut Frame, size: [u32; 2]) -> Result<Image> {
    let mean = image(frame, &("antialiased mean", Format::Rgba32F), size)?;
    frame.clear("antialias/clear", &mean.mip(0), [0.0; 4]).map(|()| mean)
}

impl History {
    pub fn new(frame: &mut Frame, whole: [u32; 2]) -> Result<Self> {
        let mut pair = |what: &NamedFormat| -> Result<[Image; 2]> {
            let pair = [image(frame, what, whole)?, image(frame, what, whole)?];
            pair.iter().try_for_each(|image| frame.clear("antialias/clear", &image.mip(0), [0.0; 4])).map(|()| pair)
        };
        let (light, surfaces) = (pair(&LIGHT)?, pair(&SURFACES)?);
        Ok(Self { light, surfaces, mean: new_mean(frame, whole)?, last: [0; 2], last_view: None })
    }

    pub fn size(&self) -> [u32; 2] {
        self.light[self.last[0]].size()
    }

    /// The last written images stay as they are.
    pub fn fit(&mut self, frame: &mut Frame, whole: [u32; 2]) -> Result<()> {
        let pairs = [(&mut self.light, self.last[0], &LIGHT), (&mut self.surfaces, self.last[1], &SURFACES)];
        for (images, last, what) in pairs {
            let next = &mut images[1 - last];
            if next.size() != whole {
                *next = image(frame, what, whole)?;
            }
        }
        Ok(())
    }

    pub fn is_cut(&self, now: &Camera) -> bool {
        self.last_view.is_none_or(|(before, _)| is_cut(&before, now))
    }

    pub fn read(&self) -> [ImageView; 2] {
        [self.light[self.last[0]].mip(0), self.surfaces[self.last[1]].mip(0)]
    }

    pub fn mean(&mut self, frame: &mut Frame, whole: [u32; 2]) -> Result<&Image> {
        if self.mean.size() != whole {
            self.mean = new_mean(frame, whole)?;
        }
        Ok(&self.mean)
    }

    /// Surfaces only if they change. They count as the last written ones from now on.
    pub fn write(&mut self, has_surfaces: bool) -> [ImageView; 2] {
        self.last[0] = 1 - self.last[0];
        if has_surfaces {
            self.last[1] = 1 - self.last[1];
        }
        self.read()
    }

    pub fn continues_for(&self, camera: &Camera) -> bool {
        self.last_view.is_some_and(|(before, _)| !is_cut(&before, camera))
    }

    /// `comes_to_rest`: the first frame in which nothing changed.
    pub fn block(
        &mut self,
        settings: &AntialiasSettings,
        input: &AntialiasInput<'_>,
        change: Change,
        comes_to_rest: bool,
    ) -> FrameBlock {
        let kept = self.size();
        Self::block_after((&mut self.last_view, kept), settings, input, change, comes_to_rest)
    }

    pub fn block_after(
        (last_view, kept): (&mut Option<(Camera, f32)>, [u32; 2]),
        settings: &AntialiasSettings,
        input: &AntialiasInput<'_>,
        change: Change,
        comes_to_rest: bool,
    ) -> FrameBlock {
        let [size, whole] = [input.light.size(), input.whole].map(|size| UVec2::from_array(size).as_vec2());
        // Samples per pixel of the picture.
        let part = (size.x * size.y) / (whole.x * whole.y);
        let now = Camera { shift: Vec2::ZERO, ..*input.camera };
        let last_view = last_view.replace((now, part)).filter(|_| change != Change::Other);
        let before = last_view.filter(|(before, _)| !is_cut(before, &now));
        let moves = before.is_some_and(|(before, _)| before != now);
        let sharp = ((kept[0] * kept[1]) as f32 / (whole.x * whole.y)).min(1.0);
        let most = match before {
            None => 0.0,
            Some((_, before)) if moves => (settings.frames * before.min(part).powf(0.25)).max(1.0),
            Some((_, before)) if change == Change::Moved || comes_to_rest => {
                FROM_MOTION * sharp * (before / part).min(1.0)
            }
            Some(_) => NO_LIMIT,
        };
        let one_if = |is: bool| f32::from(u8::from(is));
        FrameBlock {
            before_from_now: before_from_now(&before.map_or(now, |(before, _)| before), &now, input.whole),
            size,
            whole,
            shift: input.camera.shift,
            exposure: input.exposure,
            moves: one_if(moves),
            rests: one_if(change == Change::None),
            begins: one_if(comes_to_rest),
            most,
            reach: settings.reach,
            reject: one_if(settings.reject),
            kept: UVec2::from_array(kept).as_vec2(),
            repeats: 0.0,
        }
    }
}

/// Without shift, in double precision: the world may be far from its origin.
pub fn before_from_now(before: &Camera, now: &Camera, size: [u32; 2]) -> Mat4 {
    let clip = |camera: &Camera| -> DMat4 {
        Camera { shift: Vec2::ZERO, eye: camera.eye - now.eye, target: camera.target - now.eye, ..*camera }
            .block(size)
            .clip_from_world
            .as_dmat4()
    };
    (clip(before) * clip(now).inverse()).as_mat4()
}

pub fn is_cut(before: &Camera, now: &Camera) -> bool {
    let ahead = |camera: &Camera| (camera.target - camera.eye).normalize_or_zero();
    let far = (now.target - now.eye).length().max((before.target - before.eye).length());
    ahead(before).dot(ahead(now)) < 0.985 || (before.eye - now.eye).length() > 0.4 * far || before.angle != now.angle
}

/// The middle itself, then Halton's points of bases 2 and 3.
pub fn shift_of(index: u32) -> Vec2 {
    let radical = |base: u32| {
        let (mut rest, mut digit, mut sum) = (index, 1.0, 0.0);
        while rest > 0 {
            digit /= base as f32;
            sum += digit * (rest % base) as f32;
            rest /= base;
        }
        sum
    };
    if index == 0 { Vec2::ZERO } else { Vec2::new(radical(2), radical(3)) - 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec3, Vec4};
    use scene::world::Viewpoint;

    #[test]
    fn samples_fill_the_pixel_evenly() {
        let shifts: Vec<Vec2> = (0..64).map(shift_of).collect();
        let mean = shifts.iter().sum::<Vec2>() / 64.0;
        assert!(mean.abs().max_element() < 0.02, "{mean}");
        assert!(shifts.iter().all(|s| s.abs().max_element() < 0.5));
        let mut cells = [0; 16];
        for shift in &shifts {
            let cell = ((*shift + 0.5) * 4.0).as_uvec2();
            cells[(4 * cell.y + cell.x) as usize] += 1;
        }
        assert!(cells.iter().all(|n| (2..=6).contains(n)), "{cells:?}");
        assert_eq!(shift_of(1), Vec2::new(0.0, 1.0 / 3.0 - 0.5));
    }

    #[test]
    fn points_are_followed_to_where_they_were() {
        let before = Viewpoint { target: Vec3::new(900.0, 3.0, -700.0), orbit: 30.0, ..Default::default() }.camera();
        let now = Camera {
            shift: Vec2::new(0.3, -0.2),
            ..Viewpoint { target: Vec3::new(900.2, 3.0, -700.0), orbit: 33.0, ..Default::default() }.camera()
        };
        let (size, point) = ([640, 360], Vec3::new(900.5, 3.4, -699.0));
        let steady = Camera { shift: Vec2::ZERO, ..now };
        let at = |camera: &Camera| {
            let clip = camera.block(size).clip_from_world * point.extend(1.0);
            clip / clip.w
        };
        let reprojected = before_from_now(&before, &now, size) * at(&steady);
        assert!((reprojected / reprojected.w - at(&before)).abs().max_element() < 1e-3);
        let sky = before_from_now(&now, &now, size) * Vec4::new(0.5, -0.3, 0.0, 1.0);
        assert!((sky / sky.w - Vec4::new(0.5, -0.3, 0.0, 1.0)).abs().max_element() < 1e-5);
    }

    #[test]
    fn a_jump_is_told_from_a_movement() {
        let at = |orbit, distance| Viewpoint { orbit, distance, ..Default::default() }.camera();
        assert!(!is_cut(&at(0.0, 8.0), &at(3.0, 8.2)));
        assert!(is_cut(&at(0.0, 8.0), &at(25.0, 8.0)) && is_cut(&at(0.0, 8.0), &at(0.0, 16.0)));
        let wide = Camera { angle: 1.2, ..at(0.0, 8.0) };
        assert!(is_cut(&at(0.0, 8.0), &wide));
    }
}
