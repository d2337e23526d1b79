//! Files of the last frame's numbers: outputs requested by `--save`.

use super::arguments::SaveArgument;
use super::crash_report;
use super::failure::{Failure, OrFail as _};
use anyhow::Result;
use gpu::Frame;
use media::array::{ArrayFormat, Element};
use renderer::Renderer;
use std::path::PathBuf;
use technique::{COLOURS, FrameRead, Info, OutputInfo};

pub struct Save {
    technique: &'static Info,
    output: &'static OutputInfo,
    name: String,
    file: PathBuf,
    format: ArrayFormat,
}

fn holds(format: ArrayFormat, output: &OutputInfo) -> bool {
    let is_of = |element| output.shape == COLOURS && output.elements.contains(&element);
    match format {
        ArrayFormat::Npy => true,
        ArrayFormat::Png => is_of(Element::U8) || is_of(Element::F16),
        ArrayFormat::Exr => is_of(Element::F16),
    }
}

impl Save {
    pub fn technique(&self) -> &'static str {
        self.technique.id
    }

    pub fn output(&self) -> (&str, &str) {
        (self.technique.id, &self.name)
    }

    pub fn find(typed: &SaveArgument) -> Result<Self, Failure> {
        let SaveArgument { technique, output: name, file } = typed;
        let unknown = |why: String| Failure::bad(format!("--save {technique}/{name}: {why}"));
        let technique = techniques::typed_info(technique).map_err(unknown)?;
        let output = technique.output(name).map_err(unknown)?;
        let refused = |why: String| Failure::bad(format!("--save {}: {why}", file.display()));
        let format = ArrayFormat::of(file).map_err(|why| Failure::bad(format!("--save {why}")))?;
        let save = Self { technique, output, name: name.clone(), file: file.clone(), format };
        if holds(format, output) {
            return Ok(save);
        }
        let (path, kind) = (save.path(), output.kind());
        Err(refused(match format {
            ArrayFormat::Exr => {
                format!("{path} is {kind}, an EXR file takes f16, {COLOURS}; expected a file that ends in .npy")
            }
            _ => format!("{path} is {kind}, a PNG file takes u8 or f16, {COLOURS}; expected a file that ends in .npy"),
        }))
    }

    fn path(&self) -> String {
        format!("{}/{}", self.technique.id, self.name)
    }

    pub fn read(&self, renderer: &Renderer, frame: &mut Frame) -> Result<ReadFile> {
        let last = renderer.last_frame();
        let output = |name: &str| last.and_then(|(all, context)| all.output(self.technique.id, name, context));
        if let Some(output) = output(&self.name) {
            let (file, format) = (self.file.clone(), self.format);
            return Ok(ReadFile { file, format, read: output.read(frame)? });
        }
        let count = self.output.count(|name| output(name).is_some());
        let last = count.and_then(|count| count.checked_sub(1)).map(|last| self.output.example(last));
        let there = last.map(|last| format!(", whose last is {last}")).unwrap_or_default();
        Err(Failure::bad(format!("--save {}: not in this frame{there}; expected {}", self.path(), self.output.needs))
            .into())
    }
}

pub struct ReadFile {
    file: PathBuf,
    format: ArrayFormat,
    read: FrameRead,
}

impl ReadFile {
    /// Option, file and its bytes, which hold nothing of the device.
    pub fn encode(self) -> Result<(&'static str, PathBuf, Vec<u8>), Failure> {
        let array = self.read.array().map_err(|error| crash_report::of(error.into()))?;
        let bytes = self.format.encode(&array).or_bad(format!("--save {}", self.file.display()))?;
        Ok(("--save", self.file, bytes))
    }
}
