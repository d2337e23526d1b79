//! Window command: connection to the display, the window, and its end.

mod app;
mod captured_frames;
mod check_job;
mod clip_player;
pub mod command_line;
mod desktop_preferences;
pub mod device_panel;
#[cfg(target_os = "linux")]
mod discarded_drops;
pub mod display;
#[cfg(target_os = "linux")]
pub mod display_server;
mod document;
mod dynamic_resolution;
mod event_clock;
mod file_dialog;
mod files;
mod frame_walls;
pub mod gizmos;
mod glass_panels;
pub mod input;
mod input_router;
mod keyboard;
mod lens_input;
mod lens_values;
mod motif_input;
mod panel_fonts;
pub mod panel_input;
mod panels;
pub mod part_labels;
mod picture_frame;
mod poster;
mod presenter;
mod preset_list;
mod redraw;
mod saved_files;
mod session_writer;
mod shell_quotes;
pub mod signals;
pub mod split;
pub mod user_event;
mod window_pair;
#[cfg(test)]
mod window_pair_tests;
pub mod window_surface;

use super::cli::{Common, ViewOptions};
use super::failure::{Failure, OrFail as _};
use super::last_session::{self, LastSession};
use super::session::Session;
use super::{crash_report, device};
use app::App;
use display::WindowExit;
use egui_winit::accesskit_winit::Adapter;
use gpu::{Messages, Options};
use lens_input::InitialLayout;
use std::ops::ControlFlow::{Break, Continue};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use ui::SavedPanels;
pub use user_event::UserEvent;
use window_surface::WindowSurface;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Fullscreen, Window, WindowId};

const TITLE: &str = "Meniscus";

pub const APPLICATION: &str = "io.github.meniscus.Meniscus";
const ICON: &[u8] = include_bytes!("../../../assets/desktop/io.github.meniscus.Meniscus.png");

const POSTER_MOST: Duration = Duration::from_secs(1);

/// Logical pixels.
const LEAST: LogicalSize<f64> = LogicalSize::new(480.0, 320.0);

pub fn command(common: &Common, view: &ViewOptions) -> Result<(), Failure> {
    signals::watch();
    let started = Instant::now();
    let session = Session::begin(common, view, last(view))?;
    Ok(run(common, session, started, view)?)
}

pub fn last(view: &ViewOptions) -> LastSession {
    last_of(last_session::place().as_deref(), view.fresh)
}

fn last_of(file: Option<&Path>, fresh: bool) -> LastSession {
    let is_first = file.is_some_and(|file| !file.exists());
    let last = file.filter(|_| !fresh).map_or(Ok(None), LastSession::load);
    let last = last.unwrap_or_else(|why| {
        log::warn!("{why}");
        None
    });
    let offers = is_first || !fresh;
    last.unwrap_or_else(|| LastSession { panels: offers.then(SavedPanels::default), ..LastSession::default() })
}

pub fn run(common: &Common, session: Session, started: Instant, view: &ViewOptions) -> Result<(), WindowExit> {
    let options = device::options(common)?; // a bad --gpu is reported before a missing display
    let event_loop = display::connect::<UserEvent>()?;
    let mut program = Program {
        size: common.size.map(|size| PhysicalSize::from(size.0.to_array())),
        session: Some(session),
        files: view.open.clone(),
        options,
        started,
        wake: event_loop.create_proxy(),
        desktop: None,
        app: None,
        ended: None,
        messages: None,
    };
    let ran = display::while_it_lasts(|| event_loop.run_app(&mut program).map_err(|error| error.to_string()));
    if let Err(why) = ran.and_then(|ran| ran) {
        return after_panic(program, common, &why);
    }
    let Program { mut app, ended, messages, .. } = program;
    if let Some(app) = &mut app {
        app.save_at_end();
    }
    let written = app.as_mut().map_or(Ok(()), |app| write_json(app, common));
    drop(app); // leaks are reported when the device is destroyed
    ended.map_or(Ok(()), Err)?;
    written?;
    messages.map_or(Ok(()), |messages| Ok(device::unspoken(&messages)?))
}

fn after_panic(mut program: Program, common: &Common, why: &str) -> Result<(), WindowExit> {
    let first = program.ended.take().map_or(Ok(()), Err);
    let result = match &mut program.app {
        Some(app) => {
            app.save_without_display();
            let closed = if display::is_window_destroyed(why) { Ok(()) } else { Err(display::gone(why).into()) };
            first.and(closed).and_then(|()| write_json(app, common))
        }
        None => first.and(Err(display::unopened(why))),
    };
    let messages = program.messages.take();
    // Surface and window may be in the middle of a call.
    std::mem::forget(program);
    result?;
    messages.map_or(Ok(()), |messages| Ok(device::unspoken(&messages)?))
}

fn write_json(app: &mut App, common: &Common) -> Result<(), WindowExit> {
    let written = common.json.as_ref().map(|file| super::write(file, app.json(common.validate).as_bytes()));
    Ok(written.unwrap_or(Ok(())).or_bad("--json")?)
}

struct Program {
    size: Option<PhysicalSize<u32>>,
    session: Option<Session>,
    files: Vec<PathBuf>,
    wake: EventLoopProxy<UserEvent>,
    options: Options,
    started: Instant,
    desktop: Option<mundy::Subscription>,
    app: Option<App>,
    ended: Option<WindowExit>,
    messages: Option<Arc<Messages>>,
}

impl Program {
    fn open(&mut self, event_loop: &ActiveEventLoop, session: Session) -> Result<App, WindowExit> {
        let monitor = event_loop.primary_monitor().map(|monitor| (monitor.size(), monitor.scale_factor()));
        let left = session.window.filter(|_| self.size.is_none());
        let last = left.map(|window| display::size_again(window.size, LEAST, monitor));
        let size = self.size.map(Into::into).or(last).unwrap_or_else(|| display::first_size(monitor));
        let attributes = Window::default_attributes()
            .with_title(TITLE)
            .with_inner_size(size)
            .with_min_inner_size(LEAST)
            .with_visible(false)
            .with_maximized(left.is_some_and(|window| window.is_maximized))
            .with_fullscreen(left.filter(|window| window.is_fullscreen).map(|_| Fullscreen::Borderless(None)))
            .with_window_icon(display::icon(ICON));
        #[cfg(target_os = "linux")]
        let attributes = display_server::named(attributes, APPLICATION);
        let window = display::quietly(|| event_loop.create_window(attributes))
            .map_err(|why| display::unopened(&why))?
            .map_err(|error| display::unopened(&error.to_string()))?;
        let access = Adapter::with_event_loop_proxy(event_loop, &window, self.wake.clone());
        window.set_visible(true);
        left.filter(|left| left.is_maximized).into_iter().for_each(|_| window.set_maximized(true));
        self.desktop = Some(desktop_preferences::follow(event_loop, self.wake.clone()));
        let mut painted = poster::paint(&session, window.inner_size().into(), window.scale_factor() as f32);
        let display = &session.settings.display;
        let mut surface = WindowSurface::open(
            Arc::new(window),
            self.options.clone(),
            display.present,
            display.frames_in_flight as usize,
        )?;
        self.messages = Some(surface.gpu().messages());
        crash_report::note_device(surface.gpu().info());
        let poster = painted.wait(POSTER_MOST).and_then(Result::ok).unwrap_or_else(poster::grey);
        surface.show_poster(&poster).map_err(anyhow::Error::from)?;
        log::info!("poster {:.0} ms after the start", self.started.elapsed().as_secs_f64() * 1e3);
        let opening = InitialLayout { size: self.size, lens_at: session.lens_at };
        Ok(App::new(surface, access, session, (opening, poster), self.wake.clone(), self.started)?)
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: anyhow::Error) {
        let saved = self.app.as_mut().and_then(App::save_rescued_preset);
        let saved = saved.map(|name| format!("; `--preset {name}` has the settings as they were"));
        self.end(event_loop, crash_report::of(error).and(saved.unwrap_or_default()));
    }

    fn end(&mut self, event_loop: &ActiveEventLoop, failure: impl Into<WindowExit>) {
        self.ended.get_or_insert(failure.into());
        event_loop.exit();
    }
}

impl ApplicationHandler<UserEvent> for Program {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if let Some(session) = self.session.take() {
            match self.open(event_loop, session) {
                Ok(mut app) => {
                    self.files.drain(..).for_each(|file| app.open(file));
                    self.app = Some(app);
                    signals::listen(self.wake.clone());
                }
                Err(failure) => self.end(event_loop, failure),
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(app) = self.app.as_mut().filter(|_| self.ended.is_none()) else { return };
        match app.handle_event(&event) {
            Ok(Continue(())) => {}
            Ok(Break(())) => event_loop.exit(),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: UserEvent) {
        if matches!(wake, UserEvent::Terminate) {
            event_loop.exit();
            return;
        }
        if let Some(Err(failure)) = self.app.as_mut().map(|app| app.handle_message(wake)) {
            self.end(event_loop, failure);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(app) = self.app.as_mut().filter(|_| self.ended.is_none()) else { return };
        match app.wait() {
            Ok(Some(at)) => event_loop.set_control_flow(ControlFlow::WaitUntil(at)),
            Ok(None) => event_loop.set_control_flow(ControlFlow::Wait),
            Err(error) => self.fail(event_loop, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    #[test]
    fn the_first_window_of_all_offers_the_tour() {
        let folder = Folder::new("first-start");
        let file = folder.0.join("last.toml");
        let offers = |fresh| last_of(Some(&file), fresh).panels == Some(SavedPanels::default());
        assert_eq!([offers(false), offers(true)], [true, true], "there is no state yet");
        LastSession::default().save(&file).unwrap();
        assert_eq!([offers(false), offers(true)], [false, false]);
        assert_eq!(last_of(None, true).panels, None, "no place to remember it in");
    }
}
