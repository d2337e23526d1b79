//! Replays of workgroups: the evidence of a frame, the steps, and the files of `--steps`.

use super::arguments::StepsArgument;
use super::failure::{Failure, OrFail as _};
use super::headless_options::StepOptions;
use super::write;
use crate::gpu::{Frame, ImageView, PassCapture};
use crate::renderer::Renderer;
use crate::techniques::{INFOS, Info, Replay, Settings, StoryPixel, StoryReads, typed_info};
use crate::ui::replay::pictures;
use anyhow::Result;
use std::path::PathBuf;

/// Points.
const PICTURE: [f32; 2] = [900.0, 640.0];

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

    pub fn steps(&self, renderer: &Renderer, settings: &Settings) -> Result<Option<(PathBuf, Replay)>> {
        let Some(evidence) = &self.evidence else { return Ok(None) };
        match evidence.replay(renderer, settings)? {
            None => Ok(None),
            Some(Ok(replay)) => Ok(Some((self.folder.clone(), replay))),
            Some(Err(why)) => Err(Failure::bad(format!("--steps {}: {why}", evidence.technique)).into()),
        }
    }
}

pub fn write_steps((folder, replay): &(PathBuf, Replay), report: &mut dyn FnMut(&str)) -> Result<(), Failure> {
    let info: Option<&Info> = INFOS.iter().find(|info| info.id == replay.technique);
    std::fs::create_dir_all(folder).map_err(anyhow::Error::from).or_bad("--png-series")?;
    for (number, picture) in pictures(replay, info.map_or("", |info| info.title), PICTURE).iter().enumerate() {
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
