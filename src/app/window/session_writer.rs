//! Writer of the window state, soon after each change, so that no kind of exit loses it.

use super::window_surface::WindowSurface;
use crate::crash_report;
use crate::last_session::{LastSession, WindowState};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use winit::dpi::PhysicalSize;

const AFTER: Duration = Duration::from_millis(400);

/// Between two notes of the state that is saved if the display disconnects.
const NOTE: Duration = Duration::from_millis(50);

const CRASH_REPORT_AGE: Duration = Duration::from_secs(1);

/// A disk may take longer than a frame.
#[derive(Default)]
pub struct SessionWriter {
    place: Option<PathBuf>,
    due: Option<Instant>,
    noted: Option<Instant>,
    last: Option<LastSession>,
    written: StateOnDisk,
    writer: Option<(Sender<LastSession>, JoinHandle<()>)>,
    pub window: Option<WindowState>,
    crash_report_at: Option<Instant>,
}

type StateOnDisk = Arc<Mutex<Option<LastSession>>>;

impl SessionWriter {
    pub fn new(place: Option<PathBuf>) -> Self {
        Self { place, ..Self::default() }
    }

    pub fn touch(&mut self, now: Instant) {
        if self.place.is_some() {
            self.due.get_or_insert(now + AFTER);
        }
    }

    /// A destroyed window cannot be queried.
    pub fn note_window(&mut self, surface: &WindowSurface, scale: f32) {
        let window = surface.window();
        let size = PhysicalSize::<u32>::from(surface.size_px()).to_logical::<u32>(scale.into());
        if surface.number() > 0 && size.width > 0 && size.height > 0 {
            let is_fullscreen = window.fullscreen().is_some();
            let kept = self.window.filter(|_| is_fullscreen).map(|window| window.size);
            let size = kept.unwrap_or_else(|| size.into());
            self.window = Some(WindowState { size, is_maximized: window.is_maximized(), is_fullscreen });
        }
    }

    pub fn note_for_crash_report(&mut self, settings: impl FnOnce() -> String) {
        if self.crash_report_at.is_none_or(|at| at.elapsed() > CRASH_REPORT_AGE) {
            self.crash_report_at = Some(Instant::now());
            crash_report::note_settings(settings());
        }
    }

    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    pub fn next_note(&self) -> Option<Instant> {
        self.noted.map(|noted| noted + NOTE)
    }

    pub fn note(&mut self, state: LastSession, now: Instant) {
        self.noted = Some(now);
        if let Some(place) = &self.place {
            let latest = Latest { place: place.clone(), state, written: self.written.clone() };
            LATEST.with(|slot| *slot.0.borrow_mut() = Some(latest));
        }
    }

    pub fn put(&mut self, now: LastSession) {
        self.due = None;
        self.note(now.clone(), Instant::now());
        let Some(place) = self.place.clone().filter(|_| self.last.as_ref() != Some(&now)) else { return };
        self.last = Some(now.clone());
        let written = self.written.clone();
        let (sender, _) = self.writer.get_or_insert_with(|| {
            let (sender, states) = channel();
            (sender, std::thread::spawn(move || write(&place, &states, &written)))
        });
        let _ = sender.send(now);
    }

    pub fn finish(&mut self) {
        if let Some((sender, writer)) = self.writer.take() {
            drop(sender);
            let _ = writer.join();
        }
    }
}

thread_local! {
    static LATEST: AtThreadEnd = const { AtThreadEnd(RefCell::new(None)) };
}

struct Latest {
    place: PathBuf,
    state: LastSession,
    written: StateOnDisk,
}

/// libX11 calls `exit` when its server disconnects; that drops this thread's values.
struct AtThreadEnd(RefCell<Option<Latest>>);

impl Drop for AtThreadEnd {
    fn drop(&mut self) {
        let Some(Latest { place, state, written }) = self.0.take() else { return };
        if written.lock().is_ok_and(|written| written.as_ref() != Some(&state))
            && let Err(why) = state.save(&place)
        {
            log::warn!("what was set is not remembered: {why:#}");
        }
    }
}

fn write(place: &Path, states: &Receiver<LastSession>, written: &StateOnDisk) {
    let mut is_reported = false;
    while let Ok(state) = states.recv() {
        let state = states.try_iter().last().unwrap_or(state);
        match state.save(place) {
            Ok(()) => {
                if let Ok(mut written) = written.lock() {
                    *written = Some(state);
                }
            }
            Err(why) if !std::mem::replace(&mut is_reported, true) => {
                log::warn!("what was set is not remembered: {why:#}")
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    fn state(frost: u32) -> LastSession {
        let mut state = LastSession::default();
        state.settings.glass.frost = frost as f32;
        state
    }

    #[test]
    fn the_last_state_is_written_once_and_only_where_it_changed() {
        let folder = Folder::new("session");
        let file = folder.0.join("made/last.toml");
        let mut session = SessionWriter::new(Some(file.clone()));
        let now = Instant::now();
        assert_eq!(session.due(), None);
        session.touch(now);
        session.touch(now + Duration::from_secs(5));
        assert_eq!(session.due(), Some(now + AFTER), "frames without a pause put nothing off");
        (0..=9).for_each(|frost| session.put(state(frost)));
        session.finish();
        assert_eq!((LastSession::load(&file), session.due()), (Ok(Some(state(9))), None));
        std::fs::remove_file(&file).unwrap();
        session.put(state(9));
        session.finish();
        assert!(!file.exists(), "nothing changed");
        session.put(state(3));
        session.finish();
        assert_eq!(LastSession::load(&file), Ok(Some(state(3))));
        let mut nowhere = SessionWriter::new(None);
        nowhere.touch(now);
        nowhere.put(state(1));
        assert_eq!(nowhere.due(), None);
    }
}
