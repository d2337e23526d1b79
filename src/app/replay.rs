//! Replays of workgroups: the evidence of a frame, the steps, and the files of `--steps`.

use super::arguments::StepsArgument;
use super::failure::{Failure, OrFail as _};
use super::headless_options::StepOptions;
use super::write;
use crate::base::picture::Picture;
use crate::gpu::{
    Drawing, Format, Frame, Frames, Image, ImageDesc, ImageView, Painter, PassCapture, TextureChanges, Use,
};
use crate::renderer::Renderer;
use crate::techniques::{INFOS, Replay, Settings, StoryPixel, StoryReads, typed_info};
use crate::ui::{replay::show_still, theme};
use anyhow::Result;
use egui::{Context, Pos2, RawInput, Rect};
use std::path::PathBuf;

/// Pixels.
const PICTURE: [u32; 2] = [1800, 1280];
const PIXELS_PER_POINT: f32 = 2.0;
const GROUND: [f32; 4] = [16.0 / 255.0, 18.0 / 255.0, 25.0 / 255.0, 1.0];

pub struct ReplayEvidence {
    technique: &'static str,
    pixel: [u32; 2],
    reads: Option<StoryReads>,
}

impl ReplayEvidence {
    pub fn new(technique: &'static str, pixel: [u32; 2]) -> Self {
        Self { technique, pixel, reads: None }
    }

    pub fn read(
        &mut self,
        frame: &mut Frame,
        renderer: &Renderer,
        settings: &Settings,
        target: &ImageView,
    ) -> Result<()> {
        if let Some((techniques, context)) = renderer.last_frame() {
            let outputs = techniques.record_replay(frame, self.technique, settings, context)?;
            self.reads = Some(StoryReads::read(frame, &PassCapture::default(), &[], &outputs, target)?);
        }
        Ok(())
    }

    /// Call when that frame has ended, before another is recorded.
    pub fn replay(&self, renderer: &Renderer, settings: &Settings) -> Result<Option<Result<Replay, String>>> {
        let Some(reads) = &self.reads else { return Ok(None) };
        let texels = reads.texels()?;
        let replay = |(techniques, context): (&crate::techniques::Techniques, _)| {
            let pixel = StoryPixel { technique: "", at: self.pixel, context, texels: &texels };
            techniques.replay(self.technique, settings, pixel)
        };
        Ok(renderer.last_frame().map(replay))
    }
}

pub struct HeadlessReplay {
    evidence: Option<ReplayEvidence>,
    folder: PathBuf,
}

impl HeadlessReplay {
    pub fn new(options: &StepOptions, size: [u32; 2]) -> Result<Self, Failure> {
        let folder = options.png_series.clone().unwrap_or_default();
        let Some(StepsArgument { technique, pixel }) = &options.steps else {
            return Ok(Self { evidence: None, folder });
        };
        let info = typed_info(technique).map_err(|why| Failure::bad(format!("--steps: {why}")))?;
        if info.replays.is_empty() {
            let with: Vec<&str> = INFOS.iter().filter(|info| !info.replays.is_empty()).map(|info| info.id).collect();
            let why = format!("--steps {technique}: it has no steps; expected one of {}", with.join(", "));
            return Err(Failure::bad(why));
        }
        let pixel = pixel.unwrap_or(size.map(|side| side / 2));
        if pixel[0] >= size[0] || pixel[1] >= size[1] {
            let [width, height] = size;
            return Err(Failure::bad(format!(
                "--steps {technique}:{},{}: the picture has {width}x{height} pixels; expected 0,0 to {},{}",
                pixel[0],
                pixel[1],
                width - 1,
                height - 1
            )));
        }
        Ok(Self { evidence: Some(ReplayEvidence::new(info.id, pixel)), folder })
    }

    pub fn read(
        &mut self,
        frame: &mut Frame,
        renderer: &Renderer,
        settings: &Settings,
        target: &ImageView,
    ) -> Result<()> {
        self.evidence.as_mut().map_or(Ok(()), |evidence| evidence.read(frame, renderer, settings, target))
    }

    pub fn steps(&self, renderer: &Renderer, settings: &Settings, frames: &mut Frames) -> Result<Option<DrawnSteps>> {
        let Some(evidence) = &self.evidence else { return Ok(None) };
        match evidence.replay(renderer, settings)? {
            None => Ok(None),
            Some(Ok(replay)) => {
                Ok(Some(DrawnSteps { folder: self.folder.clone(), pictures: pictures(frames, &replay)?, replay }))
            }
            Some(Err(why)) => Err(Failure::bad(format!("--steps {}: {why}", evidence.technique)).into()),
        }
    }
}

pub struct DrawnSteps {
    folder: PathBuf,
    replay: Replay,
    pictures: Vec<Picture>,
}

fn pictures(frames: &mut Frames, replay: &Replay) -> Result<Vec<Picture>> {
    let title = INFOS.iter().find(|info| info.id == replay.technique).map_or("", |info| info.title);
    let target = Image::new(frames.gpu(), ImageDesc::new("step", PICTURE, Format::Rgba8, &[Use::Color]))?;
    let mut painter = Painter::new(frames.gpu(), target.format())?;
    let ctx = Context::default();
    theme::install(&ctx);
    ctx.set_pixels_per_point(PIXELS_PER_POINT);
    let size = PICTURE.map(|side| side as f32 / PIXELS_PER_POINT);
    let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size.into()));
    let mut pictures = Vec::new();
    for number in 0..replay.steps.len() {
        let (mut textures, mut shapes) = (TextureChanges::default(), Vec::new());
        // The first run makes the font's texture at another scale.
        for _ in 0..3 {
            let input = RawInput { screen_rect, ..RawInput::default() };
            let output = ctx.run_ui(input, |ui| show_still(ui, replay, title, number));
            textures.append(output.textures_delta.into());
            shapes = output.shapes;
        }
        let panels = ctx.tessellate(shapes, PIXELS_PER_POINT);
        let drawing = Drawing { marks: Vec::new(), panels, textures, pixels_per_point: PIXELS_PER_POINT };
        let (read, _) = frames.once(|frame| -> crate::gpu::Result<_> {
            frame.clear("step", &target.mip(0), GROUND)?;
            painter.paint(frame, &target, drawing)?;
            frame.read_image(&target.mip(0))
        })?;
        pictures.push(Picture { size: PICTURE, rgba: read.read()? });
    }
    Ok(pictures)
}

pub fn write_steps(steps: &DrawnSteps, report: &mut dyn FnMut(&str)) -> Result<(), Failure> {
    let DrawnSteps { folder, replay, pictures } = steps;
    std::fs::create_dir_all(folder).map_err(anyhow::Error::from).or_bad("--png-series")?;
    for (number, picture) in pictures.iter().enumerate() {
        let file = folder.join(format!("{number:02}.png"));
        write(&file, &picture.encode_png().or_bad("--png-series")?).or_bad("--png-series")?;
    }
    let [column, row] = replay.tiles.at;
    report(&format!("{}, tile {column}, {row}: {} steps\n", replay.technique, replay.steps.len()));
    report(&format!("{}\n", replay.note));
    for (number, step) in replay.steps.iter().enumerate() {
        report(&format!("step {:02} {}\n", number + 1, step.name));
    }
    for comparison in &replay.comparisons {
        report(&format!("{}\n", comparison.text));
    }
    match replay.comparisons.iter().find(|comparison| !comparison.is_equal()) {
        Some(wrong) => Err(Failure::failed(format!("--steps {}: {}", replay.technique, wrong.text))),
        None => Ok(()),
    }
}
