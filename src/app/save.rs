//! Files of the last frame's numbers: outputs requested by `--save`, and resources of passes by `--capture-pass`.

use super::arguments::{CapturePassArgument, SaveArgument};
use super::crash_report;
use super::failure::{Failure, OrFail as _};
use anyhow::Result;
use gpu::{Frame, PassCapture};
use media::array::{Array, Element};
use renderer::Renderer;
use std::path::{Path, PathBuf};
use technique::{COLOURS, FrameRead, Info, OutputInfo};

pub struct Save {
    technique: &'static Info,
    output: &'static OutputInfo,
    name: String,
    file: PathBuf,
    format: FileFormat,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileFormat {
    Npy,
    Png,
    Exr,
}

impl FileFormat {
    pub fn for_option(option: &str, file: &Path) -> Result<Self, Failure> {
        let expected = "expected a file that ends in .npy, .png or .exr";
        Self::of(file).ok_or_else(|| Failure::bad(format!("{option} {}: {expected}", file.display())))
    }

    fn encode(self, array: &Array) -> Result<Vec<u8>> {
        match self {
            Self::Npy => array.npy(),
            Self::Png => array.picture().and_then(|picture| picture.encode_png()),
            Self::Exr => array.exr(),
        }
    }

    fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "npy" => Some(Self::Npy),
            "png" => Some(Self::Png),
            "exr" => Some(Self::Exr),
            _ => None,
        }
    }

    fn holds(self, output: &OutputInfo) -> bool {
        let is_of = |element| output.shape == COLOURS && output.elements.contains(&element);
        match self {
            Self::Npy => true,
            Self::Png => is_of(Element::U8) || is_of(Element::F16),
            Self::Exr => is_of(Element::F16),
        }
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
        let format = FileFormat::for_option("--save", file)?;
        let save = Self { technique, output, name: name.clone(), file: file.clone(), format };
        if format.holds(output) {
            return Ok(save);
        }
        let (path, kind) = (save.path(), output.kind());
        Err(refused(match format {
            FileFormat::Exr => {
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
            return Ok(ReadFile { option: "--save", file, format, read: output.read(frame)? });
        }
        let count = self.output.count(|name| output(name).is_some());
        let last = count.and_then(|count| count.checked_sub(1)).map(|last| self.output.example(last));
        let there = last.map(|last| format!(", whose last is {last}")).unwrap_or_default();
        Err(Failure::bad(format!("--save {}: not in this frame{there}; expected {}", self.path(), self.output.needs))
            .into())
    }
}

pub struct ReadFile {
    option: &'static str,
    file: PathBuf,
    format: FileFormat,
    read: FrameRead,
}

impl ReadFile {
    /// Option, file and its bytes, which hold nothing of the device.
    pub fn encode(self) -> Result<(&'static str, PathBuf, Vec<u8>), Failure> {
        let array = self.read.array().map_err(|error| crash_report::of(error.into()))?;
        let bytes = self.format.encode(&array).or_bad(format!("{} {}", self.option, self.file.display()))?;
        Ok((self.option, self.file, bytes))
    }
}

pub fn read_captured(
    frame: &mut Frame,
    capture: &PassCapture,
    arguments: &[CapturePassArgument],
) -> Result<Vec<ReadFile>> {
    let mut files = Vec::new();
    for CapturePassArgument { point, file } in arguments {
        let (option, file) = ("--capture-pass", file.clone());
        let Some(captured) = capture.get(point) else {
            return Err(Failure::bad(format!("{option}: {}", capture.why_not(point))).into());
        };
        let read = FrameRead::of(frame, captured)?;
        files.push(ReadFile { option, format: FileFormat::for_option(option, &file)?, file, read });
    }
    Ok(files)
}
