//! Preferences of the desktop: contrast, motion, and on Wayland the size of text.

use super::user_event::UserEvent;
use mundy::{Interest, Preferences, Subscription};
use std::sync::Mutex;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DesktopPreference {
    Look { high_contrast: bool, reduced_motion: bool, reduced_transparency: bool },
    TextScale(f32),
}

/// In other threads, as long as the result lives.
pub fn follow(event_loop: &ActiveEventLoop, wake: EventLoopProxy<UserEvent>) -> Subscription {
    let send = move |preference| wake.send_event(UserEvent::Desktop(preference)).is_ok();
    #[cfg(target_os = "linux")]
    {
        use winit::platform::wayland::ActiveEventLoopExtWayland as _;
        // Under X11 the display's scale contains it.
        if event_loop.is_wayland() {
            text_scale::follow(send.clone());
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = event_loop;
    let send = Mutex::new(send);
    Preferences::subscribe(Interest::Contrast | Interest::ReducedMotion | Interest::ReducedTransparency, move |now| {
        let look = DesktopPreference::Look {
            high_contrast: now.contrast.is_more(),
            reduced_motion: now.reduced_motion.is_reduce(),
            reduced_transparency: now.reduced_transparency.is_reduce(),
        };
        if let Ok(send) = send.lock() {
            send(look);
        }
    })
}

#[cfg(target_os = "linux")]
mod text_scale {
    use super::DesktopPreference;
    use zbus::blocking::{Connection, Proxy};
    use zbus::zvariant::{OwnedValue, Value};

    const INTERFACE: &str = "org.gnome.desktop.interface";
    const KEY: &str = "text-scaling-factor";

    pub fn follow(send: impl Fn(DesktopPreference) -> bool + Send + 'static) {
        let watch = move || {
            if let Err(why) = watch(send) {
                log::debug!("the desktop tells no size of text: {why}");
            }
        };
        let started = std::thread::Builder::new().name("text size".into()).spawn(watch);
        started.map_or_else(|why| log::warn!("the desktop's size of text is not followed: {why}"), drop);
    }

    fn watch(send: impl Fn(DesktopPreference) -> bool) -> zbus::Result<()> {
        let connection = Connection::session()?;
        let [name, path] = ["org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"];
        let settings = Proxy::new(&connection, name, path, "org.freedesktop.portal.Settings")?;
        let changes = settings.receive_signal_with_args("SettingChanged", &[(0, INTERFACE), (1, KEY)])?;
        let now: OwnedValue = settings.call("Read", &(INTERFACE, KEY))?;
        let mut goes_on = scale(&now).is_none_or(&send);
        for change in changes {
            if !goes_on {
                break;
            }
            let body = change.body();
            let (_, _, value): (&str, &str, Value<'_>) = body.deserialize()?;
            goes_on = scale(&value).is_none_or(&send);
        }
        Ok(())
    }

    /// The older of the portal's methods wraps the number twice.
    fn scale(value: &Value<'_>) -> Option<DesktopPreference> {
        match value {
            Value::Value(inner) => scale(inner),
            Value::F64(scale) if (0.1..=10.0).contains(scale) => Some(DesktopPreference::TextScale(*scale as f32)),
            _ => None,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn only_a_size_is_one() {
            let large = Some(DesktopPreference::TextScale(1.25));
            assert_eq!(scale(&Value::F64(1.25)), large);
            assert_eq!(scale(&Value::Value(Box::new(Value::F64(1.25)))), large);
            for none in [Value::F64(f64::NAN), Value::F64(0.0), Value::F64(-1.0), Value::U32(2), Value::from("large")] {
                assert_eq!(scale(&none), None, "{none:?}");
            }
        }
    }
}
