//! Per-frame uniforms, as declared in `shaders/shade/scene.glsl`.

use super::{
    input::{RASTER_GROUP, ShadeInput, TILE},
    settings::ShadeSettings,
};
use glam::{Mat4, UVec2, Vec3};
use gpu::gpu_struct;
use scene::world::Camera;

gpu_struct! {
    /// As in `shaders/shade/scene.glsl`.
    pub struct SceneBlock {
        pub ray_first: Vec3,
        pub tiles_across: u32,
        pub ray_right: Vec3,
        pub group_room: u32,
        pub ray_down: Vec3,
        pub groups_across: u32,
        pub eye: Vec3,
        pub shadow_side: f32,
        pub sun: Vec3,
        pub clouds: f32,
        pub sun_light: Vec3,
        pub sun_mass: f32,
        pub sky_light: Vec3,
        pub haze: f32,
        pub rayleigh: Vec3,
        pub mie: f32,
        pub fill: Vec3,
        pub white: f32,
        pub ground: Vec3,
        pub exposure: f32,
        pub haze_rayleigh: Vec3,
        pub shadow_texel: f32,
        pub haze_mie: Vec3,
        pub shadow_bias: f32,
        pub haze_fill: Vec3,
        pub count_at: u32,
        pub size: UVec2,
        pub detail: f32,
        pub stars: f32,
        pub shadow_from_world: Mat4,
    }
}

gpu_struct! {
    pub struct ChoicesBlock { pub by_list: u32, pub is_short: u32, pub weight: u32, pub view: u32, pub apart: u32 }
}

/// Above the air.
const SUN_ABOVE: f32 = 26.0;
/// Towards the zenith at 680, 550 and 440 nm (Bucholtz 1995).
const RAYLEIGH: Vec3 = Vec3::new(0.042, 0.099, 0.247);
const MIE: f32 = 0.035;
/// Relative to single scattering.
const SKY_GAIN: f32 = 2.0;
pub const GROUND: Vec3 = Vec3::new(0.30, 0.27, 0.23);
/// White paper in a high sun.
pub const WHITE: f32 = 6.0;
/// Luminance of white paper just after sunset: a lower limit of the eye's adaptation.
const SUNSET: f32 = 0.45;
/// The same long after sunset.
pub const DARKEST: f32 = 0.08;
/// Sine of the depression at which the sky's light has fallen to a third.
const DUSK: f32 = 0.055;
/// Ozone absorbs yellow.
const BLUE_HOUR: Vec3 = Vec3::new(0.34, 0.58, 1.25);
const NIGHT: Vec3 = Vec3::new(0.0072, 0.0115, 0.023);
const STARS: f32 = 0.5;
/// Air mass towards the horizon, zenith = 1.
const HORIZON_MASS: f32 = 18.0;

/// Zenith = 1 (Rozenberg's formula).
pub fn air_mass(up: f32) -> f32 {
    1.0 / (up + 0.025 * (-11.0 * up).exp())
}

/// (1 - exp(-x)) / x.
fn saturation(x: Vec3) -> Vec3 {
    x.map(|x| if x.abs() < 1e-3 { 1.0 - 0.5 * x } else { (1.0 - (-x).exp()) / x })
}

impl SceneBlock {
    /// Through the middle of a pixel, of any length.
    pub fn ray(&self, [x, y]: [u32; 2]) -> Vec3 {
        self.ray_first + self.ray_right * x as f32 + self.ray_down * y as f32
    }

    pub fn sky(&self) -> Vec<u32> {
        let colors = [self.sun, self.sun_light, self.sky_light, self.rayleigh, self.fill, self.ground];
        let numbers = [self.clouds, self.sun_mass, self.mie];
        colors.iter().flat_map(|c| c.to_array()).chain(numbers).map(f32::to_bits).collect()
    }
}

pub fn block(settings: &ShadeSettings, scene: &ShadeInput<'_>, size: [u32; 2]) -> SceneBlock {
    let shadow = scene.shadow.map(|shadow| (shadow.clip_from_world, shadow.depth.size()[0]));
    let block = block_of(settings, scene.camera, scene.sun, shadow, size);
    SceneBlock { detail: scene.detail, haze: block.haze * scene.world.world.haze, ..block }
}

struct ShadowMap {
    from_world: Mat4,
    side: f32,
    /// And the bias in the map's depth.
    texel: f32,
    bias: f32,
}

impl ShadowMap {
    fn new(map: Option<(Mat4, u32)>) -> Self {
        let Some((from_world, side)) = map else {
            let from_world = Mat4::from_translation(Vec3::splat(2.0)) * Mat4::from_scale(Vec3::ZERO);
            return Self { from_world, side: 0.0, texel: 0.0, bias: 0.0 };
        };
        let per_metre = |i: usize| from_world.row(i).truncate().length().max(1e-9);
        let texel = 2.0 / (side as f32 * per_metre(0).min(per_metre(1)));
        Self { from_world, side: side as f32, texel, bias: 0.5 * texel * per_metre(2) }
    }
}

/// `shadow`: from the world to the map, and its side in texels.
pub fn block_of(
    settings: &ShadeSettings,
    camera: &Camera,
    sun: Vec3,
    shadow: Option<(Mat4, u32)>,
    size: [u32; 2],
) -> SceneBlock {
    let [width, height] = size.map(|n| n as f32);
    let [right, up] = camera.axes();
    let forward = up.cross(right);
    let far = (0.5 * camera.angle).tan();
    let (step_x, step_y) = (2.0 * far / height, 2.0 * far / height);
    let ray_right = right * step_x;
    let ray_down = -up * step_y;
    let shift = camera.shift_px(size);
    let ray_first = forward + ray_right * (0.5 - 0.5 * width + shift.x) + ray_down * (0.5 - 0.5 * height + shift.y);

    let sun = sun.normalize_or(Vec3::Y);
    let up_sun = sun.y.max(0.0);
    let (rayleigh, mie) = (RAYLEIGH, MIE * settings.dust);
    let depth = rayleigh + mie;
    let sun_mass = air_mass(up_sun);
    let through = (-depth * sun_mass).exp();
    let sun_above = Vec3::splat(SUN_ABOVE);
    let shining = ((sun.y + 0.02) / 0.04).clamp(0.0, 1.0);
    let sun_light = sun_above * through * shining;
    // Air and clouds see the sun longer than the ground does.
    let dusk = (sun.y.min(0.0) / DUSK).exp();
    let high_light = sun_above * through * dusk;
    // Half of the scattered light comes down; some scatters more than once.
    let scattered = sun_above * (Vec3::ONE - through) * (up_sun + 0.03);
    let fill =
        scattered * (SKY_GAIN * 0.35 / std::f32::consts::PI) * Vec3::ONE.lerp(BLUE_HOUR, 1.0 - dusk) * dusk.sqrt();
    let fill = fill + NIGHT * (1.0 - dusk);
    let darkest = DARKEST + (SUNSET - DARKEST) * dusk * dusk;
    let white = (sun_light.dot(Vec3::new(0.2126, 0.7152, 0.0722)) / std::f32::consts::PI).max(darkest);
    let ground = GROUND * (sun_light * up_sun / std::f32::consts::PI + fill);
    let x = depth * (HORIZON_MASS - sun_mass);
    let horizon = high_light * SKY_GAIN * HORIZON_MASS * saturation(x);
    let shadow = ShadowMap::new(shadow);
    SceneBlock {
        ray_first,
        tiles_across: size[0].div_ceil(TILE),
        ray_right,
        group_room: 0,
        ray_down,
        groups_across: size[0].div_ceil(RASTER_GROUP[0]),
        eye: camera.eye,
        shadow_side: shadow.side,
        sun,
        clouds: settings.clouds,
        sun_light,
        sun_mass,
        sky_light: high_light * SKY_GAIN,
        haze: settings.haze / 1000.0,
        rayleigh,
        mie,
        fill,
        white,
        ground,
        exposure: exposure(settings, white),
        haze_rayleigh: horizon * rayleigh,
        shadow_texel: shadow.texel,
        haze_mie: horizon * mie,
        shadow_bias: shadow.bias,
        haze_fill: fill * (Vec3::ONE - (-depth * HORIZON_MASS).exp()),
        count_at: 0,
        size: UVec2::from_array(size),
        detail: 1.0,
        stars: STARS * ((-sun.y - 0.05) / 0.15).clamp(0.0, 1.0),
        shadow_from_world: shadow.from_world,
    }
}

pub fn lamp_power(sun: Vec3) -> f32 {
    ((0.035 - sun.normalize_or(Vec3::Y).y) / 0.07).clamp(0.0, 1.0)
}

/// `white`: luminance of white paper in the sun, which is just below white; seven tenths of a low sun's loss are
/// compensated, as eyes do.
pub fn exposure(settings: &ShadeSettings, white: f32) -> f32 {
    0.25 * (WHITE / white).powf(0.7) * settings.exposure.exp2()
}
