//! Options of headless about B, and of instruments.

use super::arguments::{Assignment, Size, whole};
use super::failure::Failure;
use clap::builder::{StringValueParser, TypedValueParser as _, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use glass::ShaderLanguage;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use ui::instruments::{self, ArgumentInfo, Instruments, Parser, RunInfo};

/// How B differs from A.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Headless")]
pub struct PairOptions {
    /// B beside A: one setting that differs, laid over all others; may be repeated. Both are in each frame: the lens of the picture shows B;
    /// times and difference are printed.
    #[arg(long, value_name = "TECHNIQUE.FIELD=VALUE")]
    pub b: Vec<Assignment>,
    /// B of another size; the difference is that of its picture scaled to the size of A.
    #[arg(long, value_name = "WxH", allow_hyphen_values = true)]
    pub b_size: Option<Size>,
    /// B with the shaders of this folder, a copy of `shaders`.
    #[arg(long, value_name = "DIR")]
    pub b_shaders: Option<PathBuf>,
}

impl PairOptions {
    pub fn has_b(&self) -> bool {
        !self.b.is_empty() || self.b_size.is_some() || self.b_shaders.is_some()
    }
}

/// How the frames of a moving picture are drawn and judged.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionOptions {
    /// Chooses the rays of moving mirrors (`reflections.rate=auto`) by the GPU's times, as a window on a display of this refresh rate does: runs
    /// may differ then. Without it each pixel has a ray.
    #[arg(long, value_name = "HZ", value_parser = hertz, allow_negative_numbers = true)]
    pub display_hz: Option<f64>,
    /// Compares every Nth frame with the converged picture of the same camera, and prints the differences; the frames after it start without a history.
    #[arg(long, value_name = "N", value_parser = whole(1, u32::MAX), allow_negative_numbers = true, conflicts_with_all = ["b", "b_size", "b_shaders", "record"])]
    pub against_rest: Option<u32>,
}

fn hertz(text: &str) -> Result<f64, String> {
    let hertz = text.parse().ok().filter(|hertz| (1.0..=1000.0).contains(hertz));
    hertz.ok_or_else(|| "expected a number from 1 to 1000".into())
}

/// What is known about the last frame besides its picture.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct ReportOptions {
    /// Captures the last frame with RenderDoc, when it is attached.
    #[arg(long)]
    pub capture: bool,
    /// Writes the passes' times there as a Chrome (Perfetto) trace.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Writes the lenses of the last frame as a fragment shader for other programs, by the file's ending: .glsl for ShaderToy, .frag is GLSL 4.50,
    /// .es.frag GLSL ES 3.00, .wgsl, .metal, .hlsl; .html is a web page with the picture below, for browsers with WebGPU; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub copy_as: Vec<PathBuf>,
}

impl ReportOptions {
    pub fn has_page(&self) -> bool {
        self.copy_as.iter().any(|file| Self::language(file).is_ok_and(|language| language == ShaderLanguage::Page))
    }

    /// The language of a shader to be written.
    ///
    /// # Errors
    /// Exit code 2 for another end of its name.
    pub fn language(file: &Path) -> Result<ShaderLanguage, Failure> {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        ShaderLanguage::of_file(name).ok_or_else(|| {
            let endings = ShaderLanguage::ALL.map(|language| format!(".{} ({})", language.ending(), language.name()));
            let expected = format!("expected a file that ends in {}", endings.join(", "));
            Failure::bad(format!("--copy-as {}: {expected}", file.display()))
        })
    }
}

/// Names and values of instruments' own options, as their list has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstrumentOptions(pub Vec<(&'static str, OsString)>);

impl InstrumentOptions {
    fn infos() -> impl Iterator<Item = &'static ArgumentInfo> {
        instruments::INFOS.iter().flat_map(|info| info.arguments)
    }

    /// Options and the files that they write.
    pub fn written(&self) -> Result<Vec<(String, PathBuf)>, Failure> {
        let mut all = Vec::new();
        for ArgumentInfo { name, writes, .. } in Self::infos() {
            for (_, value) in self.0.iter().filter(|(typed, _)| typed == name) {
                let file = writes.map(|file_of| file_of(&value.to_string_lossy())).transpose();
                let file = file.map_err(|why| Failure::bad(format!("--{name} {why}")))?;
                all.extend(file.map(|file| (format!("--{name}"), file)));
            }
        }
        Ok(all)
    }

    /// Instruments that have taken them.
    pub fn argued(&self, run: &RunInfo) -> Result<Instruments, Failure> {
        let mut all = Instruments::default();
        for (name, value) in &self.0 {
            all.argue(name, value, run).map_err(Failure::bad)?;
        }
        Ok(all)
    }
}

impl FromArgMatches for InstrumentOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut all = Self::default();
        all.update_from_arg_matches(matches)?;
        Ok(all)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for ArgumentInfo { name, .. } in Self::infos() {
            self.0.extend(matches.get_many(name).into_iter().flatten().cloned().map(|value| (*name, value)));
        }
        Ok(())
    }
}

impl Args for InstrumentOptions {
    fn augment_args(command: Command) -> Command {
        Self::infos().fold(command, |command, info| {
            let text = |check: Parser<()>| {
                StringValueParser::new().try_map(move |text| check(&text).map(|()| OsString::from(text))).into()
            };
            let values = info.check.map_or_else(ValueParser::os_string, text);
            let option = Arg::new(info.name).long(info.name).value_name(info.value).help(info.doc);
            let option = option.help_heading("Headless").allow_hyphen_values(info.may_begin_with_hyphen);
            let action = if info.is_repeated { ArgAction::Append } else { ArgAction::Set };
            command.arg(option.value_parser(values).action(action).requires_all(info.requires))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
