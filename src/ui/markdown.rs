//! Renderer of a technique's Markdown page: headings, paragraphs, lists, code, tables; anything else shows as plain text.

use egui::text::LayoutJob;
use egui::{FontFamily, FontId, Grid, Label, ScrollArea, Stroke, TextFormat, Ui};

use super::{settings::collapsing, theme};

/// A block of a page.
#[derive(Debug, PartialEq)]
enum Block<'a> {
    Heading(usize, &'a str),
    Text(String),
    /// Depth from 0, marker, and text.
    Item(usize, String, String),
    Code(Vec<&'a str>),
    Table(Vec<Vec<&'a str>>),
    Rule,
}

/// Shows a page in the available width.
pub fn show(ui: &mut Ui, source: &str) {
    for (index, block) in blocks(source).into_iter().enumerate() {
        ui.push_id(index, |ui| draw(ui, block));
    }
}

fn draw(ui: &mut Ui, block: Block<'_>) {
    match block {
        Block::Heading(level, text) => {
            ui.add_space(if level == 1 { 2.0 } else { 8.0 });
            let size = [20.0, 15.5, 13.5][level.clamp(1, 3) - 1];
            ui.add(Label::new(inline(text, size, theme::STRONG)).wrap());
            ui.add_space(2.0);
        }
        Block::Text(text) => {
            ui.add(Label::new(inline(&text, BODY, theme::TEXT)).wrap().selectable(true));
            ui.add_space(3.0);
        }
        Block::Item(depth, mark, text) => {
            ui.horizontal_top(|ui| {
                ui.add_space(4.0 + 14.0 * depth as f32);
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(egui::RichText::new(mark).size(BODY).color(theme::ACCENT));
                ui.add(Label::new(inline(&text, BODY, theme::TEXT)).wrap().selectable(true));
            });
        }
        Block::Code(lines) => {
            theme::well().show(ui, |ui| {
                ScrollArea::horizontal().show(ui, |ui| {
                    ui.set_min_width(ui.available_width());
                    ui.add(Label::new(theme::figure(lines.join("\n"))).extend().selectable(true));
                });
            });
            ui.add_space(3.0);
        }
        Block::Table(rows) => {
            ScrollArea::horizontal().show(ui, |ui| {
                Grid::new("table").striped(true).spacing([16.0, 4.0]).show(ui, |ui| {
                    for (place, row) in rows.iter().enumerate() {
                        let color = if place == 0 { theme::STRONG } else { theme::TEXT };
                        for cell in row {
                            ui.add(Label::new(inline(cell, 12.0, color)).extend());
                        }
                        ui.end_row();
                    }
                });
            });
            ui.add_space(3.0);
        }
        Block::Rule => collapsing::rule(ui),
    }
}

/// Size of running text: larger than in the panels, because it is read and not scanned.
const BODY: f32 = 13.5;

/// Bold, code and links within a line. The built-in fonts have no bold face: bold is brighter.
fn inline(text: &str, size: f32, color: egui::Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (style, piece) in pieces(text) {
        let plain = TextFormat {
            font_id: FontId::new(size, FontFamily::Proportional),
            color,
            line_height: Some(size * 1.42),
            ..Default::default()
        };
        let format = match style {
            Style::Plain => plain,
            Style::Strong => TextFormat { color: theme::STRONG, underline: Stroke::NONE, ..plain },
            Style::Emphasis => TextFormat { italics: true, ..plain },
            Style::Code => TextFormat {
                font_id: FontId::new(size * 0.88, FontFamily::Monospace),
                color: theme::ACCENT.lerp_to_gamma(theme::STRONG, 0.55),
                ..plain
            },
        };
        job.append(piece, 0.0, format);
    }
    job
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    Plain,
    Strong,
    Emphasis,
    Code,
}

/// Splits a line at its markers; an unpaired marker is text.
fn pieces(mut text: &str) -> Vec<(Style, &str)> {
    let mut pieces = Vec::new();
    while let Some((style, before, inside, after)) = first_marked(text) {
        pieces.extend((!before.is_empty()).then_some((Style::Plain, before)));
        pieces.push((style, inside));
        text = after;
    }
    pieces.extend((!text.is_empty()).then_some((Style::Plain, text)));
    pieces
}

/// The first marked piece, with the text before and after it.
fn first_marked(text: &str) -> Option<(Style, &str, &str, &str)> {
    const MARKS: [(&str, &str, Style); 4] = [
        ("`", "`", Style::Code),
        ("**", "**", Style::Strong),
        ("*", "*", Style::Emphasis),
        // A link shows its text; nothing here opens a browser.
        ("[", "](", Style::Plain),
    ];
    let candidates = MARKS.iter().filter_map(|(open, close, style)| {
        let at = text.find(open)?;
        let (inside, after) = text[at + open.len()..].split_once(close)?;
        let after = if *open == "[" { after.split_once(')')?.1 } else { after };
        let is_marked = !inside.is_empty() && (*style == Style::Code || inside.trim() == inside);
        is_marked.then_some((at, (*style, &text[..at], inside, after)))
    });
    // The first in the text; of two at one place, the longer marker, which is first in the list.
    candidates.min_by_key(|(at, _)| *at).map(|(_, piece)| piece)
}

/// Splits a page into blocks.
fn blocks(source: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = source.lines().peekable();
    let mut is_open = false;
    while let Some(line) = lines.next() {
        let text = line.trim();
        // A line without a marker continues the paragraph or item above, unless an empty line is between.
        let goes_on = std::mem::replace(&mut is_open, false);
        if text.is_empty() {
        } else if text.starts_with("```") {
            blocks.push(Block::Code(lines.by_ref().take_while(|line| !line.trim_start().starts_with("```")).collect()));
        } else if let Some((level, title)) = heading(text) {
            blocks.push(Block::Heading(level, title));
        } else if text.starts_with('|') {
            let mut rows = vec![cells(text)];
            while let Some(row) = lines.next_if(|line| line.trim_start().starts_with('|')) {
                rows.push(cells(row.trim()));
            }
            rows.retain(|row| !row.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| "-: ".contains(c))));
            blocks.push(Block::Table(rows));
        } else if let Some((mark, item)) = item(text) {
            let depth = (line.len() - line.trim_start().len()) / 2;
            blocks.push(Block::Item(depth.min(4), mark, item.to_owned()));
            is_open = true;
        } else if text.len() >= 3 && text.chars().all(|c| c == '-') {
            blocks.push(Block::Rule);
        } else if !goes_on && line.starts_with("    ") {
            let mut code = vec![&line[4..]];
            while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
                code.push(&line[4..]);
            }
            blocks.push(Block::Code(code));
        } else {
            is_open = true;
            match blocks.last_mut() {
                Some(Block::Text(above) | Block::Item(_, _, above)) if goes_on => {
                    above.push(' ');
                    above.push_str(text);
                }
                _ => blocks.push(Block::Text(text.to_owned())),
            }
        }
    }
    blocks
}

fn heading(text: &str) -> Option<(usize, &str)> {
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    (level > 0).then(|| title.strip_prefix(' ')).flatten().map(|title| (level, title.trim()))
}

fn item(text: &str) -> Option<(String, &str)> {
    if let Some(item) = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")) {
        return Some(("•".into(), item));
    }
    let (number, item) = text.split_once(". ")?;
    let is_number = number.len() <= 3 && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| (format!("{number}."), item))
}

fn cells(row: &str) -> Vec<&str> {
    let row = row.strip_prefix('|').unwrap_or(row);
    row.strip_suffix('|').unwrap_or(row).split('|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_falls_into_blocks() {
        let page = "# Title\nOne line\nand *one* more.\n\n- first\n  goes on\n  - below\n2. second\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```glsl\nvoid main() {}\n```\n    code\n---\nend";
        let expected = [
            Block::Heading(1, "Title"),
            Block::Text("One line and *one* more.".into()),
            Block::Item(0, "•".into(), "first goes on".into()),
            Block::Item(1, "•".into(), "below".into()),
            Block::Item(0, "2.".into(), "second".into()),
            Block::Table(vec![vec!["a", "b"], vec!["1", "2"]]),
            Block::Code(vec!["void main() {}"]),
            Block::Code(vec!["code"]),
            Block::Rule,
            Block::Text("end".into()),
        ];
        assert_eq!(blocks(page), expected);
        assert_eq!(blocks(""), []);
        assert_eq!(blocks("```\nnever closed"), [Block::Code(vec!["never closed"])]);
    }

    #[test]
    fn marks_within_a_line() {
        assert_eq!(
            pieces("a `b*c*` **d** *e* [f](g) h"),
            [
                (Style::Plain, "a "),
                (Style::Code, "b*c*"),
                (Style::Plain, " "),
                (Style::Strong, "d"),
                (Style::Plain, " "),
                (Style::Emphasis, "e"),
                (Style::Plain, " "),
                (Style::Plain, "f"),
                (Style::Plain, " h"),
            ]
        );
        for plain in ["2 * 3 * 4", "a ` b", "x[i]", "**", "µ—"] {
            assert_eq!(pieces(plain), [(Style::Plain, plain)]);
        }
    }
}
