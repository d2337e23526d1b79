//! The oracles of the shading.

use super::{
    Scene, Shade, ShadeSettings, Work,
    frame::block,
    lists::{Order, list_of},
    oracle::gallery::{cast, gallery},
};
use crate::{
    gpu::{Format, Gpu, ImageDesc, Use, View},
    lab::{Bed, Case, Check, Effort, Oracle, Verdict},
    scene::world::{Camera, Resident, Shadow, World},
    techniques::Technique,
};
use glam::{Mat4, Vec3, Vec4};
use std::sync::Arc;

/// Every oracle.
pub(super) fn all() -> Vec<Check> {
    vec![Check::of::<Orders>()]
}

/// Towards the sun of the tests.
pub(super) const SUN: Vec3 = Vec3::new(0.62, 0.55, 0.56);

/// A world on the GPU, who is seen, and the shadow, all found by rays.
pub(super) struct Stage {
    pub world: Resident,
    pub camera: Camera,
    pub sun: Vec3,
    pub ids: Vec<u32>,
    pub shown: View,
    pub shadow: Option<Shadow>,
}

impl Stage {
    pub fn new(bed: &mut Bed, size: [u32; 2], world: World, shadow_side: u32) -> anyhow::Result<Self> {
        let camera = world.viewpoint.camera();
        let world = Arc::new(world);
        let resident = bed.run(|frame| Resident::new(frame, world.clone()))?;
        let sun = SUN.normalize();
        let shadow = if shadow_side > 0 { Some(shadow(bed, &world, sun, shadow_side)?) } else { None };
        let scene = Scene { world: &resident, camera: &camera, sun, shadow: None };
        let rays = block(&ShadeSettings::default(), &scene, size);
        let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x as f32, y as f32)));
        let ids: Vec<u32> = pixels
            .map(|(x, y)| cast(&world, rays.eye, rays.ray_first + rays.ray_right * x + rays.ray_down * y).0)
            .collect();
        let desc = ImageDesc::new("ids", size, Format::R32U, &[Use::Sample]);
        let shown = bed.image(desc, &ids)?.mip(0);
        Ok(Self { world: resident, camera, sun, ids, shown, shadow })
    }

    pub fn scene(&self) -> Scene<'_> {
        Scene { world: &self.world, camera: &self.camera, sun: self.sun, shadow: self.shadow.as_ref() }
    }
}

/// What the sun sees of `world`: reversed depth without perspective, 1 nearest to it.
fn shadow(bed: &mut Bed, world: &World, sun: Vec3, side: u32) -> anyhow::Result<Shadow> {
    let middle = Vec3::new(0.0, 0.8, -1.0);
    let (half, deep) = (6.5, 40.0);
    let right = sun.cross(Vec3::Y).normalize();
    let up = right.cross(sun);
    let rows = [
        right.extend(-right.dot(middle)) / half,
        -up.extend(-up.dot(middle)) / half,
        sun.extend(0.5 * deep - sun.dot(middle)) / deep,
    ];
    let clip_from_world = Mat4::from_cols(rows[0], rows[1], rows[2], Vec4::W).transpose();
    let texel = |x: u32, y: u32| {
        let at = |i: u32| (2.0 * (i as f32 + 0.5) / side as f32 - 1.0) * half;
        let origin = middle + right * at(x) - up * at(y) + sun * (0.5 * deep);
        let (id, far) = cast(world, origin, -sun);
        if id == 0 { 0.0 } else { 1.0 - far / deep }
    };
    let texels: Vec<f32> = (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).map(|(x, y)| texel(x, y)).collect();
    let image = bed.image(ImageDesc::new("sun", [side; 2], Format::R32F, &[Use::Sample]), &texels)?;
    Ok(Shadow { depth: image.mip(0), clip_from_world })
}

/// By the list and by raster: the same picture bit for bit.
pub(super) struct Orders;

/// A picture to shade in two orders.
pub(super) struct Trial {
    size: [u32; 2],
    settings: ShadeSettings,
    lists: [(Order, bool); 4],
}

impl Oracle for Orders {
    const NAME: &'static str = "orders";
    type Input = Trial;
    /// By raster, then by each list.
    type Output = Vec<Vec<u16>>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Trial>> {
        let lists = [(Order::Rows, false), (Order::Sorted, false), (Order::Shuffled, false), (Order::Shuffled, true)];
        let full = [([130, 70], 3), ([33, 1], 1), ([1, 65], 2), ([64, 64], 8), ([191, 129], 1), ([1, 1], 1)];
        let chosen = if effort == Effort::Full { &full[..] } else { &full[..3] };
        let case = |&(size, weight): &([u32; 2], u32)| Case {
            name: format!("{}x{}, weight {weight}", size[0], size[1]),
            input: Trial { size, settings: ShadeSettings { weight, ..Default::default() }, lists },
        };
        chosen.iter().map(case).collect()
    }

    fn cpu(_: &Trial) -> Vec<Vec<u16>> {
        vec![]
    }

    fn gpu(bed: &mut Bed, trial: &Trial) -> anyhow::Result<Vec<Vec<u16>>> {
        let mut shade = Shade::new(bed.gpu())?;
        let stage = Stage::new(bed, trial.size, gallery(24), 48)?;
        let mut works = vec![Work::Raster];
        for (order, short) in trial.lists {
            works.push(Work::List(list_of(bed, trial.size, &stage.ids, order, short)?));
        }
        let mut found = vec![];
        for work in &works {
            // What the one before left must not help.
            if let Some(hdr) = &shade.hdr {
                let texels = vec![[0x7BFFu16; 4]; (trial.size[0] * trial.size[1]) as usize];
                let to = hdr.mip(0);
                bed.run(|frame| frame.upload(&to, &texels))?;
            }
            let hdr = bed.run(|frame| shade.record(frame, &trial.settings, &stage.scene(), &stage.shown, work))?;
            found.push(bed.read(&hdr)?);
        }
        Ok(found)
    }

    fn agree(_: &Trial, _: &Vec<Vec<u16>>, gpu: &Vec<Vec<u16>>) -> Verdict {
        let differ = |list: &Vec<u16>| list.iter().zip(&gpu[0]).filter(|(a, b)| a != b).count();
        let worst = gpu[1..].iter().map(differ).max().unwrap_or(usize::MAX);
        let finite = gpu[0].iter().all(|half| half & 0x7C00 != 0x7C00);
        Verdict { passed: worst == 0 && finite, text: format!("{worst} numbers differ, finite: {finite}") }
    }
}
