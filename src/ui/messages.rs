//! Messages over the picture: unreadable files, shader errors, written files.

use egui::{Align, Context, Id, Label, Layout, Rect, RichText, Sense, Ui, vec2};

use super::{Loading, UiAction, panel_rects, settings::collapsing, theme};
use base::text::without_codes;
use scene::GlassPanelKind;
use std::path::{Path, PathBuf};

/// Seconds that a message stays, and is left to whoever had the pointer on it; so are the next two.
const INFO_S: f64 = 5.0;
const ERROR_S: f64 = 15.0;
/// Until a message is noticed, and reading time per letter, for slow readers.
const NOTICE_S: f64 = 3.0;
const LETTER_S: f64 = 0.08;
const LINE: f32 = 18.0;
/// The oldest are removed first.
const MOST: usize = 5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    #[default]
    Info,
    Error,
}

/// A new message about a subject replaces the old one, and success removes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    File,
    Preset,
    Picture,
    Capture,
    History,
    Device,
}

#[derive(Debug, Default)]
struct Message {
    level: Level,
    text: String,
    key: Option<String>,
    stays: bool,
    is_drawn: bool,
    until_s: Option<f64>,
    file: Option<PathBuf>,
    /// Somebody was there since a file was written: recording takes long enough to look away.
    is_noticed: bool,
    shown_s: Option<f64>,
    is_hovered: bool,
    is_copied: bool,
}

pub(super) fn loading(ui: &mut Ui, loading: &Loading, width: f32) -> bool {
    let mut cancels = false;
    panel_rects::show(ui, theme::chip(), GlassPanelKind::Panel, |ui| {
        ui.set_width(width - 24.0);
        let part = loading.part.map(|part| format!("  {:.0} %", 100.0 * part.clamp(0.0, 1.0))).unwrap_or_default();
        let row = Layout::right_to_left(Align::Center);
        ui.allocate_ui_with_layout(vec2(ui.available_width(), 20.0), row, |ui| {
            cancels = loading.can_cancel && ui.small_button("Cancel").clicked();
            let what = Label::new(format!("{}{part}", loading.what)).truncate();
            theme::rest(ui, |ui| ui.add(what));
        });
        let (rail, _) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::hover());
        progress(ui, rail, loading.part);
    });
    // A thread reports the progress: poll it.
    ui.ctx().request_repaint_after_secs(0.1);
    cancels
}

pub(super) fn progress(ui: &Ui, rail: Rect, part: Option<f32>) {
    let done = rail.left() + rail.width() * part.unwrap_or(0.0).clamp(0.0, 1.0);
    ui.painter().rect_filled(rail, 2.0, theme::RAIL);
    ui.painter().rect_filled(rail.with_max_x(done), 2.0, theme::ACCENT);
}

pub fn note(ctx: &Context, text: String) {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Vec<String>>(notes()).push(text));
}

fn notes() -> Id {
    Id::new("notes")
}

#[derive(Debug, Default)]
pub struct Messages {
    list: Vec<Message>,
    last_file: Option<PathBuf>,
}

impl Messages {
    /// Shows a message for some seconds; a repeated text only once.
    pub fn say(&mut self, level: Level, text: impl Into<String>) {
        self.put(level, text.into(), None);
    }

    /// Shows a message for some seconds, or until [`Messages::clear`] with the same key.
    pub fn say_once(&mut self, key: &str, level: Level, text: impl Into<String>) {
        self.put(level, text.into(), Some(key.to_owned()));
        if let Some(message) = self.list.last_mut() {
            message.stays = false;
        }
    }

    pub fn say_about(&mut self, about: About, level: Level, text: impl Into<String>) {
        self.say_once(&format!("{about:?}"), level, text);
    }

    pub fn say_saved(&mut self, about: About, file: PathBuf, note: Option<&str>) {
        let [name, folder] = [file.file_name(), file.parent().map(Path::as_os_str)]
            .map(|part| part.unwrap_or_default().to_string_lossy().into_owned());
        let note = note.map(|note| format!(". {note}")).unwrap_or_default();
        self.say_about(about, Level::Info, format!("Saved {name} in {folder}{note}"));
        self.list.last_mut().into_iter().for_each(|message| message.file = Some(file.clone()));
        self.last_file = Some(file);
    }

    pub(super) fn last_file(&self) -> Option<&Path> {
        self.last_file.as_deref()
    }

    pub fn settle(&mut self, about: About) {
        self.clear(&format!("{about:?}"));
    }

    pub fn hold(&mut self, key: &str, level: Level, text: impl Into<String>) {
        self.put(level, text.into(), Some(key.to_owned()));
    }

    pub fn clear(&mut self, key: &str) {
        self.list.retain(|message| message.key.as_deref() != Some(key));
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn put(&mut self, level: Level, text: String, key: Option<String>) {
        let text = without_codes(&text);
        self.list.retain(|message| message.text != text && (key.is_none() || message.key != key));
        self.list.push(Message { level, text, stays: key.is_some(), key, ..Message::default() });
        let overfull = self.list.len().saturating_sub(MOST);
        self.list.drain(..overfull);
    }

    /// The passes of a frame are over: the time of its new messages begins with the next one.
    pub fn frame_drawn(&mut self) {
        self.list.iter_mut().for_each(|message| message.is_drawn = true);
    }

    pub(super) fn expire(&mut self, ctx: &Context) {
        let noted = ctx.data_mut(|data| data.remove_temp::<Vec<String>>(notes()));
        noted.into_iter().flatten().for_each(|text| self.say(Level::Info, text));
        let (now_s, is_there) = ctx.input(|input| (input.time, input.pointer.is_moving() || !input.events.is_empty()));
        for message in self.list.iter_mut().filter(|message| !message.stays) {
            // The frame that first shows it may be on the display seconds later, when pipelines are compiled.
            if !message.is_drawn {
                ctx.request_repaint();
                continue;
            }
            message.is_noticed |= is_there || message.file.is_none();
            if !message.is_noticed {
                continue;
            }
            let least_s = if message.level == Level::Error || message.file.is_some() { ERROR_S } else { INFO_S };
            let stays_s = least_s.max(NOTICE_S + LETTER_S * message.text.chars().count() as f64);
            let until_s = message.until_s.get_or_insert(now_s + stays_s);
            if message.is_hovered {
                *until_s = until_s.max(now_s + INFO_S);
            }
        }
        self.list.retain(|message| message.until_s.is_none_or(|until_s| until_s > now_s));
        if let Some(next_s) = self.list.iter().filter_map(|message| message.until_s).reduce(f64::min) {
            ctx.request_repaint_after_secs((next_s - now_s) as f32);
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, width: f32) -> Option<UiAction> {
        let (now_s, opens_s) = (ui.input(|input| input.time), f64::from(ui.style().animation_time));
        let mut action = None;
        // A panel that was clicked would cover them.
        ui.ctx().move_to_top(ui.layer_id());
        let mut dismissed = None;
        for (index, message) in self.list.iter_mut().enumerate() {
            let since_s = now_s - *message.shown_s.get_or_insert(now_s);
            let is_open = since_s >= opens_s;
            if !is_open {
                ui.ctx().request_repaint();
            }
            let chip = panel_rects::show(ui, theme::chip(), GlassPanelKind::Panel, |ui| {
                ui.set_opacity(if is_open { 1.0 } else { (since_s / opens_s) as f32 });
                ui.set_width(width - 24.0);
                ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
                    // Dot, first line and cross have one centre line.
                    if collapsing::cross(ui, "Dismiss") {
                        dismissed = Some(index);
                    }
                    ui.with_layout(Layout::left_to_right(Align::TOP), |ui| {
                        let color = if message.level == Level::Error { theme::BAD } else { theme::ACCENT };
                        let (dot, _) = ui.allocate_exact_size(vec2(8.0, LINE), Sense::hover());
                        ui.painter().circle_filled(dot.center(), 3.5, color);
                        let text = RichText::new(&message.text).line_height(Some(LINE));
                        ui.add(Label::new(text).wrap().selectable(true));
                    });
                });
                let Some(file) = &message.file else { return };
                ui.horizontal(|ui| {
                    ui.add_space(8.0 + ui.spacing().item_spacing.x);
                    if ui.small_button("Show").on_hover_text("Open its folder").clicked() {
                        action = Some(UiAction::ShowFile(file.clone()));
                    }
                    if ui.small_button(if message.is_copied { "Copied" } else { "Copy path" }).clicked() {
                        message.is_copied = true;
                        ui.ctx().copy_text(file.display().to_string());
                    }
                });
            });
            message.is_hovered = ui.rect_contains_pointer(chip.response.rect);
        }
        if let Some(index) = dismissed {
            self.list.remove(index);
        }
        action
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_frames_take_nothing_of_the_time_to_read() {
        for (frame_s, text) in
            [(0.3, "Copied"), (1.0, "Copied"), (1.0, "Copied to the clipboard: a shader of 640 lines for ShaderToy")]
        {
            let (ctx, mut messages) = (Context::default(), Messages::default());
            messages.say(Level::Info, text);
            let (mut now_s, mut seen_s) = (0.0, 0.0);
            while !messages.is_empty() {
                let input = egui::RawInput { time: Some(now_s), ..Default::default() };
                let mut output = ctx.run_ui(input, |ui| {
                    messages.expire(ui.ctx());
                    messages.show(ui, 400.0);
                });
                output.textures_delta.clear();
                messages.frame_drawn();
                // It is on the display when the frame ends.
                now_s += frame_s;
                seen_s += if now_s > frame_s { frame_s } else { 0.0 };
            }
            let least_s = INFO_S.max(NOTICE_S + LETTER_S * text.len() as f64);
            assert!(seen_s >= least_s && seen_s < least_s + 3.0 * frame_s, "{frame_s}: {seen_s} of {least_s} s");
        }
    }
}
