//! A page with the glass (`--copy-as FILE.html`): its pictures, of the last frame.

use anyhow::{Context as _, Result};
use base64::Engine as _;
use gpu::Frame;
use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};
use media::picture::Picture;
use media::resample::{Crop, cover};
use renderer::Renderer;
use technique::FrameRead;

/// What is below the glass.
pub const BELOW: (&str, &str) = ("mip_chain", "level 0");
/// Pixels: width at most, of the picture below and of the frame.
const WIDEST: [u32; 2] = [1920, 640];
const QUALITY: u8 = 90;

/// After the frame is recorded; [`BELOW`] has been prepared.
pub fn read_below(renderer: &Renderer, frame: &mut Frame) -> Result<FrameRead> {
    let last = renderer.last_frame();
    let below = last.and_then(|(all, context)| all.output(BELOW.0, BELOW.1, context));
    Ok(below.context("a web page: the frame has no picture below the glass")?.read(frame)?)
}

pub fn with_pictures(mut page: String, below: &FrameRead, seen: &Picture) -> Result<String> {
    if !page.contains(glass::PAGE_PICTURES[0]) {
        return Ok(page);
    }
    let below = below.array()?.picture()?;
    for ((mark, widest), picture) in glass::PAGE_PICTURES.into_iter().zip(WIDEST).zip([&below, seen]) {
        let [width, height] = picture.size;
        let size = [width.min(widest), height * width.min(widest) / width];
        let file = jpeg(&cover(picture, size, Crop::Middle))?;
        page = page.replacen(mark, &base64::engine::general_purpose::STANDARD.encode(file), 1);
    }
    Ok(page)
}

fn jpeg(picture: &Picture) -> Result<Vec<u8>> {
    let rgb: Vec<u8> = picture.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let (mut bytes, [width, height]) = (Vec::new(), picture.size);
    JpegEncoder::new_with_quality(&mut bytes, QUALITY).encode(&rgb, width, height, ExtendedColorType::Rgb8)?;
    Ok(bytes)
}
