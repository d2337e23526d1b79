//! Signals that end the program close the window.

use super::user_event::UserEvent;
use crate::signals;
use std::sync::{Mutex, PoisonError};
use winit::event_loop::EventLoopProxy;

static WAKE: Mutex<Option<EventLoopProxy<UserEvent>>> = Mutex::new(None);

/// Call before any thread is started. Without an open window a signal ends the program at once.
pub fn watch() {
    signals::watch(|_| {
        let wake = WAKE.lock().unwrap_or_else(PoisonError::into_inner).take();
        wake.is_some_and(|wake| wake.send_event(UserEvent::Terminate).is_ok())
    });
}

pub fn listen(wake: EventLoopProxy<UserEvent>) {
    *WAKE.lock().unwrap_or_else(PoisonError::into_inner) = Some(wake);
}
