//! Small pictures of the whole frame against kept ones, under validation.
//!
//! A picture may differ by 0.75 of an 8-bit step in the mean and by 24 in the worst channel (drivers round differently
//! at hard edges below the glass); a picture of the world by any step in 8 pixels: where two triangles are equally deep
//! to the last bit the one drawn first stays, and their order is not fixed (docs/meshlets.md). On failure the picture
//! and its difference, eight times as strong, are written to target/goldens. `MENISCUS_ACCEPT=1 cargo test --test
//! goldens` keeps the new pictures instead.

use meniscus::{
    base::{difference, picture::Picture},
    gpu::{Format, Frames, Gpu, Image, ImageDesc, Use},
    renderer::{ActiveView, Backdrop, FrameParams, Patience, Renderer, ViewPlacement, Worlds},
    scene::Lens,
    techniques::Settings,
};
use std::path::{Path, PathBuf};

const SIZE: [u32; 2] = [480, 270];
const MEAN: f64 = 0.75;
const WORST: u8 = 24;
/// Pixels of the world that may differ by more.
const TIES: usize = 8;

fn root(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// Name, settings as `--set` takes them, view.
type Case = (&'static str, &'static [&'static str], Option<(&'static str, &'static str, ViewPlacement)>);
const LOOKS: &[Case] = &[
    ("clear", &[], None),
    ("frosted", &["glass.preset=frosted"], None),
    ("tinted", &["glass.preset=tinted"], None),
    ("prism", &["glass.preset=prism"], None),
    ("source", &["glass.mode=source"], None),
    ("paper", &["scene.motif=paper"], None),
    ("box81", &["glass.frost=6", "glass.blur=box81"], None),
    ("distance", &[], Some(("glass", "distance", ViewPlacement::Full))),
    ("mip_in_lens", &["mip_chain.view_level=3"], Some(("mip_chain", "level", ViewPlacement::Lens))),
    ("normal_split", &[], Some(("glass", "normal", ViewPlacement::Split))),
    ("court", &["scene.source=world"], None),
    ("court_ids", &["scene.source=world"], Some(("meshlets", "ids", ViewPlacement::Lens))),
    ("court_kinds", &["scene.source=world"], Some(("shade", "kind", ViewPlacement::Split))),
];

#[test]
fn frames_look_as_kept() {
    let gpu = Gpu::headless(true).unwrap();
    let messages = gpu.messages();
    let mut frames = Frames::new(&gpu, 1);
    let (backdrop, worlds) = (Backdrop::new(None, Patience::Wait), Worlds::new(None, Patience::Wait));
    let mut renderer = Renderer::new(&gpu, backdrop, worlds).unwrap();
    let target = Image::new(&gpu, ImageDesc::new("target", SIZE, Format::Rgba8, &[Use::Color])).unwrap();
    let mut wrong = Vec::new();
    for (name, sets, view) in LOOKS {
        let mut settings = Settings::default();
        // The flat picture, whatever the program shows at first.
        for set in ["scene.source=picture"].iter().chain(*sets) {
            settings.lay(meniscus::base::settings::parse_set(set).unwrap()).unwrap();
        }
        let glass = &settings.glass;
        let half = glam::Vec2::new(glass.half_width, glass.half_height) * 0.5;
        let lens = Lens {
            center: glam::Vec2::new(200.0, 120.0),
            half,
            exponent: glass.exponent,
            angle: 0.0,
            strain: glam::Vec2::ZERO,
        };
        let view = view.map(|(technique, name, place)| ActiveView::find(technique, name, place).unwrap());
        let (split, scale, seconds, drifted_s, world_scale) = (0.5, 0.5, 1.0, 0.0, 1.0);
        let (settings, lenses) = (&settings, &[lens][..]);
        let params = FrameParams { settings, lenses, view, split, scale, seconds, drifted_s, world_scale };
        let record = |frame: &mut meniscus::gpu::Frame| {
            renderer.record(frame, &params, &target.mip(0))?;
            frame.read_image(&target.mip(0))
        };
        let (read, _) = frames.once(record).unwrap();
        let got = Picture { size: SIZE, rgba: read.read().unwrap() };
        let ties = if sets.contains(&"scene.source=world") { TIES } else { 0 };
        wrong.extend(compare(name, &got, ties).err());
    }
    drop((frames, renderer, target, gpu));
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(messages.all(), Vec::<String>::new());
}

/// Pixels in which a channel differs by more than [`WORST`].
fn beyond(a: &Picture, b: &Picture) -> usize {
    let differ = |(a, b): (&[u8], &[u8])| (0..3).any(|channel| a[channel].abs_diff(b[channel]) > WORST);
    a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4)).filter(|pair| differ(*pair)).count()
}

fn compare(name: &str, got: &Picture, ties: usize) -> Result<(), String> {
    let kept = root("assets/goldens").join(format!("{name}.png"));
    if std::env::var_os("MENISCUS_ACCEPT").is_some() {
        return got.save_png(&kept).map_err(|e| format!("{e:#}"));
    }
    let expected = Picture::load(&kept).map_err(|e| format!("{e:#}"))?;
    let difference = difference::compare(&expected, got).map_err(|e| format!("{name}: {e:#}"))?;
    let beyond = beyond(&expected, got);
    if difference.mean <= MEAN && beyond <= ties {
        return Ok(());
    }
    let folder = root("target/goldens");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let strong = difference::difference_picture(&expected, got, 8.0).map_err(|e| e.to_string())?;
    got.save_png(&folder.join(format!("{name}.png"))).map_err(|e| e.to_string())?;
    strong.save_png(&folder.join(format!("{name}.difference.png"))).map_err(|e| e.to_string())?;
    let (mean, max) = (difference.mean, difference.max);
    Err(format!(
        "{name}: mean {mean:.3} (at most {MEAN}), {beyond} pixels by more than {WORST} (at most {ties}), worst {max}; see \
         target/goldens"
    ))
}
