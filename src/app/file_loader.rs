//! Loader of a picture or a scene on its own thread.

use super::failure::Failure;
use base::job::{Job, Progress};
use base::notes::Notes;
use media::light_picture::FlatPicture;
use scene::world::{self, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct FileRead {
    pub content: Content,
    pub notes: Notes,
}

#[derive(Clone, Debug)]
pub enum Content {
    Picture(FlatPicture),
    World(Arc<World>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Picture,
    World,
}

impl Kind {
    pub fn of(file: &Path) -> Self {
        let is = |wanted: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        if is("gltf") || is("glb") { Self::World } else { Self::Picture }
    }

    pub fn read(self, file: &Path, progress: &Progress) -> anyhow::Result<FileRead> {
        let (content, notes) = match self {
            Self::Picture => {
                let (picture, notes) = FlatPicture::load(file)?;
                (Content::Picture(picture), notes)
            }
            Self::World => {
                let (world, notes) = world::load(file, progress)?;
                (Content::World(Arc::new(world)), notes)
            }
        };
        Ok(FileRead { content, notes })
    }
}

pub type Outcome = Result<FileRead, String>;

const NAME: usize = 40;
const NOTES: usize = 125;

pub struct Reading {
    pub name: String,
    pub kind: Kind,
    pub option: Option<&'static str>,
    job: Job<Outcome>,
}

impl Reading {
    pub fn start(file: PathBuf, kind: Kind) -> Self {
        let name = file.display().to_string();
        let job = Job::spawn("file loader", move |progress| {
            let read = kind.read(&file, progress).map_err(|error| format!("{error:#}"));
            // The window's message is shorter, and disappears.
            if let Some(notes) = read.as_ref().ok().map(|read| &read.notes).filter(|notes| !notes.is_empty()) {
                log::warn!("{}: {}", file.display(), notes.line());
            }
            read
        });
        Self { name, kind, option: None, job }
    }

    pub fn of_option(file: PathBuf, kind: Kind, option: &'static str) -> Self {
        Self { option: Some(option), ..Self::start(file, kind) }
    }

    pub fn wait(&mut self, most: Duration) -> Option<Outcome> {
        self.job.wait(most).map(Result::flatten)
    }

    pub fn on_end(&self, then: impl FnOnce() + Send + 'static) {
        self.job.on_end(then);
    }

    pub fn failure(&self, why: &str) -> Failure {
        Failure::bad(match self.option {
            Some(option) => format!("{option}: {why}"),
            None => why.into(),
        })
    }

    pub fn message(&self, notes: &Notes) -> Option<String> {
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy();
        let mut shown: String = name.chars().take(NAME).collect();
        if shown.len() < name.len() {
            shown.push('…');
        }
        (!notes.is_empty()).then(|| format!("{shown}: {}", notes.shortened(NOTES)))
    }

    pub fn part(&self) -> Option<f32> {
        (self.kind == Kind::World).then(|| self.job.progress().part())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;
    use media::picture::Picture;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_picture_is_loaded_and_a_failure_names_its_option() {
        let folder = Folder::new("reading");
        let file = folder.0.join("a.PNG");
        Picture::from_fn([2, 1], |x, _| [x as u8, 0, 0, 255]).save_png(&file).unwrap();
        assert_eq!(Kind::of(&file), Kind::Picture);
        let mut reading = Reading::start(file.clone(), Kind::Picture);
        let FileRead { content, notes } = reading.wait(LONG).unwrap().unwrap();
        let Content::Picture(picture) = content else { panic!("{content:?}") };
        assert!(notes.is_empty() && reading.message(&notes).is_none());
        assert_eq!((picture.size(), reading.part()), ([2, 1], None));
        let scene = folder.0.join("a.glb");
        std::fs::copy(&file, &scene).unwrap();
        let said = Reading::start(scene.clone(), Kind::of(&scene)).wait(LONG).unwrap().unwrap_err();
        assert!(said.contains("a.glb"), "{said}");
        let given = Reading::of_option(scene, Kind::World, "--scene").failure(&said);
        assert_eq!((given.code, given.to_string()), (2, format!("--scene: {said}")));
        let trace = folder.0.join("a.trace");
        std::fs::write(&trace, crate::trace::trace(&Default::default(), &[]).unwrap().to_string()).unwrap();
        let said = Reading::start(trace.clone(), Kind::of(&trace)).wait(LONG).unwrap().unwrap_err();
        assert!(said.contains("a.trace") && said.contains("Perfetto"), "{said}");
    }
}
