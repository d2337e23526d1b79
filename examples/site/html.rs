//! HTML of a page's blocks.

use base::markdown::{Block, Style, pieces};

/// What code and links on a page become.
pub trait Resolver {
    /// HTML of a piece of code that names something.
    fn code(&self, code: &str) -> Option<String>;
    /// HTML of pictures of the views that a text names.
    fn views(&self, text: &str) -> String;
    /// Target of a link.
    fn link(&self, target: &str) -> String;
    /// HTML of a figure.
    fn figure(&self, name: &str) -> String;
}

/// Characters that mean something in HTML, replaced.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The anchor of a heading: as code hosts make it.
pub fn anchor(title: &str) -> String {
    let kept = title.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

/// A line with its marks.
pub fn line(text: &str, by: &dyn Resolver) -> String {
    // The parser of the program has no pictures.
    let mut all = String::new();
    let text = text.replace("![", "[");
    for (style, piece) in pieces(&text) {
        let escaped = escaped(piece);
        all += &match style {
            Style::Plain => escaped,
            Style::Strong => format!("<strong>{escaped}</strong>"),
            Style::Emphasis => format!("<em>{escaped}</em>"),
            Style::Code => by.code(piece).unwrap_or(format!("<code>{escaped}</code>")),
            Style::Link(target) if [".png", ".jpg"].iter().any(|end| target.ends_with(end)) => {
                format!("<img src=\"{}\" alt=\"{escaped}\">", by.link(target))
            }
            Style::Link(target) => format!("<a href=\"{}\">{escaped}</a>", by.link(target)),
        };
    }
    all
}

/// All blocks of a page.
pub fn page(blocks: &[Block<'_>], by: &dyn Resolver) -> String {
    let mut all = String::new();
    let mut depth = 0;
    for block in blocks {
        let wanted = if let Block::Item(depth, ..) = block { depth + 1 } else { 0 };
        while depth < wanted {
            all += "<ul>\n";
            depth += 1;
        }
        while depth > wanted {
            all += "</ul>\n";
            depth -= 1;
        }
        all += &match block {
            Block::Heading(level, title) => {
                format!("<h{level} id=\"{}\">{}</h{level}>\n", anchor(title), line(title, by))
            }
            Block::Text(text) => format!("<p>{}</p>\n", line(text, by)),
            Block::Item(_, mark, text) => {
                let number = mark.trim_end_matches('.').parse::<u32>().ok();
                let number = number.map_or(String::new(), |number| format!("<b class=\"number\">{number}.</b> "));
                format!("<li>{}{number}{}</li>\n", by.views(text), line(text, by))
            }
            Block::Code(lines) => format!("<pre>{}</pre>\n", escaped(&lines.join("\n"))),
            Block::Table(rows) => table(rows, by),
            Block::Figure(name) => by.figure(name),
            Block::Rule => "<hr>\n".into(),
        };
    }
    all + &"</ul>\n".repeat(depth)
}

fn table(rows: &[Vec<&str>], by: &dyn Resolver) -> String {
    let row = |(number, cells): (usize, &Vec<&str>)| {
        let name = if number == 0 { "th" } else { "td" };
        let cells: String = cells.iter().map(|cell| format!("<{name}>{}</{name}>", line(cell, by))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    format!("<div class=\"wide\"><table>\n{rows}</table></div>\n")
}
