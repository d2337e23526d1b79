//! The program, and its rendering in this process, for tests.

use app::{
    cli::{Task, parse},
    session::Session,
};
use glam::UVec2;
use gpu::{Format, Frame, Frames, Gpu, Image, ImageDesc, ReadBack, Result, Use};
use renderer::{Background, FrameParams, LoadMode, Renderer, WorldLoader};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use technique::Output;
use techniques::INFOS;

/// A temporary folder of the test, removed when dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("meniscus-outputs-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

pub fn save(output: &str, file: &Path) -> [OsString; 2] {
    ["--save".into(), format!("{output}={}", file.display()).into()]
}

/// An output of the last frame.
pub fn output_of(renderer: &Renderer, technique: &str, name: &str) -> Option<Output> {
    renderer.last_frame().and_then(|(all, context)| all.output(technique, name, context))
}

/// Runs `meniscus headless`; returns its exit code and standard error.
pub fn headless(arguments: &[OsString]) -> (Option<i32>, String) {
    // scripts/test may have chosen another dynamic loader for the drivers it chose; see there
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/lib/under"))
        .arg(env!("CARGO_BIN_EXE_meniscus"))
        .arg("headless")
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

pub fn saved(arguments: &[OsString]) {
    assert_eq!(headless(arguments), (Some(0), String::new()), "{arguments:?}");
}

/// Initial state of headless with these arguments, and its size.
pub fn session_of(arguments: &[OsString]) -> (Session, UVec2) {
    let all = [OsString::from("meniscus"), "headless".into()].into_iter().chain(arguments.to_vec());
    let Ok(Task::Headless(common, look, _)) = parse(all) else { panic!("{arguments:?}") };
    (Session::new(&common, &look).unwrap(), common.size.unwrap().0)
}

/// Renders a frame for each session, in this process and with one renderer, as headless does; `look` is called after each is recorded.
pub fn rendered(sessions: &[Session], size: UVec2, mut look: impl FnMut(usize, &Renderer, &mut Frame) -> Result<()>) {
    let gpu = Gpu::headless(true).unwrap();
    let messages = gpu.messages();
    let mut frames = Frames::new(&gpu, 1);
    let backdrop = Background::new(sessions[0].pictures.below.clone(), LoadMode::Block);
    let worlds = WorldLoader::new(sessions[0].world.clone(), LoadMode::Block);
    let mut renderer = Renderer::new(&gpu, backdrop, worlds).unwrap();
    let outputs = INFOS.iter().flat_map(|info| info.outputs.iter().map(|output| (info.id, output.name)));
    renderer.prepare_outputs(&outputs.collect::<Vec<_>>());
    let target = ImageDesc::new("target", size.to_array(), Format::Rgba8, &[Use::Color]);
    let target = Image::new(&gpu, target).unwrap();
    for (at, session) in sessions.iter().enumerate() {
        let lenses = session.lenses(size.as_vec2());
        let params = FrameParams { seconds: 1.0 / 60.0, ..FrameParams::of(&session.settings, &lenses) };
        let record = |frame: &mut Frame| {
            renderer.record(frame, &params, &target.mip(0))?;
            look(at, &renderer, frame)
        };
        frames.once(record).unwrap();
    }
    drop((frames, renderer, target, gpu));
    assert_eq!(messages.all(), Vec::<String>::new());
}

/// The readback of `outputs`, straight from their images.
pub fn images_of(session: &Session, size: UVec2, outputs: &[(&str, &str)]) -> Vec<Vec<u8>> {
    let mut reads: Vec<ReadBack> = Vec::new();
    rendered(std::slice::from_ref(session), size, |_, renderer, frame| {
        for (technique, name) in outputs {
            let Some(Output::Image { view, .. }) = output_of(renderer, technique, name) else {
                panic!("{technique}/{name}")
            };
            reads.push(frame.read_image(&view)?);
        }
        Ok(())
    });
    reads.iter().map(|read| read.read().unwrap()).collect()
}
