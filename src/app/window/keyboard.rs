//! Keyboard shortcuts, on every keyboard layout.
//!
//! A letter is the Latin letter that a key writes; on a layout without Latin letters, the letter at its place. A digit is the digit that a
//! key writes, else the one at its place: the French layout writes digits with Shift only. A shortcut has exactly its own modifiers.

use egui::Key as Cap;
use scene::motif;
use std::time::{Duration, Instant};
use ui::PanelKey;
use ui::instruments;
use ui::keys::{Focus, Held, Shortcut};
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// A character may still belong to a text field that lost the focus.
const STILL_TYPING: Duration = Duration::from_millis(800);

#[derive(Debug, Default)]
pub struct KeyboardState {
    modifiers: ModifiersState,
    has_alt_graph: bool,
    typed_until: Option<Instant>,
    opens_field: bool,
}

impl KeyboardState {
    pub fn panels_ran(&mut self) {
        self.opens_field = false;
    }

    pub fn end_typing(&mut self) {
        self.typed_until = Some(Instant::now() + STILL_TYPING);
    }

    /// A key without Ctrl, Alt or another modifier than Shift, and whether it goes down.
    pub fn motif_key(&self, event: &WindowEvent) -> Option<(motif::Key, bool)> {
        let WindowEvent::KeyboardInput { event, is_synthetic: false, .. } = event else { return None };
        let is_down = event.state == ElementState::Pressed;
        let is_plain = (self.modifiers - ModifiersState::SHIFT).is_empty();
        (is_plain || !is_down)
            .then(|| motif_key(&event.logical_key, self.modifiers))
            .flatten()
            .map(|key| (key, is_down))
    }

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
        let focus = if self.opens_field { Focus::Text } else { focus };
        self.opens_field |= shortcut == Some(Shortcut::Panel(PanelKey::Search));
        let is_typing = focus == Focus::None && self.typed_until.is_some_and(|until| now < until);
        if is_typing && event.text.is_some() && shortcut.is_none_or(Shortcut::is_typing) {
            self.typed_until = Some(now + STILL_TYPING);
            return None;
        }
        shortcut.filter(|shortcut| shortcut.works_with(focus)).map(|shortcut| (shortcut, event.repeat))
    }
}

fn motif_key(written: &Key, modifiers: ModifiersState) -> Option<motif::Key> {
    use motif::Key as Motif;
    Some(match written {
        Key::Named(NamedKey::ArrowUp) => Motif::Up,
        Key::Named(NamedKey::ArrowDown) => Motif::Down,
        Key::Named(NamedKey::ArrowLeft | NamedKey::Backspace) => Motif::Left,
        Key::Named(NamedKey::ArrowRight) => Motif::Right,
        Key::Named(NamedKey::PageUp) => Motif::PageUp,
        Key::Named(NamedKey::PageDown) => Motif::PageDown,
        Key::Named(NamedKey::Home) => Motif::Home,
        Key::Named(NamedKey::End) => Motif::End,
        Key::Named(NamedKey::Tab) if modifiers.shift_key() => Motif::Previous,
        Key::Named(NamedKey::Tab) => Motif::Next,
        Key::Named(NamedKey::Space | NamedKey::Enter) => Motif::Act,
        Key::Character(text) => Motif::Letter(text.chars().next().filter(|_| text.chars().count() == 1)?),
        _ => return None,
    })
}

fn of_button(button: MouseButton) -> Option<Shortcut> {
    match button {
        MouseButton::Back => Some(Shortcut::Undo),
        MouseButton::Forward => Some(Shortcut::Redo),
        _ => None,
    }
}

pub fn shortcut(written: &Key, place: PhysicalKey, modifiers: ModifiersState) -> Option<Shortcut> {
    let cap = cap(written, place, modifiers)?;
    if cap == Cap::Escape {
        return Some(Shortcut::Escape);
    }
    // Some layouts write digits and signs with Shift.
    let is_written = is_digit(cap) || matches!(cap, Cap::Plus | Cap::Minus);
    let modifiers = if is_written { modifiers - ModifiersState::SHIFT } else { modifiers };
    let held = [
        (ModifiersState::empty(), Held::Nothing),
        (ModifiersState::SHIFT, Held::Shift),
        (ModifiersState::CONTROL, Held::Ctrl),
        (ModifiersState::CONTROL | ModifiersState::SHIFT, Held::CtrlShift),
        (ModifiersState::ALT, Held::Alt),
    ];
    let (_, held) = held.into_iter().find(|(wanted, _)| *wanted == modifiers)?;
    instruments::shortcut(held, cap)
}

fn is_digit(cap: Cap) -> bool {
    matches!(cap.name().as_bytes(), [b'0'..=b'9'])
}

fn cap(written: &Key, place: PhysicalKey, modifiers: ModifiersState) -> Option<Cap> {
    let code = match place {
        PhysicalKey::Code(code) => Some(code),
        PhysicalKey::Unidentified(_) => None,
    };
    let text = match written {
        Key::Named(name) => return named(*name),
        Key::Character(text) => text.as_str(),
        Key::Dead(_) => return None,
        Key::Unidentified(_) => return letter_at(code?),
    };
    let mut letters = text.chars();
    let only = letters.next().filter(|_| letters.next().is_none());
    match only {
        Some(' ') => return Some(Cap::Space),
        Some(written) if written.is_ascii_alphanumeric() => return Cap::from_name(&text.to_ascii_uppercase()),
        Some('+' | '=') if modifiers.control_key() => return Some(Cap::Plus),
        Some('-') if modifiers.control_key() => return Some(Cap::Minus),
        _ => {}
    }
    let code = code?;
    if let Some(digit) = digit_at(code) {
        return (!modifiers.shift_key()).then_some(digit);
    }
    // Layouts without Latin letters have symbols at the place of Q: Greek `;`, Hebrew `/`, Bulgarian `,`. Other symbols
    // there belong to Latin layouts.
    let is_sign_on_q = code == KeyCode::KeyQ && only.is_some_and(|sign| ";:/,".contains(sign));
    letter_at(code).filter(|_| is_sign_on_q || text.chars().any(is_of_other_script))
}

/// Names of keys are those of the web in winit and in egui.
fn named(name: NamedKey) -> Option<Cap> {
    Cap::from_name(&format!("{name:?}"))
}

fn is_of_other_script(letter: char) -> bool {
    letter >= '\u{250}'
        && !matches!(letter, '\u{1d00}'..='\u{1dbf}' | '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{2bff}')
}

fn digit_at(code: KeyCode) -> Option<Cap> {
    format!("{code:?}").strip_prefix("Digit").and_then(Cap::from_name)
}

fn letter_at(code: KeyCode) -> Option<Cap> {
    format!("{code:?}").strip_prefix("Key").and_then(Cap::from_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ui::manipulator::Key as LensKey;

    // tests/window_parts/layouts.rs presses keys on the layouts us, ru, gr, de and fr.
    const NONE: ModifiersState = ModifiersState::empty();
    const SHIFT: ModifiersState = ModifiersState::SHIFT;
    const CTRL: ModifiersState = ModifiersState::CONTROL;

    fn pressed(text: &str, code: KeyCode, modifiers: ModifiersState) -> Option<Shortcut> {
        shortcut(&Key::Character(text.into()), PhysicalKey::Code(code), modifiers)
    }

    /// Places of N Q E R H F V.
    const PLACES: [KeyCode; 7] =
        [KeyCode::KeyN, KeyCode::KeyQ, KeyCode::KeyE, KeyCode::KeyR, KeyCode::KeyH, KeyCode::KeyF, KeyCode::KeyV];

    #[test]
    fn letters_are_those_that_are_written_and_places_count_where_no_latin_letter_is() {
        let bare = |text: &str| match text {
            "n" => Some(Shortcut::Lens(LensKey::N)),
            "q" => Some(Shortcut::Lens(LensKey::Turn(-1))),
            "e" => Some(Shortcut::Lens(LensKey::Turn(1))),
            "r" => Some(Shortcut::Lens(LensKey::R)),
            "h" => Some(Shortcut::TogglePanels),
            "f" => Some(Shortcut::ToggleDrift),
            "v" => Some(Shortcut::Panel(PanelKey::NextView)),
            "t" => Some(Shortcut::Panel(PanelKey::Instrument("timeline"))),
            _ => None,
        };
        let at = |place: usize| bare(&"nqerhfv"[place..=place]);
        for (code, text) in PLACES.into_iter().zip("kqfphtv".chars().map(String::from)) {
            assert_eq!(pressed(&text, code, NONE), bare(&text), "Colemak {text}");
            assert_eq!(pressed(&text.to_uppercase(), code, NONE), bare(&text), "Colemak {text}, Caps Lock");
        }
        for (layout, written) in [
            ("he", ["מ", "/", "ק", "ר", "י", "כ", "ה"]),
            ("bg", ["х", ",", "е", "и", "г", "о", "э"]),
            ("th", ["ื", "ๆ", "ำ", "พ", "้", "ด", "อ"]),
        ] {
            for (place, (code, text)) in PLACES.into_iter().zip(written).enumerate() {
                assert_eq!(pressed(text, code, NONE), at(place), "{layout} {text}");
            }
        }
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
        let size = |steps| Some(Shortcut::TextSize(steps));
        let digit = |digit| Some(Shortcut::Preset(digit));
        for (text, code, modifiers, wanted) in [
            ("q", KeyCode::KeyQ, CTRL, Some(Shortcut::Quit)),
            ("й", KeyCode::KeyQ, CTRL, Some(Shortcut::Quit)),
            (";", KeyCode::KeyQ, CTRL, Some(Shortcut::Quit)),
            ("a", KeyCode::KeyQ, CTRL, None),
            ("q", KeyCode::KeyA, CTRL, Some(Shortcut::Quit)),
            ("z", KeyCode::KeyY, CTRL, Some(Shortcut::Undo)),
            ("Z", KeyCode::KeyZ, CTRL | SHIFT, Some(Shortcut::Redo)),
            ("я", KeyCode::KeyZ, CTRL, Some(Shortcut::Undo)),
            ("o", KeyCode::KeyO, CTRL, Some(Shortcut::Open)),
            ("f", KeyCode::KeyF, CTRL, panel(PanelKey::Search)),
            ("f", KeyCode::KeyF, SHIFT, None),
            ("V", KeyCode::KeyV, SHIFT, panel(PanelKey::PreviousView)),
            ("E", KeyCode::KeyE, SHIFT, Some(Shortcut::Lens(LensKey::Turn(15)))),
            ("t", KeyCode::KeyT, NONE, panel(PanelKey::Instrument("timeline"))),
            ("t", KeyCode::KeyT, CTRL, None),
            ("=", KeyCode::Equal, CTRL, size(1)),
            ("+", KeyCode::Equal, CTRL | SHIFT, size(1)),
            ("-", KeyCode::Minus, CTRL, size(-1)),
            ("0", KeyCode::Digit0, CTRL, size(0)),
            ("+", KeyCode::BracketRight, CTRL, size(1)),
            ("-", KeyCode::Digit6, CTRL, size(-1)),
            ("à", KeyCode::Digit0, CTRL, size(0)),
            ("+", KeyCode::NumpadAdd, CTRL, size(1)),
            ("=", KeyCode::Equal, NONE, None),
            ("-", KeyCode::Minus, CTRL | ModifiersState::ALT, None),
            // Digits are at their places where a layout writes them with Shift.
            ("-", KeyCode::Digit6, NONE, digit(6)),
            ("7", KeyCode::Digit7, NONE, digit(7)),
            ("7", KeyCode::Numpad7, NONE, digit(7)),
            ("è", KeyCode::Digit7, NONE, digit(7)),
            ("7", KeyCode::Digit7, SHIFT, digit(7)),
            ("&", KeyCode::Digit1, NONE, digit(1)),
            ("ě", KeyCode::Digit2, NONE, digit(2)),
            ("&", KeyCode::Digit7, SHIFT, None),
            ("0", KeyCode::Digit0, NONE, panel(PanelKey::FinalImage)),
            ("à", KeyCode::Digit0, NONE, panel(PanelKey::FinalImage)),
            ("0", KeyCode::Digit0, SHIFT, panel(PanelKey::FinalImage)),
            ("=", KeyCode::Digit0, SHIFT, None),
            ("7", KeyCode::Digit7, CTRL, None),
            ("è", KeyCode::Digit7, ModifiersState::ALT, None),
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
        assert_eq!(named(NamedKey::ArrowLeft, SHIFT), Some(Shortcut::Lens(LensKey::Move([-10, 0]))));
        assert_eq!(named(NamedKey::Tab, CTRL), panel(PanelKey::Focus));
        assert_eq!(named(NamedKey::Escape, CTRL), Some(Shortcut::Escape));
        assert_eq!(named(NamedKey::Enter, ModifiersState::ALT), Some(Shortcut::Fullscreen));
        assert_eq!([named(NamedKey::Enter, NONE), named(NamedKey::F11, CTRL)], [None; 2]);
    }

    #[test]
    fn typed_text_is_not_disturbed() {
        let all = [
            (Shortcut::Quit, [true, true]),
            (Shortcut::Fullscreen, [true, true]),
            (Shortcut::Undo, [true, false]),
            (Shortcut::Panel(PanelKey::Help), [true, true]),
            (Shortcut::Preset(2), [false, false]),
            (Shortcut::ToggleDrift, [false, false]),
        ];
        for (shortcut, [widget, text]) in all {
            assert!(shortcut.works_with(Focus::None));
            assert_eq!([shortcut.works_with(Focus::Widget), shortcut.works_with(Focus::Text)], [widget, text]);
        }
    }
}
