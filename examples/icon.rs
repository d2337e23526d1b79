//! The program's icon, rendered with its own glass: a drop over a sunset over water. `cargo run --example icon -- FILE.png`;
//! `-- FILE.ico FILE.png` converts it to an icon for Windows.

use anyhow::Context as _;
use app::{cli, headless};
use media::{picture::Picture, png, resample};
use std::ffi::OsString;
use std::path::Path;

/// Side of the rendered picture, and of the icon, in pixels.
const RENDERED: u32 = 1024;
const SIDE: u32 = 256;

/// The backdrop's colour at a position, in fractions of its side.
fn sunset(x: f32, y: f32) -> [f32; 3] {
    const STOPS: [(f32, [f32; 3]); 5] = [
        (0.0, [0.16, 0.13, 0.38]),
        (0.30, [0.45, 0.20, 0.56]),
        (0.52, [0.94, 0.36, 0.48]),
        (0.66, [1.0, 0.68, 0.38]),
        (1.0, [1.0, 0.85, 0.6]),
    ];
    const HORIZON: f32 = 0.66;
    let sky = |y: f32| {
        let next = STOPS.iter().position(|(at, _)| *at > y).unwrap_or(STOPS.len() - 1).max(1);
        let [(from, a), (to, b)] = [STOPS[next - 1], STOPS[next]];
        let t = ((y - from) / (to - from)).clamp(0.0, 1.0);
        [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * t)
    };
    let sun = |x: f32, y: f32| {
        let r = ((x - 0.60) / 0.125).hypot((y - 0.5) / 0.125);
        [((1.0 - r) * 40.0 + 0.5).clamp(0.0, 1.0), 0.55 * (-2.2 * (r - 1.0).max(0.0)).exp()]
    };
    let lit = |base: [f32; 3], [disc, glow]: [f32; 2], sun: [f32; 3]| {
        [0, 1, 2].map(|c| base[c] + (sun[c] - base[c]) * disc.max(glow * 0.6))
    };
    if y < HORIZON {
        return lit(sky(y), sun(x, y), [1.0, 0.94, 0.76]);
    }
    // Water: the flipped sky, darker, in bands that grow towards the viewer.
    let depth = (y - HORIZON) / (1.0 - HORIZON);
    let wave = (depth.powf(0.55) * 40.0 + (x * 9.0).sin() * 0.6).sin();
    let seen = HORIZON - (y - HORIZON) * 1.3 + 0.012 * wave * (0.4 + depth);
    let base = sky(seen.max(0.0)).map(|c| c * (0.62 - 0.3 * depth));
    lit(base, sun(x + 0.03 * wave * (0.3 + depth), seen).map(|s| s * (0.9 - 0.3 * depth)), [1.0, 0.66, 0.42])
}

/// Coverage of a pixel by the icon's outline, a superellipse.
fn cover(x: u32, y: u32) -> f32 {
    let middle = SIDE as f32 / 2.0;
    let [x, y] = [x, y].map(|at| ((at as f32 + 0.5 - middle) / (middle - 2.0)).abs());
    let distance = 1.0 - (x.powf(5.0) + y.powf(5.0)).powf(0.2);
    (distance * (middle - 2.0) + 0.5).clamp(0.0, 1.0)
}

/// Sides of the pictures in an icon for Windows: list, task bar, desktop, at usual scale factors.
const SIDES: [u32; 8] = [256, 128, 64, 48, 40, 32, 24, 16];

/// An icon file for Windows: a directory, then PNG files. `picture` has the first of the sides.
fn windows_icon(picture: &[u8]) -> anyhow::Result<Vec<u8>> {
    let whole = png::decode_rgba(picture)?;
    let encoded = |side: u32| match side {
        SIDE => Ok(picture.to_vec()),
        _ => png::encode(&resample::cover(&whole, [side; 2], resample::Crop::Middle), &[]),
    };
    let pictures = SIDES.into_iter().map(encoded).collect::<anyhow::Result<Vec<_>>>()?;
    let mut icon: Vec<u8> = [0, 1, SIDES.len() as u16].into_iter().flat_map(u16::to_le_bytes).collect();
    let mut at = (icon.len() + 16 * SIDES.len()) as u32;
    for (side, png) in SIDES.into_iter().zip(&pictures) {
        // 0 is 256. No palette, one plane, 32 bits a pixel.
        icon.extend([side as u8, side as u8, 0, 0, 1, 0, 32, 0]);
        icon.extend((png.len() as u32).to_le_bytes());
        icon.extend(at.to_le_bytes());
        at += png.len() as u32;
    }
    icon.extend(pictures.concat());
    Ok(icon)
}

fn main() -> anyhow::Result<()> {
    let file = std::env::args().nth(1).context("expected the name of a PNG file to write")?;
    if let Some(picture) = std::env::args().nth(2) {
        std::fs::write(&file, windows_icon(&std::fs::read(picture)?)?)?;
        return Ok(());
    }
    let folder = std::env::temp_dir();
    let part = |name: &str| folder.join(format!("meniscus-icon-{}-{name}.png", std::process::id()));
    let (backdrop, seen) = (part("backdrop"), part("seen"));
    let paint = |x: u32, y: u32| {
        let [r, g, b] = sunset((x as f32 + 0.5) / RENDERED as f32, (y as f32 + 0.5) / RENDERED as f32);
        [r, g, b, 1.0].map(|value| (value * 255.0).round() as u8)
    };
    Picture::from_fn([RENDERED; 2], paint).save_png(&backdrop)?;
    let size = format!("{RENDERED}x{RENDERED}");
    let drop = [
        "half_width=330",
        "half_height=330",
        "exponent=2.2",
        "bevel_width=165",
        "bevel_height=190",
        "gap=150",
        "frost=0",
        "rim_width=7",
        "rim=1.6",
        "gloss=0.9",
        "caustic=0.5",
        "adaptive=0",
    ];
    let mut words: Vec<OsString> = ["meniscus", "headless", "--size", &size, "--image"].map(Into::into).into();
    words.push(backdrop.clone().into());
    words.extend(drop.iter().flat_map(|set| ["--set".into(), format!("glass.{set}").into()]));
    words.extend(["--png".into(), seen.clone().into()]);
    let cli::Task::Headless(common, look, output) = cli::parse(words)? else { anyhow::bail!("not headless") };
    headless::run(&common, &look, &output)?;
    let small = resample::cover(&Picture::load(&seen)?, [SIDE; 2], resample::Crop::Middle);
    let icon = Picture::from_fn([SIDE; 2], |x, y| {
        let [r, g, b, _] = small.pixel(x, y);
        [r, g, b, (cover(x, y) * 255.0).round() as u8]
    });
    std::fs::remove_file(backdrop)?;
    std::fs::remove_file(seen)?;
    std::fs::write(Path::new(&file), png::encode(&icon, &[])?)?;
    Ok(())
}
