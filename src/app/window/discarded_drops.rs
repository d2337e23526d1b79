//! Drops on X11 that winit discards without an event: an address with a host, one that is no file's, or a missing file.
//! A second connection reads the list of addresses at the window; the first pointer event after a drag without a
//! cancellation means a drop.

use base::text::percent_decoded;
use raw_window_handle::{HasWindowHandle, RawWindowHandle};
use std::{ffi::OsString, os::unix::ffi::OsStringExt, path::PathBuf};
use winit::{event::WindowEvent, window::Window};
use x11rb::{
    connection::Connection,
    protocol::{
        Event,
        xproto::{AtomEnum, ChangeWindowAttributesAux, ConnectionExt, EventMask, Property},
    },
    rust_connection::RustConnection,
};

const MOST: u32 = 1 << 14;

pub struct DiscardedDrops {
    connection: RustConnection,
    window: u32,
    selection: u32,
    dragged: Option<Vec<u8>>,
}

impl DiscardedDrops {
    pub fn of(window: &Window) -> Option<Self> {
        let window = match window.window_handle().ok()?.as_raw() {
            RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok()?,
            RawWindowHandle::Xcb(handle) => handle.window.get(),
            _ => return None,
        };
        let (connection, _) = RustConnection::connect(None).ok()?;
        let selection = connection.intern_atom(false, b"XdndSelection").ok()?.reply().ok()?.atom;
        let attributes = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        connection.change_window_attributes(window, &attributes).ok()?.check().ok()?;
        Some(Self { connection, window, selection, dragged: None })
    }

    pub fn before(&mut self, event: &WindowEvent) -> Vec<Result<PathBuf, String>> {
        self.read();
        match event {
            WindowEvent::HoveredFileCancelled | WindowEvent::HoveredFile(_) | WindowEvent::DroppedFile(_) => {
                self.dragged = None;
            }
            WindowEvent::CursorEntered { .. } | WindowEvent::CursorMoved { .. } | WindowEvent::MouseInput { .. } => {
                let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
                return self.dragged.take().map_or_else(Vec::new, |list| files(&list, host.trim()));
            }
            _ => {}
        }
        vec![]
    }

    fn read(&mut self) {
        let mut is_new = false;
        while let Ok(Some(event)) = self.connection.poll_for_event() {
            is_new |= matches!(event, Event::PropertyNotify(event)
                if event.atom == self.selection && event.state == Property::NEW_VALUE);
        }
        if is_new {
            let list = self.connection.get_property(false, self.window, self.selection, AtomEnum::ANY, 0, MOST);
            self.dragged = list.ok().and_then(|list| list.reply().ok()).map(|list| list.value);
        }
    }
}

/// text/uri-list, RFC 2483; addresses of files with and without a host, RFC 8089. `host`: this machine.
fn files(list: &[u8], host: &str) -> Vec<Result<PathBuf, String>> {
    let list = String::from_utf8_lossy(list);
    let addresses = list.split(['\r', '\n', '\0']).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let file = |address: &str| {
        let refused = || format!("{address}: expected a file of this machine");
        let (scheme, rest) = address.split_once(':').ok_or_else(refused)?;
        let (named, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        if !scheme.eq_ignore_ascii_case("file") || !path.starts_with('/') {
            return Err(refused());
        }
        if !["", "localhost", host].iter().any(|own| named.eq_ignore_ascii_case(own)) {
            return Err(format!("{address}: it is on the machine {named}; expected a file of this one"));
        }
        let path = PathBuf::from(OsString::from_vec(percent_decoded(path)));
        match path.symlink_metadata() {
            Ok(_) => Ok(path),
            Err(_) => Err(format!("{}: there is no such file", path.display())),
        }
    };
    addresses.map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn addresses_are_files_or_refused_with_a_reason() {
        let here = env!("MENISCUS_CHECKOUT");
        let list = format!(
            "# a comment\r\nfile://{here}/Cargo.toml\r\nfile://localhost{here}/%43argo.lock\r\nfile://Desk{here}/src\r\n\
             file:{here}/README.md\r\nhttps://a.test/b.png\r\nfile://{here}/no%20such.png\r\nfile://other/c.png\r\n"
        );
        let found = files(list.as_bytes(), "desk");
        let path = |name: &str| Ok(Path::new(here).join(name));
        assert_eq!(found[..4], [path("Cargo.toml"), path("Cargo.lock"), path("src"), path("README.md")]);
        let refused: Vec<&String> = found[4..].iter().filter_map(|file| file.as_ref().err()).collect();
        assert_eq!(refused[0], "https://a.test/b.png: expected a file of this machine");
        assert_eq!(*refused[1], format!("{here}/no such.png: there is no such file"));
        assert_eq!(refused[2], "file://other/c.png: it is on the machine other; expected a file of this one");
    }
}
