//! Words, numbers, signs, comments and spaces of GLSL.

/// Longer ones first.
const SIGNS: [&str; 15] = ["++", "--", "+=", "-=", "*=", "/=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->"];

/// The pieces together are the text.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first.is_whitespace() {
            rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())
        } else if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            number(rest)
        } else if is_word_letter(first) {
            rest.find(|c| !is_word_letter(c)).unwrap_or(rest.len())
        } else {
            SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
        };
        let (token, after) = rest.split_at(length);
        all.push(token);
        rest = after;
    }
    all
}

fn is_word_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn number(text: &str) -> usize {
    let mut last = ' ';
    let end = text.find(|c: char| {
        let belongs = c.is_ascii_alphanumeric() || c == '.' || matches!(c, '+' | '-') && matches!(last, 'e' | 'E');
        last = c;
        !belongs
    });
    end.unwrap_or(text.len())
}

/// Space or comment.
pub(super) fn is_blank(token: &str) -> bool {
    token.starts_with("//") || token.starts_with(char::is_whitespace)
}

pub(super) fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

pub(super) fn closing(tokens: &[&str], open: usize) -> Result<usize, String> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth -= 1;
                if depth == 0 {
                    return Ok(index);
                }
            }
            _ => {}
        }
    }
    Err(format!("a bracket is not closed: {}", tokens[open..].concat().lines().next().unwrap_or_default()))
}
