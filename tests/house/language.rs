//! Rules of comments, headers and pages: plain words, headers that are noun phrases, paths that exist.

use std::path::Path;

/// Words with an unclear or archaic meaning, and what to write instead.
const REFUSED: [(&str, &str); 15] = [
    ("anew", "again"),
    ("so many", "n, or the number of"),
    ("told", "reported, or passed"),
    ("nobody", "no one, or the passive"),
    ("kin", "the others"),
    ("came of", "resulted in"),
    ("comes to", "equals, or becomes"),
    ("become of", "the state of"),
    ("wants", "needs, or requests"),
    ("lies", "is"),
    ("stands", "is"),
    ("rival", "alternative"),
    ("turned round", "transposed, or reversed"),
    ("the same, where", "also where"),
    ("of the settings' own", "given by the settings"),
];

/// First words of a clause that is no noun phrase.
const CLAUSES: [&str; 10] =
    ["What ", "How ", "Where ", "Whether ", "Which ", "Who ", "Why ", "When ", "The same ", "So "];

const FOLDERS: [&str; 7] = ["src/", "shaders/", "tests/", "docs/", "scripts/", "assets/", "examples/"];

/// Numbers and texts of the lines of prose in a file: comments in code, and what is no code in a page.
fn prose(path: &str, text: &str) -> Vec<(usize, String)> {
    let lines = (1..).zip(text.lines());
    if path.ends_with(".md") {
        let mut is_code = false;
        let without_code = |line: &str| line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        let read = |(number, line): (usize, &str)| {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
                return None;
            }
            (!is_code && !line.starts_with("    ")).then(|| (number, without_code(line)))
        };
        return lines.filter_map(read).collect();
    }
    let comment =
        |line: &str| line.trim_start().strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']).into());
    lines.filter_map(|(number, line)| Some((number, comment(line)?))).collect()
}

/// Refused words in comments and pages. A phrase may be broken over two lines.
pub fn words(path: &str, text: &str) -> Vec<String> {
    let (mut wrong, mut last) = (Vec::new(), String::new());
    for (number, line) in prose(path, text) {
        let is_word = |c: char| c.is_alphanumeric() || "'_,".contains(c);
        let plain: String = line.to_lowercase().chars().map(|c| if is_word(c) { c } else { ' ' }).collect();
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        let both = format!(" {last} {plain} ").replace(", ", " , ");
        let before = format!(" {last} ").replace(", ", " , ");
        for (word, instead) in REFUSED {
            let word_apart = format!(" {} ", word.replace(", ", " , "));
            if both.matches(&word_apart).count() > before.matches(&word_apart).count() {
                wrong.push(format!("{path}:{number}: \"{word}\"; expected for example: {instead}"));
            }
        }
        last = plain;
    }
    wrong
}

/// A Rust file opens with `//! ` and a noun phrase; a shader has such a line before its first declaration.
pub fn header(path: &str, text: &str) -> Vec<String> {
    let is_shader = path.starts_with("shaders/");
    if !is_shader && !path.ends_with(".rs") {
        return Vec::new();
    }
    let opening = if is_shader { text.lines().find(|line| line.starts_with("//! ")) } else { text.lines().next() };
    match opening.and_then(|line| line.strip_prefix("//! ")) {
        None => vec![format!("{path}: no line \"//! \" that says what the file is")],
        Some(line) if CLAUSES.iter().any(|clause| line.starts_with(clause)) => {
            vec![format!("{path}: \"{line}\"; expected a noun phrase")]
        }
        Some(_) => Vec::new(),
    }
}

/// Paths of this repository in comments and pages that do not exist.
pub fn paths(path: &str, text: &str, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let is_prose = path.ends_with(".md") || line.trim_start().starts_with("//");
        let tokens = line.split(|c: char| !(c.is_alphanumeric() || "./_-*<>{}$".contains(c))).filter(|_| is_prose);
        for token in tokens {
            let token = token.trim_matches(['.', '-']).trim_end_matches('/');
            // Placeholders: `src/techniques/NAME`.
            let is_pattern = token.contains(['*', '<', '{', '$'])
                || token
                    .split('/')
                    .any(|part| part.len() > 2 && part.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
            if FOLDERS.iter().any(|folder| token.starts_with(folder)) && !is_pattern && !exists(token) {
                wrong.push(format!("{path}:{number}: {token} does not exist"));
            }
        }
    }
    wrong
}

/// Whether there is a file or a folder of this name, or a shader or module without its extension.
pub fn exists(path: &str) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let with = |ending: &str| root.join(format!("{path}{ending}")).exists();
    ["", ".rs", ".comp", ".glsl"].into_iter().any(with)
}

#[test]
fn refused_words_are_found_in_prose_only() {
    let found = |path: &str, text: &str| words(path, text).len();
    assert_eq!(found("a.rs", "// It begins anew.\nlet told = \"wants\";\n"), 1);
    assert_eq!(found("a.rs", "/// A row of so\n/// many texels.\n"), 1, "broken over two lines");
    assert_eq!(found("a.rs", "/// Renews what is skinned and retold.\n"), 0);
    assert_eq!(found("a.md", "`told` is code.\n\n    told\n\n```\ntold\n```\nIt told.\n"), 1);
    assert_eq!(found("a.glsl", "//! The same, where it lies.\n"), 2);
}

#[test]
fn headers_are_noun_phrases() {
    let found = |path: &str, text: &str| header(path, text).len();
    assert_eq!([found("src/a.rs", "//! Lazily created pipelines.\n"), found("src/a.rs", "//! What it is.\n")], [0, 1]);
    assert_eq!(
        [found("shaders/a.comp", "#version 460\n//! Sums.\n"), found("shaders/a.comp", "#version 460\n")],
        [0, 1]
    );
}

#[test]
fn paths_are_looked_up() {
    let found = |text: &str| paths("a.md", text, &|path| path == "src/main.rs");
    assert_eq!(found("See src/main.rs, `src/techniques/NAME/lib.rs` and src/*.rs."), Vec::<String>::new());
    assert_eq!(found("See src/gone.rs."), ["a.md:1: src/gone.rs does not exist"]);
    assert!(exists("src/main.rs") && exists("src/gpu") && !exists("src/none"));
}
