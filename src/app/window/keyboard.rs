//! Keyboard shortcuts, on every keyboard layout.
//!
//! A letter is the Latin letter that a key writes; on a layout without Latin letters, the letter at its place. A digit is the digit that a
//! key writes, else the one at its place: the French layout writes digits with Shift only. A shortcut has exactly its own modifiers.

use crate::ui::PanelKey;
use crate::ui::manipulator::Key as LensKey;
use std::time::{Duration, Instant};
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// Action of a pressed key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shortcut {
    /// Exit.
    Quit,
    /// Save a picture of the window.
    TakePicture,
    /// Record the window, or end that.
    Record,
    /// Capture a frame with RenderDoc.
    Capture,
    /// Fill the screen, or be a window again.
    Fullscreen,
    /// Make the text larger or smaller by this many steps; 0: as at first.
    TextSize(i8),
    /// Pause or resume the camera's drift.
    ToggleDrift,
    /// Command of the panels.
    Panel(PanelKey),
    /// Command of the lenses.
    Lens(LensKey),
    /// For both: closes a page, cancels a drag.
    Escape,
}

impl Shortcut {
    /// Whether it works while a text field or another widget of the panels has the focus.
    pub fn works_with(self, focus: Focus) -> bool {
        use PanelKey::{Controls, Device, Focus as ToPanels, Help, Open, Search, Timings};
        let is_for_all =
            matches!(
                self,
                Self::Quit | Self::TakePicture | Self::Record | Self::Capture | Self::Fullscreen | Self::TextSize(_)
            ) || matches!(self, Self::Panel(Controls | Device | Help | Open | Search | Timings | ToPanels));
        match focus {
            Focus::None => true,
            Focus::Widget => is_for_all || matches!(self, Self::Panel(_)),
            Focus::Text => is_for_all,
        }
    }

    /// Whether it also works while the key repeats.
    pub fn repeats(self) -> bool {
        matches!(
            self,
            Self::Panel(PanelKey::Undo | PanelKey::Redo | PanelKey::NextView | PanelKey::PreviousView)
                | Self::Lens(_)
                | Self::TextSize(_)
        )
    }

    /// Whether the user may have meant to type: the key writes a character or edits text.
    pub fn is_typing(self) -> bool {
        use PanelKey::{FinalImage, Inspect, NextView, Pair, PreviousView, Timeline};
        matches!(
            self,
            Self::ToggleDrift
                | Self::Lens(_)
                | Self::Panel(FinalImage | Inspect | NextView | Pair | PreviousView | Timeline)
        )
    }
}

/// Kind of the focused widget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Focus {
    /// Nothing in the panels.
    None,
    /// A widget without text input.
    Widget,
    /// A text field.
    Text,
}

/// Time after a text field loses the focus in which a character may still belong to it.
const STILL_TYPING: Duration = Duration::from_millis(800);

/// Modifier keys, and typing that outlasts its text field.
#[derive(Debug, Default)]
pub struct KeyboardState {
    modifiers: ModifiersState,
    has_alt_graph: bool,
    /// Deadline until which a character may still belong to the text field that lost the focus.
    typed_until: Option<Instant>,
    /// A text field opens with the next frame.
    opens_field: bool,
}

impl KeyboardState {
    /// The panels were run: a field that opens has the focus.
    pub fn panels_ran(&mut self) {
        self.opens_field = false;
    }

    /// A text field lost the focus.
    pub fn end_typing(&mut self) {
        self.typed_until = Some(Instant::now() + STILL_TYPING);
    }

    /// The shortcut of a pressed key or of the pointer's button for back or forward, and whether it repeats; `None` if the panels or a text
    /// field consume it.
    pub fn shortcut(&mut self, event: &WindowEvent, focus: Focus) -> Option<(Shortcut, bool)> {
        if let WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } = event {
            let shortcut = of_button(*button).filter(|shortcut| shortcut.works_with(focus));
            return shortcut.map(|shortcut| (shortcut, false));
        }
        let WindowEvent::KeyboardInput { event, is_synthetic: false, .. } = event else {
            self.has_alt_graph &= *event != WindowEvent::Focused(false);
            if let WindowEvent::ModifiersChanged(now) = event {
                self.modifiers = now.state();
            }
            return None;
        };
        let is_down = event.state == ElementState::Pressed;
        if event.logical_key == Key::Named(NamedKey::AltGraph) {
            self.has_alt_graph = is_down;
        }
        if !is_down {
            return None;
        }
        // winit does not report AltGr as a modifier.
        let alt_graph = if self.has_alt_graph { ModifiersState::ALT } else { ModifiersState::empty() };
        let shortcut = shortcut(&event.logical_key, event.physical_key, self.modifiers | alt_graph);
        let now = Instant::now();
        // Typed before a slow frame shows the field: no shortcut.
        let focus = if self.opens_field { Focus::Text } else { focus };
        self.opens_field |= shortcut == Some(Shortcut::Panel(PanelKey::Search));
        if focus == Focus::None && self.typed_until.is_some_and(|until| now < until) {
            // The rest of what was being typed when the text field lost the focus.
            if event.text.is_some() && shortcut.is_none_or(Shortcut::is_typing) {
                self.typed_until = Some(now + STILL_TYPING);
                return None;
            }
        }
        shortcut.filter(|shortcut| shortcut.works_with(focus)).map(|shortcut| (shortcut, event.repeat))
    }
}

/// Back and forward in the history.
fn of_button(button: MouseButton) -> Option<Shortcut> {
    match button {
        MouseButton::Back => Some(Shortcut::Panel(PanelKey::Undo)),
        MouseButton::Forward => Some(Shortcut::Panel(PanelKey::Redo)),
        _ => None,
    }
}

/// A key by what it writes and by its place on the keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cap {
    Letter(char),
    Digit(u8),
    /// A sign that has a meaning with Ctrl.
    Sign(char),
    Named(NamedKey),
}

/// The shortcut of a key that is pressed with these modifiers.
pub fn shortcut(written: &Key, place: PhysicalKey, modifiers: ModifiersState) -> Option<Shortcut> {
    let cap = cap(written, place, modifiers)?;
    let [none, shift, ctrl] = [ModifiersState::empty(), ModifiersState::SHIFT, ModifiersState::CONTROL];
    let with = |wanted: ModifiersState| modifiers == wanted;
    let lens = |key| Some(Shortcut::Lens(key));
    let panel = |key| Some(Shortcut::Panel(key));
    match cap {
        // Cancelling a drag ignores modifiers.
        Cap::Named(NamedKey::Escape) => Some(Shortcut::Escape),
        Cap::Letter('q') if with(ctrl) => Some(Shortcut::Quit),
        Cap::Letter('f') if with(ctrl) => panel(PanelKey::Search),
        Cap::Letter('o') if with(ctrl) => panel(PanelKey::Open),
        Cap::Letter('z') if with(ctrl) => panel(PanelKey::Undo),
        Cap::Letter('z') if with(ctrl | shift) => panel(PanelKey::Redo),
        Cap::Letter('y') if with(ctrl) => panel(PanelKey::Redo),
        Cap::Named(NamedKey::Tab) if with(ctrl) => panel(PanelKey::Focus),
        Cap::Named(NamedKey::Enter) if with(ModifiersState::ALT) => Some(Shortcut::Fullscreen),
        Cap::Sign('+' | '=') if with(ctrl) || with(ctrl | shift) => Some(Shortcut::TextSize(1)),
        Cap::Sign('-') if with(ctrl) => Some(Shortcut::TextSize(-1)),
        Cap::Digit(0) if with(ctrl) => Some(Shortcut::TextSize(0)),
        Cap::Letter('v') if with(shift) => panel(PanelKey::PreviousView),
        // With Shift by a larger step.
        Cap::Letter('q') if with(none) || with(shift) => lens(LensKey::Q),
        Cap::Letter('e') if with(none) || with(shift) => lens(LensKey::E),
        Cap::Named(NamedKey::ArrowLeft) if with(none) || with(shift) => lens(LensKey::Left),
        Cap::Named(NamedKey::ArrowRight) if with(none) || with(shift) => lens(LensKey::Right),
        Cap::Named(NamedKey::ArrowUp) if with(none) || with(shift) => lens(LensKey::Up),
        Cap::Named(NamedKey::ArrowDown) if with(none) || with(shift) => lens(LensKey::Down),
        // Some layouts write digits with Shift.
        Cap::Digit(digit @ 1..=9) if with(none) || with(shift) => lens(LensKey::Digit(digit)),
        Cap::Digit(0) if with(none) || with(shift) => panel(PanelKey::FinalImage),
        _ if !with(none) => None,
        Cap::Letter('v') => panel(PanelKey::NextView),
        Cap::Letter('i') => panel(PanelKey::Inspect),
        Cap::Letter('b') => panel(PanelKey::Pair),
        Cap::Letter('t') => panel(PanelKey::Timeline),
        Cap::Letter('f') => Some(Shortcut::ToggleDrift),
        Cap::Letter('n') => lens(LensKey::N),
        Cap::Letter('r') => lens(LensKey::R),
        Cap::Letter('h') => lens(LensKey::H),
        Cap::Named(NamedKey::Tab) => lens(LensKey::Tab),
        Cap::Named(NamedKey::Space) => lens(LensKey::Space),
        Cap::Named(NamedKey::Delete) => lens(LensKey::Delete),
        Cap::Named(NamedKey::PageUp) => lens(LensKey::PageUp),
        Cap::Named(NamedKey::PageDown) => lens(LensKey::PageDown),
        Cap::Named(NamedKey::F1) => panel(PanelKey::Help),
        Cap::Named(NamedKey::F2) => Some(Shortcut::TakePicture),
        Cap::Named(NamedKey::F3) => panel(PanelKey::Controls),
        Cap::Named(NamedKey::F4) => panel(PanelKey::Timings),
        Cap::Named(NamedKey::F5) => panel(PanelKey::Device),
        Cap::Named(NamedKey::F6) => panel(PanelKey::Focus),
        Cap::Named(NamedKey::F9) => Some(Shortcut::Record),
        Cap::Named(NamedKey::F11) => Some(Shortcut::Fullscreen),
        Cap::Named(NamedKey::F12) => Some(Shortcut::Capture),
        _ => None,
    }
}

fn cap(written: &Key, place: PhysicalKey, modifiers: ModifiersState) -> Option<Cap> {
    let code = match place {
        PhysicalKey::Code(code) => Some(code),
        PhysicalKey::Unidentified(_) => None,
    };
    let text = match written {
        Key::Named(name) => return Some(Cap::Named(*name)),
        Key::Character(text) => text.as_str(),
        Key::Dead(_) => return None,
        // The layout does not define the key.
        Key::Unidentified(_) => return letter_at(code?).map(Cap::Letter),
    };
    let mut letters = text.chars();
    let only = letters.next().filter(|_| letters.next().is_none());
    match only {
        Some(' ') => return Some(Cap::Named(NamedKey::Space)),
        Some(letter) if letter.is_ascii_alphabetic() => return Some(Cap::Letter(letter.to_ascii_lowercase())),
        Some(digit) if digit.is_ascii_digit() => return Some(Cap::Digit(digit as u8 - b'0')),
        Some(sign) if modifiers.control_key() && "+=-".contains(sign) => return Some(Cap::Sign(sign)),
        _ => {}
    }
    let code = code?;
    if let Some(digit) = digit_at(code) {
        // Shift and a digit is a symbol on the layouts whose digits need no Shift.
        return (!modifiers.shift_key()).then_some(Cap::Digit(digit));
    }
    // Layouts without Latin letters have symbols at the place of Q: the Greek one a semicolon, the Hebrew one a slash, the Bulgarian one a
    // comma. Other symbols at the place of a letter are those of Latin layouts, which have this letter elsewhere.
    let is_sign_on_q = code == KeyCode::KeyQ && only.is_some_and(|sign| ";:/,".contains(sign));
    letter_at(code).filter(|_| is_sign_on_q || text.chars().any(is_of_other_script)).map(Cap::Letter)
}

/// Letters and marks of non-Latin scripts: neither Latin letters with their extensions, nor punctuation and currency signs.
fn is_of_other_script(letter: char) -> bool {
    letter >= '\u{250}'
        && !matches!(letter, '\u{1d00}'..='\u{1dbf}' | '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{2bff}')
}

fn digit_at(code: KeyCode) -> Option<u8> {
    Some(match code {
        KeyCode::Digit0 => 0,
        KeyCode::Digit1 => 1,
        KeyCode::Digit2 => 2,
        KeyCode::Digit3 => 3,
        KeyCode::Digit4 => 4,
        KeyCode::Digit5 => 5,
        KeyCode::Digit6 => 6,
        KeyCode::Digit7 => 7,
        KeyCode::Digit8 => 8,
        KeyCode::Digit9 => 9,
        _ => return None,
    })
}

/// The letter of the US layout at a place, of those that shortcuts use.
fn letter_at(code: KeyCode) -> Option<char> {
    Some(match code {
        KeyCode::KeyB => 'b',
        KeyCode::KeyE => 'e',
        KeyCode::KeyF => 'f',
        KeyCode::KeyH => 'h',
        KeyCode::KeyI => 'i',
        KeyCode::KeyN => 'n',
        KeyCode::KeyO => 'o',
        KeyCode::KeyQ => 'q',
        KeyCode::KeyR => 'r',
        KeyCode::KeyT => 't',
        KeyCode::KeyV => 'v',
        KeyCode::KeyY => 'y',
        KeyCode::KeyZ => 'z',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: ModifiersState = ModifiersState::empty();
    const SHIFT: ModifiersState = ModifiersState::SHIFT;
    const CTRL: ModifiersState = ModifiersState::CONTROL;

    fn pressed(text: &str, code: KeyCode, modifiers: ModifiersState) -> Option<Shortcut> {
        shortcut(&Key::Character(text.into()), PhysicalKey::Code(code), modifiers)
    }

    /// What the keys at the places of N Q E R H F V, and of Q Z O Y with Ctrl, write on each layout.
    const PLACES: [KeyCode; 7] =
        [KeyCode::KeyN, KeyCode::KeyQ, KeyCode::KeyE, KeyCode::KeyR, KeyCode::KeyH, KeyCode::KeyF, KeyCode::KeyV];

    #[test]
    fn letters_are_those_that_are_written_and_places_count_where_no_latin_letter_is() {
        let bare = |text: &str| match text {
            "n" => Some(Shortcut::Lens(LensKey::N)),
            "q" => Some(Shortcut::Lens(LensKey::Q)),
            "e" => Some(Shortcut::Lens(LensKey::E)),
            "r" => Some(Shortcut::Lens(LensKey::R)),
            "h" => Some(Shortcut::Lens(LensKey::H)),
            "f" => Some(Shortcut::ToggleDrift),
            "v" => Some(Shortcut::Panel(PanelKey::NextView)),
            "t" => Some(Shortcut::Panel(PanelKey::Timeline)),
            _ => None,
        };
        let at = |place: usize| bare(&"nqerhfv"[place..=place]);
        // us, de, fr: by what is written, wherever it is.
        for (layout, written) in [("us", "nqerhfv"), ("de", "nqerhfv"), ("fr", "naerhfv"), ("colemak", "kqfphtv")] {
            for (code, text) in PLACES.into_iter().zip(written.chars().map(String::from)) {
                assert_eq!(pressed(&text, code, NONE), bare(&text), "{layout} {text}");
                assert_eq!(pressed(&text.to_uppercase(), code, NONE), bare(&text), "{layout} {text}, Caps Lock");
            }
        }
        assert_eq!(pressed("q", KeyCode::KeyA, NONE), bare("q"), "fr has Q at the place of A");
        // ru, gr, he, ar, uk: by the place.
        for (layout, written) in [
            ("ru", ["т", "й", "у", "к", "р", "а", "м"]),
            ("gr", ["ν", ";", "ε", "ρ", "η", "φ", "ω"]),
            ("he", ["מ", "/", "ק", "ר", "י", "כ", "ה"]),
            ("ar", ["ى", "ض", "ث", "ق", "ا", "ب", "ر"]),
            ("bg", ["х", ",", "е", "и", "г", "о", "э"]),
            ("th", ["ื", "ๆ", "ำ", "พ", "้", "ด", "อ"]),
        ] {
            for (place, (code, text)) in PLACES.into_iter().zip(written).enumerate() {
                assert_eq!(pressed(text, code, NONE), at(place), "{layout} {text}");
            }
        }
        // Latin layouts have other things at these places.
        for (code, text) in [
            (KeyCode::KeyQ, "'"),
            (KeyCode::KeyE, "."),
            (KeyCode::KeyZ, ";"),
            (KeyCode::KeyH, "ñ"),
            (KeyCode::KeyR, "ı"),
            (KeyCode::KeyQ, "@"),
            (KeyCode::KeyE, "€"),
            (KeyCode::Semicolon, "ö"),
        ] {
            assert_eq!(pressed(text, code, NONE), None, "{text}");
            assert_eq!(pressed(text, code, CTRL), None, "Ctrl and {text}");
        }
    }

    #[test]
    fn a_shortcut_has_its_own_modifiers_and_no_other() {
        let panel = |key| Some(Shortcut::Panel(key));
        for (text, code, modifiers, wanted) in [
            ("q", KeyCode::KeyQ, CTRL, Some(Shortcut::Quit)),
            ("й", KeyCode::KeyQ, CTRL, Some(Shortcut::Quit)),
            (";", KeyCode::KeyQ, CTRL, Some(Shortcut::Quit)),
            ("a", KeyCode::KeyQ, CTRL, None),
            ("q", KeyCode::KeyA, CTRL, Some(Shortcut::Quit)),
            ("z", KeyCode::KeyY, CTRL, panel(PanelKey::Undo)),
            ("Z", KeyCode::KeyZ, CTRL | SHIFT, panel(PanelKey::Redo)),
            ("я", KeyCode::KeyZ, CTRL, panel(PanelKey::Undo)),
            ("o", KeyCode::KeyO, CTRL, panel(PanelKey::Open)),
            ("f", KeyCode::KeyF, CTRL, panel(PanelKey::Search)),
            ("f", KeyCode::KeyF, SHIFT, None),
            ("V", KeyCode::KeyV, SHIFT, panel(PanelKey::PreviousView)),
            ("E", KeyCode::KeyE, SHIFT, Some(Shortcut::Lens(LensKey::E))),
            ("t", KeyCode::KeyT, NONE, panel(PanelKey::Timeline)),
            ("t", KeyCode::KeyT, CTRL, None),
        ] {
            assert_eq!(pressed(text, code, modifiers), wanted, "{text} {modifiers:?}");
        }
        let all = [CTRL, SHIFT, ModifiersState::ALT, ModifiersState::SUPER];
        for (code, text) in [(KeyCode::KeyN, "n"), (KeyCode::KeyR, "r"), (KeyCode::KeyH, "h")] {
            assert!(all.iter().all(|held| pressed(text, code, *held).is_none()), "{text}");
        }
        let named = |name, held| shortcut(&Key::Named(name), PhysicalKey::Code(KeyCode::Fn), held);
        for name in [NamedKey::Space, NamedKey::Delete, NamedKey::F1, NamedKey::F2, NamedKey::F11, NamedKey::F12] {
            assert!(named(name, NONE).is_some() && all.iter().all(|held| named(name, *held).is_none()), "{name:?}");
        }
        assert_eq!(named(NamedKey::ArrowLeft, CTRL), None);
        assert_eq!(named(NamedKey::ArrowLeft, SHIFT), Some(Shortcut::Lens(LensKey::Left)));
        assert_eq!(named(NamedKey::Tab, CTRL), panel(PanelKey::Focus));
        assert_eq!(named(NamedKey::Escape, CTRL), Some(Shortcut::Escape));
        assert_eq!(named(NamedKey::Enter, ModifiersState::ALT), Some(Shortcut::Fullscreen));
        assert_eq!([named(NamedKey::Enter, NONE), named(NamedKey::F11, CTRL)], [None; 2]);
    }

    #[test]
    fn text_grows_and_shrinks_on_every_layout() {
        let size = |steps| Some(Shortcut::TextSize(steps));
        for (text, code, modifiers, wanted) in [
            ("=", KeyCode::Equal, CTRL, size(1)),
            ("+", KeyCode::Equal, CTRL | SHIFT, size(1)),
            ("-", KeyCode::Minus, CTRL, size(-1)),
            ("0", KeyCode::Digit0, CTRL, size(0)),
            // de; fr, whose minus is at the place of 6; the number pad.
            ("+", KeyCode::BracketRight, CTRL, size(1)),
            ("-", KeyCode::Digit6, CTRL, size(-1)),
            ("à", KeyCode::Digit0, CTRL, size(0)),
            ("+", KeyCode::NumpadAdd, CTRL, size(1)),
            ("=", KeyCode::Equal, NONE, None),
            ("-", KeyCode::Minus, CTRL | ModifiersState::ALT, None),
            ("-", KeyCode::Digit6, NONE, Some(Shortcut::Lens(LensKey::Digit(6)))),
        ] {
            assert_eq!(pressed(text, code, modifiers), wanted, "{text} {modifiers:?}");
        }
    }

    #[test]
    fn the_buttons_for_back_and_forward_undo_and_redo() {
        let mut keyboard = KeyboardState::default();
        let mut press = |button, state, focus| {
            let event = WindowEvent::MouseInput { device_id: winit::event::DeviceId::dummy(), state, button };
            keyboard.shortcut(&event, focus).map(|(shortcut, _)| shortcut)
        };
        let panel = |key| Some(Shortcut::Panel(key));
        let down = ElementState::Pressed;
        assert_eq!(press(MouseButton::Back, down, Focus::None), panel(PanelKey::Undo));
        assert_eq!(press(MouseButton::Forward, down, Focus::Widget), panel(PanelKey::Redo));
        assert_eq!(press(MouseButton::Back, down, Focus::Text), None, "a text field has a history of its own");
        assert_eq!(press(MouseButton::Back, ElementState::Released, Focus::None), None);
        assert_eq!(press(MouseButton::Middle, down, Focus::None), None);
    }

    #[test]
    fn digits_are_at_their_places_where_a_layout_writes_them_with_shift() {
        let digit = |digit| Some(Shortcut::Lens(LensKey::Digit(digit)));
        assert_eq!([pressed("7", KeyCode::Digit7, NONE), pressed("7", KeyCode::Numpad7, NONE)], [digit(7); 2]);
        // fr, and cs.
        assert_eq!([pressed("è", KeyCode::Digit7, NONE), pressed("7", KeyCode::Digit7, SHIFT)], [digit(7); 2]);
        assert_eq!([pressed("&", KeyCode::Digit1, NONE), pressed("ě", KeyCode::Digit2, NONE)], [digit(1), digit(2)]);
        assert_eq!(pressed("&", KeyCode::Digit7, SHIFT), None);
        for (text, modifiers) in [("0", NONE), ("à", NONE), ("0", SHIFT)] {
            let shortcut = pressed(text, KeyCode::Digit0, modifiers);
            assert_eq!(shortcut, Some(Shortcut::Panel(PanelKey::FinalImage)), "{text}");
        }
        assert_eq!(pressed("=", KeyCode::Digit0, SHIFT), None);
        assert_eq!(
            [pressed("7", KeyCode::Digit7, CTRL), pressed("è", KeyCode::Digit7, ModifiersState::ALT)],
            [None; 2]
        );
    }

    #[test]
    fn typed_text_is_not_disturbed() {
        let all = [
            (Shortcut::Quit, [true, true]),
            (Shortcut::Fullscreen, [true, true]),
            (Shortcut::Panel(PanelKey::Undo), [true, false]),
            (Shortcut::Panel(PanelKey::Help), [true, true]),
            (Shortcut::Lens(LensKey::Digit(2)), [false, false]),
            (Shortcut::ToggleDrift, [false, false]),
        ];
        for (shortcut, [widget, text]) in all {
            assert!(shortcut.works_with(Focus::None));
            assert_eq!([shortcut.works_with(Focus::Widget), shortcut.works_with(Focus::Text)], [widget, text]);
        }
    }
}
