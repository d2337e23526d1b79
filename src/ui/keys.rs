//! Keys: the one table of chords, what they do, and how that is called. The window's keyboard, the menu of a lens, the search, the tooltips
//! and the Help tab read it.

use super::manipulator::Key as LensKey;
use super::{PanelKey, instruments};
use egui::Key;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shortcut {
    Quit,
    TakePicture,
    Record,
    RecordClip,
    Capture,
    Fullscreen,
    /// Steps; 0 resets it.
    TextSize(i8),
    ToggleDrift,
    TogglePanels,
    /// Meniscus or the reference; with a B, A or B.
    FlipGlass,
    /// By its number, 1 to 9.
    Preset(usize),
    Open,
    Undo,
    Redo,
    Panel(PanelKey),
    Lens(LensKey),
    Escape,
}

/// What takes the keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Focus {
    None,
    Widget,
    Text,
}

impl Shortcut {
    pub fn works_with(self, focus: Focus) -> bool {
        use PanelKey::{Device, Focus as ToPanels, Help, Search, Techniques, Timings};
        let is_for_all = matches!(
            self,
            Self::Quit
                | Self::TakePicture
                | Self::Record
                | Self::RecordClip
                | Self::Capture
                | Self::Fullscreen
                | Self::TextSize(_)
                | Self::Open
        ) || matches!(self, Self::Panel(Device | Help | Search | Techniques | Timings | ToPanels));
        match focus {
            Focus::None => true,
            Focus::Widget => is_for_all || matches!(self, Self::Panel(_) | Self::Undo | Self::Redo),
            Focus::Text => is_for_all,
        }
    }

    pub fn repeats(self) -> bool {
        matches!(
            self,
            Self::Undo
                | Self::Redo
                | Self::Panel(PanelKey::NextView | PanelKey::PreviousView)
                | Self::Lens(_)
                | Self::TextSize(_)
        )
    }

    /// The key writes a character or edits text.
    pub fn is_typing(self) -> bool {
        use PanelKey::{FinalImage, Instrument, NextView, PreviousView};
        matches!(
            self,
            Self::ToggleDrift
                | Self::TogglePanels
                | Self::FlipGlass
                | Self::Preset(_)
                | Self::Lens(_)
                | Self::Panel(FinalImage | Instrument(_) | NextView | PreviousView)
        )
    }
}

/// Modifiers of a chord: exactly these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    Nothing,
    Shift,
    Ctrl,
    CtrlShift,
    Alt,
}

impl Held {
    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Shift => "Shift + ",
            Self::Ctrl => "Ctrl + ",
            Self::CtrlShift => "Ctrl + Shift + ",
            Self::Alt => "Alt + ",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Binding {
    held: Held,
    key: Key,
    action: Shortcut,
    text: &'static str,
}

/// A heading of the Help tab.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Group {
    Lenses,
    Scene,
    Look,
    Inspect,
    Files,
}

impl Group {
    pub const ALL: [(Self, &str); 5] = [
        (Lenses, "Lens"),
        (Scene, "Scene and camera"),
        (Look, "Look and window"),
        (Inspect, "Inspect"),
        (Files, "Files and edits"),
    ];
}

#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub group: Group,
    /// Gesture, or a name for many chords; empty where the chords name themselves.
    name: &'static str,
    bindings: &'static [Binding],
    more: &'static str,
}

pub const fn key(held: Held, key: Key, action: Shortcut, text: &'static str) -> Binding {
    Binding { held, key, action, text }
}

const fn gesture(group: Group, name: &'static str, more: &'static str) -> Line {
    named(group, name, &[], more)
}

pub const fn keys(group: Group, bindings: &'static [Binding], more: &'static str) -> Line {
    named(group, "", bindings, more)
}

const fn named(group: Group, name: &'static str, bindings: &'static [Binding], more: &'static str) -> Line {
    Line { group, name, bindings, more }
}

const NUMBERS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

const PRESETS: [Binding; 9] = {
    let preset = "Load the preset with this number";
    let mut all = [key(Held::Nothing, Key::Num1, Shortcut::Preset(1), preset); 9];
    let mut at = 0;
    while at < all.len() {
        (all[at].key, all[at].action) = (NUMBERS[at], Shortcut::Preset(at + 1));
        at += 1;
    }
    all
};

const fn arrows(held: Held, by: i8, text: &'static str) -> [Binding; 4] {
    [
        key(held, Key::ArrowLeft, Shortcut::Lens(LensKey::Move([-by, 0])), text),
        key(held, Key::ArrowRight, Shortcut::Lens(LensKey::Move([by, 0])), text),
        key(held, Key::ArrowUp, Shortcut::Lens(LensKey::Move([0, -by])), text),
        key(held, Key::ArrowDown, Shortcut::Lens(LensKey::Move([0, by])), text),
    ]
}

use Group::{Files, Inspect, Lenses, Look, Scene};
use Held::{Alt, Ctrl, CtrlShift, Nothing, Shift};
use Shortcut::{Lens, Panel};

/// By group; the lines of the instruments follow.
const TABLE: &[Line] = &[
    gesture(Lenses, "Drag", "Move the lens"),
    gesture(Lenses, "Drag a dot", "Resize; Shift keeps the proportions"),
    gesture(Lenses, "Drag the ring", "Rotate; Shift snaps to 15°"),
    gesture(Lenses, "Ctrl + drag", "Rotate from anywhere on the lens"),
    gesture(Lenses, "Wheel", "Resize the lens"),
    gesture(Lenses, "Ctrl + wheel", "Change the frost"),
    gesture(Lenses, "Two fingers", "Move, resize and rotate"),
    named(Lenses, "Arrows", &arrows(Nothing, 1, "Move the lens by 1 px"), ""),
    named(Lenses, "Shift + arrows", &arrows(Shift, 10, "Move the lens by 10 px"), ""),
    keys(
        Lenses,
        &[
            key(Nothing, Key::Q, Lens(LensKey::Turn(-1)), "Rotate 1° left"),
            key(Nothing, Key::E, Lens(LensKey::Turn(1)), "Rotate 1° right"),
        ],
        "",
    ),
    keys(
        Lenses,
        &[
            key(Shift, Key::Q, Lens(LensKey::Turn(-15)), "Rotate 15° left"),
            key(Shift, Key::E, Lens(LensKey::Turn(15)), "Rotate 15° right"),
        ],
        "",
    ),
    keys(
        Lenses,
        &[key(Nothing, Key::N, Lens(LensKey::N), "New lens")],
        ", up to 8; close ones merge. The + beside a lens adds one, too",
    ),
    keys(Lenses, &[key(Nothing, Key::Delete, Lens(LensKey::Delete), "Remove this lens")], ", unless it is the last"),
    keys(Lenses, &[key(Nothing, Key::Tab, Lens(LensKey::Tab), "Select the next lens")], ""),
    keys(
        Lenses,
        &[
            key(Nothing, Key::PageUp, Lens(LensKey::PageUp), "Bring forward"),
            key(Nothing, Key::PageDown, Lens(LensKey::PageDown), "Send backward"),
        ],
        ": a lens refracts those of other glass below it",
    ),
    gesture(Lenses, "Right click on a lens", "A menu with what keys do"),
    gesture(Scene, "Drag background", "Orbit; two fingers zoom"),
    gesture(Scene, "Right drag", "Pan the camera (or Shift + drag)"),
    gesture(Scene, "Wheel over background", "Zoom the camera"),
    gesture(
        Scene,
        "List, dock, keyboard, controls",
        "Wheel, drag, click, arrows, Page, Home, End, Tab, Space, letters",
    ),
    keys(Scene, &[key(Nothing, Key::F, Shortcut::ToggleDrift, "Pause or resume camera drift")], ""),
    keys(Scene, &[key(Nothing, Key::R, Lens(LensKey::R), "Reset lens and camera")], ""),
    named(Look, "1 ... 9", &PRESETS, ""),
    keys(Look, &[key(Nothing, Key::Space, Shortcut::FlipGlass, "Glass: Meniscus or reference")], "; with a B: A or B"),
    gesture(Look, "Click a thumbnail", "A view through the lens, or where the last one is; again: back"),
    keys(
        Look,
        &[
            key(Nothing, Key::V, Panel(PanelKey::NextView), "Next view"),
            key(Shift, Key::V, Panel(PanelKey::PreviousView), "Previous view"),
        ],
        "",
    ),
    keys(Look, &[key(Nothing, Key::Num0, Panel(PanelKey::FinalImage), "The final image: no view")], ""),
    gesture(Look, "Double-click a name", "Reset that setting to its default"),
    keys(Look, &[key(Nothing, Key::H, Shortcut::TogglePanels, "Hide or show the panels")], ""),
    keys(
        Look,
        &[
            key(Nothing, Key::F11, Shortcut::Fullscreen, "Fill the screen, and back"),
            key(Alt, Key::Enter, Shortcut::Fullscreen, "Fill the screen, and back"),
        ],
        "",
    ),
    keys(
        Look,
        &[
            key(Ctrl, Key::Plus, Shortcut::TextSize(1), "Larger text"),
            key(Ctrl, Key::Minus, Shortcut::TextSize(-1), "Smaller text"),
            key(Ctrl, Key::Num0, Shortcut::TextSize(0), "Text as at first"),
        ],
        "",
    ),
    keys(Inspect, &[key(Ctrl, Key::F, Panel(PanelKey::Search), "Search actions, views, settings and pages")], ""),
    keys(Inspect, &[key(Nothing, Key::F1, Panel(PanelKey::Help), "Help")], ""),
    keys(
        Inspect,
        &[
            key(Nothing, Key::F3, Panel(PanelKey::Techniques), "Techniques, or the glass"),
            key(Nothing, Key::F5, Panel(PanelKey::Device), "Device"),
        ],
        "",
    ),
    keys(
        Inspect,
        &[key(Nothing, Key::F4, Panel(PanelKey::Timings), "Inspect")],
        ", with the focus on the first pass: Up and Down show the next, Right and Left fold, Enter pins, Esc ends",
    ),
    keys(
        Inspect,
        &[
            key(Nothing, Key::F6, Panel(PanelKey::Focus), "Keyboard focus into the panels and back"),
            key(Ctrl, Key::Tab, Panel(PanelKey::Focus), "Keyboard focus into the panels and back"),
        ],
        "; Tab moves it there",
    ),
    keys(
        Inspect,
        &[key(Nothing, Key::Escape, Shortcut::Escape, "Cancel the drag or a clip")],
        "; close a page, steps, a story, the inspector, pinned passes, A and B, the view",
    ),
    keys(Inspect, &[key(Nothing, Key::F12, Shortcut::Capture, "Capture a frame (RenderDoc)")], ""),
    keys(Files, &[key(Ctrl, Key::O, Shortcut::Open, "Open a file")], ""),
    gesture(
        Files,
        "Drop a file",
        "Open a picture, moving picture (.gif, .y4m, a folder), scene (.glb), shape (.svg) or preset (.toml)",
    ),
    keys(
        Files,
        &[key(Nothing, Key::F2, Shortcut::TakePicture, "Save a screenshot")],
        "; dropped on the window it restores all settings",
    ),
    keys(
        Files,
        &[key(Ctrl, Key::Z, Shortcut::Undo, "Undo the last edit")],
        ": setting, lens, camera, view, preset, file or B",
    ),
    keys(
        Files,
        &[key(CtrlShift, Key::Z, Shortcut::Redo, "Redo it"), key(Ctrl, Key::Y, Shortcut::Redo, "Redo it")],
        "; the mouse's back and forward buttons undo and redo, too",
    ),
    keys(Files, &[key(Ctrl, Key::Q, Shortcut::Quit, "Quit")], ""),
];

pub fn lines(of_instruments: impl Iterator<Item = &'static Line>) -> impl Iterator<Item = &'static Line> {
    TABLE.iter().chain(of_instruments)
}

pub fn find(mut lines: impl Iterator<Item = &'static Line>, held: Held, key: Key) -> Option<Shortcut> {
    lines.find_map(|line| line.chords().find(|(h, k, _)| (*h, *k) == (held, key))).map(|(.., action)| action)
}

fn bindings() -> impl Iterator<Item = &'static Binding> {
    instruments::lines().flat_map(|line| line.bindings)
}

/// What the search can run, once each, and the line that has it. Presets are found by their names.
pub fn actions() -> Vec<(Shortcut, &'static Line)> {
    let mut all: Vec<(Shortcut, &Line)> = Vec::new();
    for (line, one) in instruments::lines().flat_map(|line| line.bindings.iter().map(move |one| (line, one))) {
        let is_apart = matches!(one.action, Shortcut::Escape | Panel(PanelKey::Search) | Shortcut::Preset(_));
        if !is_apart && all.iter().all(|(other, _)| *other != one.action) {
            all.push((one.action, line));
        }
    }
    all
}

pub fn name(action: Shortcut) -> String {
    bindings()
        .find(|one| one.action == action)
        .map_or(String::new(), |one| format!("{}{}", one.held.name(), cap(one.key)))
}

pub fn text(action: Shortcut) -> &'static str {
    bindings().find(|one| one.action == action).map_or("", |one| one.text)
}

pub fn hint(text: &str, action: Shortcut) -> String {
    format!("{text} ({})", name(action))
}

fn cap(key: Key) -> &'static str {
    match key {
        Key::PageUp => "Page Up",
        Key::PageDown => "Page Down",
        Key::Delete => "Del",
        Key::Escape => "Esc",
        Key::Plus => "plus",
        Key::Minus => "minus",
        other => other.name(),
    }
}

impl Line {
    pub fn chords(&self) -> impl Iterator<Item = (Held, Key, Shortcut)> {
        self.bindings.iter().map(|one| (one.held, one.key, one.action))
    }

    /// Gesture or chords; common modifiers are named once.
    pub fn name(&self) -> String {
        if !self.name.is_empty() {
            return self.name.into();
        }
        let mut held = Nothing;
        let names = self.bindings.iter().map(|one| {
            let prefix = if std::mem::replace(&mut held, one.held) == one.held { "" } else { one.held.name() };
            format!("{prefix}{}", cap(one.key))
        });
        names.collect::<Vec<_>>().join(", ")
    }

    pub fn text(&self) -> String {
        let mut texts: Vec<&str> = self.bindings.iter().map(|one| one.text).collect();
        texts.dedup();
        let mut text = String::new();
        for one in texts {
            let mut letters = one.chars();
            match letters.next().filter(|_| !text.is_empty()) {
                Some(first) => text += &format!(", {}{}", first.to_lowercase(), letters.as_str()),
                None => text += one,
            }
        }
        text + self.more
    }
}
