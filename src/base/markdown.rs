//! Blocks of a page in Markdown: headings, paragraphs, lists, code, tables, figures; anything else is text.

#[derive(Clone, Debug, PartialEq)]
pub enum Block<'a> {
    Heading(usize, &'a str),
    Text(String),
    /// Depth from 0, marker, text.
    Item(usize, String, String),
    Code(Vec<&'a str>),
    Table(Vec<Vec<&'a str>>),
    /// The figure of a replay's step, by the step's name: `<!-- figure: NAME -->`.
    Figure(&'a str),
    Rule,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style<'a> {
    Plain,
    Strong,
    Emphasis,
    Code,
    Link(&'a str),
}

/// Splits a line at its markers; an unpaired marker is text.
pub fn pieces(mut text: &str) -> Vec<(Style<'_>, &str)> {
    let mut pieces = Vec::new();
    while let Some((style, before, inside, after)) = first_marked(text) {
        pieces.extend((!before.is_empty()).then_some((Style::Plain, before)));
        pieces.push((style, inside));
        text = after;
    }
    pieces.extend((!text.is_empty()).then_some((Style::Plain, text)));
    pieces
}

fn first_marked(text: &str) -> Option<(Style<'_>, &str, &str, &str)> {
    const MARKS: [(&str, &str, Style<'_>); 4] = [
        ("`", "`", Style::Code),
        ("**", "**", Style::Strong),
        ("*", "*", Style::Emphasis),
        ("[", "](", Style::Link("")),
    ];
    let candidates = MARKS.iter().filter_map(|(open, close, style)| {
        let at = text.find(open)?;
        let (inside, after) = text[at + open.len()..].split_once(close)?;
        let (style, after) = match style {
            Style::Link(_) => after.split_once(')').map(|(target, after)| (Style::Link(target), after))?,
            style => (*style, after),
        };
        let is_marked = !inside.is_empty() && (style == Style::Code || inside.trim() == inside);
        is_marked.then_some((at, (style, &text[..at], inside, after)))
    });
    candidates.min_by_key(|(at, _)| *at).map(|(_, piece)| piece)
}

pub fn blocks(source: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = source.lines().peekable();
    let mut is_open = false;
    while let Some(line) = lines.next() {
        let text = line.trim();
        let goes_on = std::mem::replace(&mut is_open, false);
        if text.is_empty() {
        } else if let Some(comment) = text.strip_prefix("<!--").and_then(|text| text.strip_suffix("-->")) {
            blocks.extend(comment.trim().strip_prefix("figure:").map(|name| Block::Figure(name.trim())));
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
        let page = "# Title\nOne line\nand *one* more.\n\n- first\n  goes on\n  - below\n2. second\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```glsl\nvoid main() {}\n```\n    code\n---\n<!-- figure: Add 1 of 2 -->\n<!-- a remark -->\nend";
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
            Block::Figure("Add 1 of 2"),
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
                (Style::Link("g"), "f"),
                (Style::Plain, " h"),
            ]
        );
        for plain in ["2 * 3 * 4", "a ` b", "x[i]", "**", "µ—"] {
            assert_eq!(pieces(plain), [(Style::Plain, plain)]);
        }
    }
}
