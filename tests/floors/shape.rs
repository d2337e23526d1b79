//! Rule of sizes: lengths of functions and numbers of fields, from the tokens of a source.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Lines of a function outside gpu, whose Vulkan structures are filled field by field.
const LINES_MOST: usize = 80;
/// Fields of a struct above gpu.
const FIELDS_MOST: usize = 12;
/// Macros whose structs mirror something else: the layout of a GPU buffer, a section of a preset file.
const MIRRORS: [&str; 2] = ["gpu_struct", "settings"];

/// Functions and structs of `text` that are too large.
pub fn sizes(path: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    if !path.starts_with("gpu/") {
        walk(text.parse().unwrap(), false, &mut |problem| wrong.push(format!("{path}:{problem}")));
    }
    wrong
}

fn walk(tokens: TokenStream, mirrors: bool, report: &mut dyn FnMut(String)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => ident.to_string(),
        _ => String::new(),
    };
    for at in 0..tokens.len() {
        if word(at) == "fn" && !word(at + 1).is_empty() {
            let body = tokens[at..].iter().take_while(|token| !is_end(token)).count() + at;
            if let Some(TokenTree::Group(body)) = tokens.get(body) {
                let (first, last) = (tokens[at].span().start().line, body.span_close().end().line);
                let lines = last + 1 - first;
                if lines > LINES_MOST {
                    report(format!("{first}: {} has {lines} lines, expected at most {LINES_MOST}", word(at + 1)));
                }
            }
        }
        if word(at) == "struct" && !mirrors {
            let body = tokens[at..].iter().take_while(|token| !is_end(token)).count() + at;
            if let Some(TokenTree::Group(body)) = tokens.get(body) {
                let fields = fields(body.stream());
                if fields > FIELDS_MOST {
                    let line = tokens[at].span().start().line;
                    report(format!("{line}: {} has {fields} fields, expected at most {FIELDS_MOST}", word(at + 1)));
                }
            }
        }
        if let TokenTree::Group(group) = &tokens[at] {
            let is_macro = at > 1 && matches!(&tokens[at - 1], TokenTree::Punct(punct) if punct.as_char() == '!');
            let mirrors = mirrors || is_macro && MIRRORS.contains(&word(at - 2).as_str());
            walk(group.stream(), mirrors, report);
        }
    }
}

/// Whether an item's signature ends here: at its body, or without one.
fn is_end(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    }
}

/// Number of fields `name: Type` in the body of a struct.
fn fields(body: TokenStream) -> usize {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let is = |at: usize, mark: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == mark);
    let starts = |at: usize| {
        matches!(tokens[at], TokenTree::Ident(_))
            && is(at + 1, ':')
            && !is(at + 2, ':')
            && (at == 0 || !is(at - 1, ':'))
    };
    (0..tokens.len()).filter(|at| starts(*at)).count()
}

#[test]
fn sizes_are_counted() {
    let lines = "fn long() {\n".to_owned() + &"    f();\n".repeat(79) + "}\n";
    assert_eq!(sizes("app/a.rs", &lines), ["app/a.rs:1: long has 81 lines, expected at most 80"]);
    assert_eq!(sizes("gpu/a.rs", &lines), [""; 0]);
    let fields = |count: usize| (0..count).map(|at| format!("f{at}: a::B<C>, ")).collect::<String>();
    let of = |text: &str| sizes("app/a.rs", text).len();
    assert_eq!((of(&format!("struct A {{ {} }}", fields(12))), of(&format!("struct A {{ {} }}", fields(13)))), (0, 1));
    assert_eq!(of(&format!("crate::gpu_struct! {{ struct A {{ {} }} }}", fields(20))), 0);
}
