//! Checks of the views of the shading against the CPU reference, whose colours are those of the legends.

use super::{
    Shade, ShadeSettings, Split, Work,
    check_fixture::{Fixture, ReferenceScene, SUN, light_of},
    frame::block_of,
    reference::{
        gallery::{cast, gallery},
        kinds::shaded_parts,
        view::{exposure, is_on_line, view},
    },
    views::VIEWS,
};
use crate::{
    base::difference::Errors,
    gpu::{Format, Gpu, Image, ImageDesc, Use},
    lab::{Case, Effort, Reference, TestBench, Verdict},
    techniques::{Technique, ViewInfo},
};
use glam::Vec3;

/// Every view of the gallery.
pub(super) struct Views;

const SIZE: [u32; 2] = [97, 61];
const SHADOW_SIDE: u32 = 40;

impl Reference for Views {
    const NAME: &'static str = "views";
    /// All of them: they share their subject.
    type Input = ShadeSettings;
    /// By view, red, green and blue of each pixel, 0..255; what has several right answers is no number. And the light of the view
    /// that shows it.
    type Output = (Vec<Vec<f32>>, Vec<Vec3>);

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<ShadeSettings>> {
        let settings = ShadeSettings { split: Split::Off, ..Default::default() };
        vec![Case { name: format!("{} views, {}x{}", VIEWS.len(), SIZE[0], SIZE[1]), input: settings }]
    }

    fn cpu(settings: &ShadeSettings) -> Self::Output {
        let twin = ReferenceScene::new(settings, SIZE, SHADOW_SIDE, gallery(24));
        let fixture = twin.surroundings();
        let scene = fixture.scene;
        let pixels = || (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)));
        let parts: Vec<_> = pixels()
            .map(|(x, y)| {
                let ray = scene.ray_first + scene.ray_right * x as f32 + scene.ray_down * y as f32;
                let id = cast(fixture.world, scene.eye, ray).0;
                (id != 0).then(|| shaded_parts(&fixture, id, [x, y]))
            })
            .collect();
        let of = |shown: &ViewInfo| -> Vec<f32> {
            let colors = parts.iter().map(|s| match s {
                Some(s) if shown.name == "uv" && is_on_line(s.surface.uv[0]) => Vec3::NAN,
                Some(s) => view(shown, scene, s),
                None => Vec3::ZERO,
            });
            colors.flat_map(|c| c.to_array()).collect()
        };
        (VIEWS.iter().map(of).collect(), Vec::new())
    }

    fn gpu(bench: &mut TestBench, settings: &ShadeSettings) -> anyhow::Result<Self::Output> {
        let mut shade = Shade::new(bench.gpu())?;
        let fixture = Fixture::new(bench, SIZE, gallery(24), SHADOW_SIDE)?;
        let scene = fixture.scene();
        let hdr = bench.run(|frame| shade.record(frame, settings, &scene, &fixture.id_image, &Work::Raster))?;
        let picture = Image::new(bench.gpu(), ImageDesc::new("picture", SIZE, Format::Rgba8, &[Use::Storage]))?;
        let mut pictures = Vec::new();
        for view in VIEWS {
            bench.run(|frame| {
                shade.view(frame, view.name, settings, &scene, &fixture.id_image, &hdr, &picture.mip(0))
            })?;
            let texels: Vec<[u8; 4]> = bench.read(&picture.mip(0))?;
            pictures.push(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect());
        }
        Ok((pictures, light_of(&bench.read::<u16>(&hdr)?)))
    }

    /// As the picture itself: where a pattern has edges, rounding may put a pixel on the other side.
    fn agree(settings: &ShadeSettings, (cpu, _): &Self::Output, (gpu, light): &Self::Output) -> Verdict {
        let scene = block_of(settings, &gallery(3).viewpoint.camera(), SUN.normalize(), None, SIZE);
        let counts = Verdict::at_most("views too many or too few", VIEWS.len().abs_diff(gpu.len()) as f64, 0.0);
        let all = VIEWS.iter().zip(cpu.iter().zip(gpu)).map(|(view, (cpu, gpu))| {
            let cpu = match view.name {
                // The light is the picture's source; here only its colours are compared.
                "hdr" => light.iter().flat_map(|light| exposure(view, &scene, *light).to_array()).collect(),
                _ => cpu.clone(),
            };
            if cpu.len() != gpu.len() {
                return Verdict { passed: false, text: format!("{}: {} channels", view.name, gpu.len()) };
            }
            let errors = cpu.iter().zip(gpu).filter(|(cpu, _)| !cpu.is_nan() || view.name != "uv");
            let errors = Errors::of(errors.map(|(cpu, gpu)| f64::from(cpu.clamp(0.0, 255.0) - gpu)));
            Verdict::within(view.name, &errors, [0.6, 4.0, 255.0]).and(Verdict::at_most(
                "half of it",
                errors.part(0.5),
                0.6,
            ))
        });
        all.fold(counts, Verdict::and)
    }
}
