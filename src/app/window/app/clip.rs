//! Files below the glass, and the time of a moving one.

use super::App;
use crate::app::window::clip_player::Pace;
use crate::app::window::document::SceneFiles;
use crate::base::light_picture::FlatPicture;
use crate::scene::Source;
use crate::ui::timeline::WorldTime;
use crate::ui::{ClipAction, Level, OpenFiles};
use std::time::Instant;

impl App {
    /// Passes the document's files to the renderers, and the position in a moving one.
    pub(super) fn pass_files(&mut self, time: WorldTime) {
        let SceneFiles { picture, sky, world } = &self.document.state().files;
        let picture = picture.as_ref().map(|(_, picture)| picture.clone());
        let (sky, world) = (sky.clone(), world.as_ref().map(|(_, world)| world.clone()));
        self.follow_clip(picture.as_ref(), time);
        let position_s = self.clip.position_s();
        let of_b = self.presenter.pair.renderer();
        for renderer in std::iter::once(&mut self.presenter.renderer).chain(of_b) {
            renderer.background().set_file(picture.clone());
            renderer.background().set_clip_time(position_s);
            renderer.worlds().set_file(world.clone());
            renderer.worlds().set_sky(sky.clone());
        }
    }

    /// Advances the clip, if one is below the glass, and requests its next frame.
    fn follow_clip(&mut self, picture: Option<&FlatPicture>, time: WorldTime) {
        let clip = match picture {
            Some(FlatPicture::Moving(clip)) => Some(clip),
            _ => None,
        };
        self.clip.set(clip, self.input.lenses.is_calm);
        let Some(clip) = clip else { return };
        if let Some(line) = clip.take_news() {
            self.say(Level::Info, line);
        }
        let scene = &self.document.settings().scene;
        // Hidden by a world it waits.
        let time = if scene.source == Source::Picture { time } else { WorldTime::Paused };
        let is_behind = self.presenter.renderer.background().is_behind();
        let wait = self.clip.advance(Instant::now(), Pace { speed: scene.speed, time, is_behind });
        wait.into_iter().for_each(|wait| self.redraw.request_in(wait));
    }

    /// Names of the open files, and the state of a moving one.
    pub(super) fn open_files(&self) -> OpenFiles {
        OpenFiles { clip: self.clip.state(), ..self.document.state().files.names() }
    }

    /// Applies an action of the panels.
    pub(super) fn apply_clip_action(&mut self, action: ClipAction) {
        match action {
            ClipAction::Toggle => self.clip.toggle(),
            ClipAction::Seek(frame) => self.clip.seek(frame),
        }
        // What follows the brightness below a lens is drawn on.
        self.redraw.picture_changed();
    }
}
