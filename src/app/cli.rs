//! Command line: parsed (clap), then merged and checked into a `Task`.

use super::animation::PathArgument;
use super::arguments::{Assignment, GpuChoice, Point, Preset, SaveArgument, Size, ViewArgument, whole};
pub use super::bench_options::{BenchOptions, TableOptions};
use super::failure::Failure;
use super::headless_options::{InstrumentOptions, MotionOptions, PairOptions, ReportOptions};
use super::is_standard_output;
use super::save::Save;
use base::file::check_writable;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand, error::ErrorKind};
use media::clip;
use media::source::is_standard_input;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Drag a liquid-glass lens over a picture and see what each GPU technique below it does and costs.
///
/// Without a command: the demo in a window; where no display answers, a picture and one line that says why, and the path of the picture.
#[derive(Debug, Parser)]
#[command(name = "meniscus", version, disable_help_subcommand = true)]
struct Typed {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    look: ViewOptions,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The demo in a window; fails where none can be opened.
    Window {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        look: ViewOptions,
    },
    /// Renders frames without a window.
    Headless {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        look: ViewOptions,
        #[command(flatten)]
        output: Box<HeadlessOptions>,
    },
    /// Runs every check on this machine's GPU; exit code 1 if one fails.
    Verify {
        #[command(flatten)]
        common: Common,
        /// Only this technique's, or only this one.
        #[arg(value_name = "TECHNIQUE[/CHECK]")]
        technique: Option<String>,
        #[command(flatten)]
        options: VerifyOptions,
    },
    /// Measures GPU times by case and variant, each next to its floor and its checked result.
    Bench {
        #[command(flatten)]
        common: Common,
        /// Only this technique's.
        technique: Option<String>,
        #[command(flatten)]
        options: BenchOptions,
    },
    /// Reprints the tables of the source documents beside times of this machine.
    Tables {
        #[command(flatten)]
        common: Common,
        /// Only this technique's.
        technique: Option<String>,
        #[command(flatten)]
        options: TableOptions,
    },
    /// Shows registers, spills, shared memory and waves of every pipeline of a frame, as the driver tells.
    Shaders {
        #[command(flatten)]
        common: Common,
        /// Only this technique's.
        technique: Option<String>,
    },
    /// Shows GPUs, techniques, settings with range and default, presets.
    List {
        #[command(flatten)]
        common: Common,
    },
}

/// What every command takes, before or after its name.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Which GPU: its number or a part of its name (`meniscus list` shows them). Default: a discrete one, else an integrated one, else any.
    #[arg(long, value_name = "INDEX|NAME", allow_negative_numbers = true)]
    pub gpu: Option<GpuChoice>,
    /// Size of the picture in pixels; for a window, of its inside. Default: 1280x720, for shaders 320x180.
    #[arg(long, value_name = "WxH", allow_hyphen_values = true)]
    pub size: Option<Size>,
    /// A picture (PNG, JPEG, WebP, GIF, BMP, TIFF; HDR: OpenEXR, Radiance; moving: GIF, APNG, WebP, .y4m, a folder, frames/%04d.png) to lie under the glass; `-`: standard input.
    #[arg(long, value_name = "FILE")]
    pub image: Option<PathBuf>,
    /// A picture all around (equirectangular; OpenEXR, Radiance) as the sky of the 3D scene.
    #[arg(long, value_name = "FILE")]
    pub sky: Option<PathBuf>,
    /// A scene (.gltf or .glb) to lie under the glass.
    #[arg(long, value_name = "FILE", conflicts_with = "image")]
    pub scene: Option<PathBuf>,
    /// Settings to start from: a preset's name or a TOML file. Default: in a window those of the last session, else those of `meniscus list`.
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = OsStringValueParser::new().try_map(Preset::of))]
    pub preset: Option<Preset>,
    /// One setting laid over the rest; may be repeated.
    #[arg(long, value_name = "TECHNIQUE.FIELD=VALUE")]
    pub set: Vec<Assignment>,
    /// Validation with synchronization validation: any message ends in exit code 1.
    #[arg(long)]
    pub validate: bool,
    /// Writes the results there as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// What the window and headless start with.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Window and headless")]
pub struct ViewOptions {
    /// A technique's picture of its inner workings. Default: none, the final image.
    #[arg(long, value_name = "TECHNIQUE/NAME[@full|@lens|@split]")]
    pub view: Option<ViewArgument>,
    /// Centre of the first lens, in pixels from the top left. Default: the middle.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub lens: Option<Point>,
    /// Lenses from a file: `[[lens]]` tables, with id, container, centre, outline and glass of each (docs/running.md).
    #[arg(long, value_name = "FILE.toml")]
    pub lenses: Option<PathBuf>,
    /// Begins as at the first launch, not as the last window was left (window only).
    #[arg(long)]
    pub fresh: bool,
    /// Opens a file as if it was dropped: a picture, a scene, a preset; may be repeated (window only).
    #[arg(long, value_name = "FILE")]
    pub open: Vec<PathBuf>,
}

/// What headless does besides rendering.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Headless")]
pub struct HeadlessOptions {
    /// How many frames to render.
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole(1, 1_000_000), allow_negative_numbers = true)]
    pub frames: u32,
    /// Writes the last frame there, a PNG; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Writes what a technique has made in the last frame: .npy as it is, .png or .exr for pictures; may be repeated.
    #[arg(long, value_name = "TECHNIQUE/OUTPUT=FILE")]
    pub save: Vec<SaveArgument>,
    /// Writes all frames there, 25 a second: as an animated PNG, or as raw video to a name that ends in .y4m or to `-`, a pipe.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// B beside A.
    #[command(flatten)]
    pub pair: PairOptions,
    /// What moves: the lens, the camera, or what the keys in a file say (docs/recording.md). Default: nothing.
    #[arg(long, value_name = "drag|orbit|FILE.toml")]
    pub path: Option<PathArgument>,
    /// How the frames of a moving picture are drawn and judged.
    #[command(flatten)]
    pub motion: MotionOptions,
    /// Measures what the button of a technique's section measures, after the frames, and prints it; may be repeated.
    #[arg(long, value_name = "TECHNIQUE")]
    pub measure: Vec<String>,
    /// What is known about the last frame.
    #[command(flatten)]
    pub report: ReportOptions,
    /// Options of instruments.
    #[command(flatten)]
    pub instruments: InstrumentOptions,
}

impl HeadlessOptions {
    fn files(&self) -> [(&'static str, Option<&PathBuf>); 3] {
        [("--png", self.png.as_ref()), ("--trace", self.report.trace.as_ref()), ("--record", self.record.as_ref())]
    }
}

/// Which cases of the checks are run.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Verify")]
pub struct VerifyOptions {
    /// The difficult cases only, as the tests.
    #[arg(long)]
    pub quick: bool,
    /// Prints the names of the checks and runs none.
    #[arg(long)]
    pub list: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    Launch(Common, ViewOptions),
    Window(Common, ViewOptions),
    Headless(Common, ViewOptions, Box<HeadlessOptions>),
    Verify(Common, Option<String>, VerifyOptions),
    Bench(Common, Option<String>, BenchOptions),
    Tables(Common, Option<String>, TableOptions),
    Shaders(Common, Option<String>),
    List(Common),
    Show(String),
}

const SEE_HELP: &str = "(see meniscus --help)";

pub fn command() -> clap::Command {
    <Typed as clap::CommandFactory>::command()
}

pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Task, Failure> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let typed = match Typed::try_parse_from(&arguments) {
        Ok(typed) => typed,
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => {
            let strange = arguments.iter().find(|argument| argument.to_str().is_none());
            let shown = strange.map_or_else(|| "an argument".into(), |argument| format!("{argument:?}"));
            return Err(Failure::bad(format!(
                "{shown} is no UTF-8 text; expected it for all but names of files {SEE_HELP}"
            )));
        }
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return Ok(Task::Show(error.to_string()));
        }
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand => {
            let line = shortened(&error.to_string());
            return Err(Failure::bad(format!(
                "{line}; expected window, headless, verify, bench, tables, shaders or list {SEE_HELP}"
            )));
        }
        Err(error) => return Err(Failure::bad(format!("{} {SEE_HELP}", shortened(&error.to_string())))),
    };
    typed.check()
}

impl Typed {
    fn check(self) -> Result<Task, Failure> {
        let Self { common: before, look: look_before, command } = self;
        let command = match command {
            None => return Task::Launch(before, look_before).checked(),
            Some(command) => command,
        };
        let no_look = |command: &str| {
            let option = look_before.view.as_ref().map(|_| "--view").or(look_before.lens.map(|_| "--lens"));
            let option = option.or(look_before.lenses.as_ref().map(|_| "--lenses"));
            let option = option.or(look_before.fresh.then_some("--fresh"));
            let option = option.or((!look_before.open.is_empty()).then_some("--open"));
            option.map_or(Ok(()), |option| {
                Err(Failure::bad(format!("{option} is not for {command}; expected it with window or headless")))
            })
        };
        match command {
            Command::Window { common, look } => Task::Window(before.with(common)?, look_before.clone().with(look)?),
            Command::Headless { look, .. } if look.fresh || look_before.fresh => {
                return Err(Failure::bad(
                    "--fresh is not for headless, which always starts from defaults; expected no --fresh",
                ));
            }
            Command::Headless { look, .. } if !look.open.is_empty() || !look_before.open.is_empty() => {
                return Err(Failure::bad("--open is not for headless; expected --image, --scene or --preset"));
            }
            Command::Headless { common, look, output } => {
                Task::Headless(before.with(common)?, look_before.clone().with(look)?, output)
            }
            Command::Verify { common, technique, options } => {
                no_look("verify")?;
                Task::Verify(before.with(common)?, technique, options)
            }
            Command::Bench { common, technique, options } => {
                no_look("bench")?;
                Task::Bench(before.with(common)?, technique, options)
            }
            Command::Tables { common, technique, options } => {
                no_look("tables")?;
                Task::Tables(before.with(common)?, technique, options)
            }
            Command::Shaders { common, technique } => {
                no_look("shaders")?;
                Task::Shaders(before.with(common)?, technique)
            }
            Command::List { common } => {
                no_look("list")?;
                Task::List(before.with(common)?)
            }
        }
        .checked()
    }
}

impl Common {
    fn with(self, after: Self) -> Result<Self, Failure> {
        let mut set = self.set;
        set.extend(after.set);
        Ok(Self {
            gpu: once("--gpu", self.gpu, after.gpu)?,
            size: once("--size", self.size, after.size)?,
            image: once("--image", self.image, after.image)?,
            sky: once("--sky", self.sky, after.sky)?,
            scene: once("--scene", self.scene, after.scene)?,
            preset: once("--preset", self.preset, after.preset)?,
            set,
            validate: self.validate || after.validate,
            json: once("--json", self.json, after.json)?,
        })
    }
}

impl ViewOptions {
    fn with(self, after: Self) -> Result<Self, Failure> {
        Ok(Self {
            view: once("--view", self.view, after.view)?,
            lens: once("--lens", self.lens, after.lens)?,
            lenses: once("--lenses", self.lenses, after.lenses)?,
            fresh: self.fresh || after.fresh,
            open: [self.open, after.open].concat(),
        })
    }
}

impl Task {
    /// Options of every command, and those of headless.
    fn common(&self) -> Option<(&Common, Option<&HeadlessOptions>)> {
        match self {
            Self::Headless(common, _, output) => Some((common, Some(output))),
            Self::Launch(common, _)
            | Self::Window(common, _)
            | Self::Verify(common, ..)
            | Self::Bench(common, ..)
            | Self::Tables(common, ..)
            | Self::Shaders(common, _)
            | Self::List(common) => Some((common, None)),
            Self::Show(_) => None,
        }
    }

    pub fn takes_standard_output(&self) -> bool {
        let Some((common, output)) = self.common() else { return false };
        let is_there = |(_, file): (&str, Option<&PathBuf>)| file.is_some_and(|file| is_standard_output(file));
        let by_instruments = |output: &HeadlessOptions| {
            output.instruments.written().is_ok_and(|all| all.iter().any(|(_, file)| is_standard_output(file)))
        };
        is_there(("--json", common.json.as_ref()))
            || output.is_some_and(|output| output.files().into_iter().any(is_there) || by_instruments(output))
    }

    /// Before any work is done.
    fn checked(self) -> Result<Self, Failure> {
        let Some((common, output)) = self.common() else { return Ok(self) };
        if common.image.is_some() && common.scene.is_some() {
            return Err(Failure::bad("--image and --scene are both given; expected one of them"));
        }
        let preset = match &common.preset {
            Some(Preset::File(file)) => Some(file),
            _ => None,
        };
        for (option, file) in [
            ("--image", &common.image),
            ("--sky", &common.sky),
            ("--scene", &common.scene),
            ("--preset", &preset.cloned()),
        ] {
            let is_one = |file: &&PathBuf| option != "--image" || !clip::is_sequence(file) && !is_standard_input(file);
            file.as_ref().filter(is_one).map_or(Ok(()), |file| readable(option, file))?;
        }
        if let Self::Bench(_, _, BenchOptions { against: Some(file), .. }) = &self {
            readable("--against", file)?;
        }
        if let Self::Launch(_, view) | Self::Window(_, view) = &self {
            view.open.iter().filter(|file| !clip::has_pictures(file)).try_for_each(|file| readable("--open", file))?;
        }
        let outputs = output.into_iter().flat_map(HeadlessOptions::files).chain([("--json", common.json.as_ref())]);
        let mut written: Vec<(String, PathBuf)> =
            outputs.filter_map(|(option, file)| Some((option.to_owned(), file?.clone()))).collect();
        if let Some(output) = output {
            for save in &output.save {
                Save::find(save)?;
                written.push(("--save".into(), save.file.clone()));
            }
            for file in &output.report.copy_as {
                ReportOptions::language(file)?;
                written.push(("--copy-as".into(), file.clone()));
            }
            written.extend(output.instruments.written()?);
        }
        for (option, file) in written.iter().filter(|(_, file)| !is_standard_output(file)) {
            writable(option, file)?;
            named_as_written(option, file)?;
        }
        distinct(&written)?;
        Ok(self)
    }
}

fn once<T>(option: &str, before: Option<T>, after: Option<T>) -> Result<Option<T>, Failure> {
    match (before, after) {
        (Some(_), Some(_)) => {
            Err(Failure::bad(format!("{option} is given twice; expected it before or after the command's name")))
        }
        (before, after) => Ok(before.or(after)),
    }
}

fn readable(option: &str, file: &PathBuf) -> Result<(), Failure> {
    let bad = |why: String| Failure::bad(format!("{option} {}: {why}; expected a file to read", file.display()));
    match std::fs::metadata(file) {
        Err(error) => Err(bad(error.to_string())),
        Ok(found) if found.is_dir() => Err(bad("it is a folder".into())),
        Ok(found) if !found.is_file() => Err(bad("it is not a plain file".into())),
        Ok(_) => Ok(()),
    }
}

fn writable(option: &str, file: &Path) -> Result<(), Failure> {
    check_writable(file)
        .map_err(|why| Failure::bad(format!("{option} {}: {why}; expected a file to write", file.display())))
}

/// With another extension they are not found, or not opened.
fn named_as_written(option: &str, file: &Path) -> Result<(), Failure> {
    let endings: &[&str] = match option {
        "--png" => &["png"],
        "--record" => &["png", "apng", "y4m"],
        _ => return Ok(()),
    };
    let is_fit = |ending: &std::ffi::OsStr| endings.iter().any(|fit| ending.eq_ignore_ascii_case(fit));
    let is_special = std::fs::metadata(file).is_ok_and(|there| !there.is_file());
    if is_special || file.extension().is_some_and(is_fit) {
        return Ok(());
    }
    let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    let expected = format!("expected a name that ends in {} or -", endings.join(", "));
    let written = if option == "--record" { "a PNG or a .y4m video" } else { "a PNG" };
    Err(Failure::bad(format!("{option} {}: {written} is written; {expected}", file.display())))
}

fn distinct(written: &[(String, PathBuf)]) -> Result<(), Failure> {
    let mut known: Vec<(&str, PathBuf)> = Vec::new();
    for (option, file) in written {
        let whole =
            |folder: &Path| std::fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let there = std::fs::canonicalize(file);
        if there.as_ref().is_ok_and(|there| !there.is_file()) {
            continue;
        }
        let beside = || Some(whole(file.parent()?).ok()?.join(file.file_name()?));
        let Some(place) = there.ok().or_else(beside) else { continue };
        let is_shared = |other: &str| other == option && is_standard_output(file);
        if let Some((other, _)) = known.iter().find(|(other, known)| *known == place && !is_shared(other)) {
            let both = if other == option { format!("{option} twice") } else { format!("{other} and {option}") };
            let why = format!("{both}: {} is written by each; expected a file for each", file.display());
            return Err(Failure::bad(why));
        }
        known.push((option, place));
    }
    Ok(())
}

/// The fault and what was expected, on one line, without clap's usage.
fn shortened(message: &str) -> String {
    let wanted = message.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let parts: Vec<&str> = wanted.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
    let line = parts.join("; ").replace(":; ", ": ").replace("tip: ", "").replace("; [", " [");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

#[cfg(test)]
#[path = "cli_tests.rs"]
pub(super) mod tests;
