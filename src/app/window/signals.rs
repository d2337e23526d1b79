//! Signals that end the program: SIGTERM and SIGHUP (a logout), SIGINT (Ctrl+C in its terminal).

use super::user_event::UserEvent;
use crate::base::file::remove_parts;
use std::sync::Mutex;
use winit::event_loop::EventLoopProxy;

const ABORTED: i32 = 130;

/// A second signal ends the program at once.
pub fn listen(wake: EventLoopProxy<UserEvent>) {
    let wake = Mutex::new(Some(wake));
    let handler = move || {
        let first = wake.lock().ok().and_then(|mut wake| wake.take());
        if first.is_none_or(|wake| wake.send_event(UserEvent::Terminate).is_err()) {
            remove_parts();
            std::process::exit(ABORTED);
        }
    };
    if let Err(why) = ctrlc::set_handler(handler) {
        log::info!("signals are not handled: {why}");
    }
}
