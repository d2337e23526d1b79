//! Loader of the displayed world.

use super::LoadMode;
use base::job::{Job, Progress};
use media::light_picture::LightPicture;
use scene::{
    Place, SceneSettings,
    world::{World, built_in},
};
use std::sync::Arc;

type What = (Place, u32);

pub struct WorldLoader {
    file: Option<Arc<World>>,
    sky: Option<Arc<LightPicture>>,
    expects_file: bool,
    patience: LoadMode,
    built: Option<(What, Arc<World>)>,
    building: Option<(What, Job<World>)>,
}

impl WorldLoader {
    pub fn new(file: Option<Arc<World>>, patience: LoadMode) -> Self {
        Self { file, sky: None, expects_file: false, patience, built: None, building: None }
    }

    pub fn set_file(&mut self, file: Option<Arc<World>>) {
        self.file = file;
    }

    pub fn set_sky(&mut self, sky: Option<Arc<LightPicture>>) {
        self.sky = sky;
    }

    pub fn sky(&self) -> Option<&Arc<LightPicture>> {
        self.sky.as_ref()
    }

    /// The built-in world is not started before the file's is shown or no longer expected.
    pub fn expect_file(&mut self, expects: bool) {
        self.expects_file = expects;
    }

    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// The previous world while one is being built.
    pub fn now(&mut self, settings: &SceneSettings) -> Option<Arc<World>> {
        if let Some(file) = &self.file {
            return Some(file.clone());
        }
        self.collect();
        let instances = if settings.place == Place::Many { settings.instances } else { 0 };
        let wanted = (settings.place, instances);
        if self.built.as_ref().is_none_or(|(what, _)| *what != wanted) && !self.expects_file {
            match &self.patience {
                LoadMode::Block => {
                    self.built = Some((wanted, Arc::new(built_in(wanted.0, wanted.1, &Progress::default()))))
                }
                LoadMode::Background(wake) if self.building.is_none() => {
                    let job = Job::spawn("built-in world", move |progress| built_in(wanted.0, wanted.1, progress));
                    let wake = wake.clone();
                    job.on_end(move || wake());
                    self.building = Some((wanted, job));
                }
                LoadMode::Background(_) => {}
            }
        }
        self.built.as_ref().map(|(_, world)| world.clone())
    }

    pub(super) fn wake(&self) -> Option<&Arc<dyn Fn() + Send + Sync>> {
        match &self.patience {
            LoadMode::Block => None,
            LoadMode::Background(wake) => Some(wake),
        }
    }

    pub fn making(&mut self) -> Option<(Place, f32)> {
        self.collect();
        self.building.as_ref().map(|((place, _), job)| (*place, job.progress().part()))
    }

    fn collect(&mut self) {
        let Some((what, job)) = &mut self.building else { return };
        let Some(world) = job.poll() else { return };
        // A failure was logged; the same world is not tried again.
        self.built = Some((*what, Arc::new(world.unwrap_or_default())));
        self.building = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn many(instances: u32) -> SceneSettings {
        SceneSettings { place: Place::Many, instances, ..Default::default() }
    }

    #[test]
    fn waiting_gives_the_world_once() {
        let mut worlds = WorldLoader::new(None, LoadMode::Block);
        let first = worlds.now(&many(3)).unwrap();
        assert!(Arc::ptr_eq(&first, &worlds.now(&many(3)).unwrap()));
        let more = many(5);
        assert_eq!(worlds.now(&more).unwrap().instances.len(), 2 + first.instances.len());
        let file = Arc::new(World::default());
        worlds.set_file(Some(file.clone()));
        assert!(Arc::ptr_eq(&file, &worlds.now(&more).unwrap()));
        let mut expecting = WorldLoader::new(None, LoadMode::Block);
        expecting.expect_file(true);
        assert!(expecting.now(&more).is_none(), "the file's may be there at once");
    }

    #[test]
    fn going_on_shows_the_last_world_until_the_next_is_there() {
        let (send, woken) = std::sync::mpsc::channel();
        let send = std::sync::Mutex::new(send);
        let wake = Arc::new(move || drop(send.lock().map(|send| send.send(()))));
        let mut worlds = WorldLoader::new(None, LoadMode::Background(wake));
        assert!(worlds.now(&many(3)).is_none());
        assert_eq!(worlds.making().map(|(place, _)| place), Some(Place::Many));
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(worlds.now(&many(3)).is_some() && worlds.making().is_none());
    }
}
