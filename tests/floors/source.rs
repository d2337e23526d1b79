//! Rust source for the rules: the paths and restricted words that it contains, each with its line, whether it is test code, and whether it
//! is evaluated by the compiler.
//!
//! Everything is read, macros and tests included: tokens, not syntax, so that a macro's body counts as well.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// An item named by a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its kind.
    pub what: What,
    /// Counted from 1.
    pub line: usize,
    /// It is in `#[cfg(test)]` or in a file of tests.
    pub in_test: bool,
    /// It is in a `const fn`: a panic there is a compile error.
    pub in_const: bool,
    /// Its name here, if it is in a `pub use`.
    pub reexported: Option<String>,
}

/// Kind of a named item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A path as it is written, each branch of a `use` tree on its own; the last part of a glob is `*`.
    Path(Vec<String>),
    /// A path to another module of this package, from its root on.
    Place(Vec<String>),
    /// A called method.
    Method(String),
    /// A called macro.
    Macro(String),
    /// `unsafe`.
    Unsafe,
    /// `#[cfg(test)] mod NAME;`: the module that its file would be by its path.
    TestModule(Vec<String>),
}

/// A source file.
pub struct Source {
    /// Its path below `src`, with `/`.
    pub path: String,
    /// Everything that it names.
    pub named: Vec<Named>,
}

/// Context of a token.
#[derive(Clone)]
struct Context {
    /// Path of the file.
    path: String,
    module: Vec<String>,
    in_test: bool,
    in_const: bool,
    in_reexport: bool,
}

impl Source {
    /// Reads `text` at `path` below `src`; `is_test`: all of it is test code.
    pub fn read(path: &str, text: &str, is_test: bool) -> Result<Self, String> {
        let tokens: TokenStream = text.parse().map_err(|e| format!("{path}: {e}"))?;
        let mut reader = Reader { named: Vec::new() };
        let (path_here, module) = (path.into(), module_of(path));
        let (in_test, in_const, in_reexport) = (is_test, false, false);
        reader.walk(tokens, &Context { path: path_here, module, in_test, in_const, in_reexport });
        Ok(Self { path: path.into(), named: reader.named })
    }

    /// Its layer.
    pub fn floor(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }
}

/// The module of a file: `a/b/mod.rs` and `a/b.rs` are `a::b`.
pub fn module_of(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let mut parts: Vec<String> = stem.split('/').map(String::from).collect();
    if parts.len() == 1 && ["lib", "main"].contains(&stem) || parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

struct Reader {
    named: Vec<Named>,
}

fn punct(token: Option<&TokenTree>) -> Option<char> {
    if let Some(TokenTree::Punct(punct)) = token { Some(punct.as_char()) } else { None }
}

fn ident(token: Option<&TokenTree>) -> Option<String> {
    if let Some(TokenTree::Ident(ident)) = token { Some(ident.to_string()) } else { None }
}

fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// Whether `::` is at `at`.
fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(first)) if first.as_char() == ':' && first.spacing() == Spacing::Joint)
        && punct(tokens.get(at + 1)) == Some(':')
}

/// Whether the condition of `cfg(..)` is true for tests only.
fn is_test_condition(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    match (ident(tokens.first()).as_deref(), tokens.get(1)) {
        (Some("test"), None) => true,
        (Some("all"), all) => group(all, Delimiter::Parenthesis).is_some_and(|all| {
            let all: Vec<TokenTree> = all.stream().into_iter().collect();
            all.split(|token| punct(Some(token)) == Some(','))
                .any(|one| is_test_condition(one.iter().cloned().collect()))
        }),
        _ => false,
    }
}

fn is_cfg_test(attribute: &Group) -> bool {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let condition = group(tokens.get(1), Delimiter::Parenthesis);
    ident(tokens.first()).as_deref() == Some("cfg") && condition.is_some_and(|cfg| is_test_condition(cfg.stream()))
}

/// The file of `#[path = "FILE"]`.
fn path_attribute(item: &[TokenTree]) -> Option<String> {
    let of = |token: &TokenTree| {
        let tokens: Vec<TokenTree> = group(Some(token), Delimiter::Bracket)?.stream().into_iter().collect();
        let is_path = ident(tokens.first()).as_deref() == Some("path");
        is_path.then(|| tokens.get(2).map(|file| file.to_string().trim_matches('"').to_owned()))?
    };
    item.iter().find_map(of)
}

/// The end of the item, field or arm that starts at `at`: after its braces, its `;`, or its comma.
fn end_of_item(tokens: &[TokenTree], at: usize) -> usize {
    // Of `pub(crate) const unsafe fn` the last known word.
    let known =
        ["use", "static", "type", "let", "const", "fn", "mod", "impl", "struct", "enum", "trait", "macro_rules"];
    let words =
        tokens[at..].iter().take(12).take_while(|token| !matches!(token, TokenTree::Punct(p) if p.as_char() != '#'));
    let words = words.filter_map(|token| ident(Some(token))).take_while(|word| {
        known.contains(&word.as_str()) || ["pub", "async", "unsafe", "extern"].contains(&word.as_str())
    });
    let kind = words.filter(|word| known.contains(&word.as_str())).last();
    let (by_braces, by_comma) = match kind.as_deref() {
        Some("use" | "static" | "type" | "let" | "const") => (false, false),
        Some(_) => (true, false),
        None => (true, true),
    };
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';' || by_comma && punct.as_char() == ',',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && by_braces,
        _ => false,
    };
    tokens[at..].iter().position(is_end).map_or(tokens.len(), |length| at + length + 1)
}

impl Reader {
    fn note(&mut self, what: What, token: &TokenTree, context: &Context) {
        let reexported = match &what {
            What::Path(path) | What::Place(path) if context.in_reexport => path.last().cloned(),
            _ => None,
        };
        let Context { in_test, in_const, .. } = *context;
        self.named.push(Named { what, line: token.span().start().line, in_test, in_const, reexported });
    }

    fn walk(&mut self, stream: TokenStream, context: &Context) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut context = context.clone();
        let mut at = 0;
        while at < tokens.len() {
            at = self.step(&tokens, at, &mut context);
        }
    }

    /// Reads the item at `at`; returns the start of the next one.
    fn step(&mut self, tokens: &[TokenTree], at: usize, context: &mut Context) -> usize {
        let token = &tokens[at];
        if punct(Some(token)) == Some('#') {
            let inner = usize::from(punct(tokens.get(at + 1)) == Some('!'));
            if let Some(attribute) = group(tokens.get(at + 1 + inner), Delimiter::Bracket) {
                let next = at + 2 + inner;
                if !is_cfg_test(attribute) {
                    self.walk(attribute.stream(), context);
                    return next;
                }
                if inner == 1 {
                    context.in_test = true;
                    return next;
                }
                let end = end_of_item(tokens, next);
                let item = &tokens[next..end];
                let module = item.iter().position(|token| matches!(token, TokenTree::Ident(word) if word == "mod"));
                if let (Some(name), Some(';')) = (module.and_then(|i| ident(item.get(i + 1))), punct(item.last())) {
                    let beside = context.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                    let place = match path_attribute(item) {
                        Some(file) => module_of(format!("{beside}/{file}").trim_start_matches('/')),
                        None => context.module.iter().cloned().chain([name]).collect(),
                    };
                    self.note(What::TestModule(place), token, context);
                }
                self.walk(item.iter().cloned().collect(), &Context { in_test: true, ..context.clone() });
                return end;
            }
        }
        match token {
            TokenTree::Group(group) => {
                self.walk(group.stream(), context);
                at + 1
            }
            TokenTree::Ident(word) => self.word(tokens, at, &word.to_string(), context),
            // `::ash::vk`: from the root of all packages.
            _ if is_colons(tokens, at) && ident(tokens.get(at + 2)).is_some() => {
                self.path(tokens, at + 2, Vec::new(), context, false)
            }
            _ => at + 1,
        }
    }

    fn word(&mut self, tokens: &[TokenTree], at: usize, word: &str, context: &Context) -> usize {
        let token = &tokens[at];
        match word {
            "unsafe" => self.note(What::Unsafe, token, context),
            "use" => {
                // After `pub` or `pub(crate)`.
                let is_pub = |back: usize| at >= back && ident(tokens.get(at - back)).as_deref() == Some("pub");
                let context = &Context { in_reexport: is_pub(1) || is_pub(2), ..context.clone() };
                let first = if is_colons(tokens, at + 1) { at + 3 } else { at + 1 };
                if ident(tokens.get(first)).is_some() {
                    return self.path(tokens, first, Vec::new(), context, true);
                }
                if let Some(tree) = group(tokens.get(first), Delimiter::Brace) {
                    self.tree(tree, &[], context);
                    return first + 1;
                }
            }
            "extern" if ident(tokens.get(at + 1)).as_deref() == Some("crate") => {
                return self.path(tokens, at + 2, Vec::new(), context, true);
            }
            "mod" => {
                if let (Some(name), Some(body)) =
                    (ident(tokens.get(at + 1)), group(tokens.get(at + 2), Delimiter::Brace))
                {
                    let mut inside = context.clone();
                    inside.module.push(name);
                    self.walk(body.stream(), &inside);
                    return at + 3;
                }
            }
            "const" => {
                let signature = &tokens[at + 1..tokens.len().min(at + 5)];
                let is_function = signature.iter().map_while(|token| ident(Some(token))).any(|word| word == "fn");
                if is_function {
                    let end = end_of_item(tokens, at);
                    let rest = tokens[at + 1..end].iter().cloned().collect();
                    self.walk(rest, &Context { in_const: true, ..context.clone() });
                    return end;
                }
            }
            _ => {
                let is_method = at > 0 && punct(tokens.get(at - 1)) == Some('.');
                if is_method
                    && (group(tokens.get(at + 1), Delimiter::Parenthesis).is_some() || is_colons(tokens, at + 1))
                {
                    self.note(What::Method(word.into()), token, context);
                } else if punct(tokens.get(at + 1)) == Some('!')
                    && matches!(tokens.get(at + 2), Some(TokenTree::Group(_)))
                {
                    self.note(What::Macro(word.into()), token, context);
                } else if is_colons(tokens, at + 1) {
                    return self.path(tokens, at, Vec::new(), context, false);
                }
            }
        }
        at + 1
    }

    /// Reads a path whose first word is at `at`, after `prefix`.
    fn path(&mut self, tokens: &[TokenTree], at: usize, prefix: Vec<String>, context: &Context, in_use: bool) -> usize {
        let (mut parts, mut next) = (prefix, at);
        while let Some(part) = ident(tokens.get(next)) {
            parts.push(part);
            next += 1;
            if !is_colons(tokens, next) {
                break;
            }
            let after = tokens.get(next + 2);
            if let Some(tree) = group(after, Delimiter::Brace) {
                self.tree(tree, &parts, context);
                return next + 3;
            }
            if punct(after) == Some('*') {
                parts.push("*".into());
                next += 3;
                break;
            }
            if ident(after).is_none() {
                break;
            }
            next += 2;
        }
        if in_use || parts.len() > 1 {
            let token = tokens.get(at).unwrap_or(&tokens[0]);
            if let Some(place) = place_of(&context.module, &parts) {
                self.note(What::Place(place), token, context);
            }
            if punct(tokens.get(next)) == Some('!') {
                self.note(What::Macro(parts[parts.len() - 1].clone()), token, context);
            }
            self.note(What::Path(parts), token, context);
        }
        next
    }

    /// The branches of a `use` tree.
    fn tree(&mut self, tree: &Group, prefix: &[String], context: &Context) {
        let tokens: Vec<TokenTree> = tree.stream().into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let prefix = prefix.to_vec();
            if punct(tokens.get(at)) == Some('*') {
                let parts: Vec<String> = prefix.into_iter().chain(["*".into()]).collect();
                if let Some(place) = place_of(&context.module, &parts) {
                    self.note(What::Place(place), &tokens[at], context);
                }
                self.note(What::Path(parts), &tokens[at], context);
            } else if ident(tokens.get(at)).is_some() {
                at = self.path(&tokens, at, prefix, context, true);
            } else if let Some(inner) = group(tokens.get(at), Delimiter::Brace) {
                self.tree(inner, &prefix, context);
            }
            // To the next branch, past `as name`.
            while at < tokens.len() && punct(tokens.get(at)) != Some(',') {
                at += 1;
            }
            at += 1;
        }
    }
}

/// Resolves a path that starts with `crate`, `self`, `super` or the package's name, from the root on.
fn place_of(module: &[String], parts: &[String]) -> Option<Vec<String>> {
    let rest = |from: usize| parts[from..].iter().filter(|part| *part != "self").cloned();
    match parts.first()?.as_str() {
        "crate" | "meniscus" => Some(rest(1).collect()),
        "self" => Some(module.iter().cloned().chain(rest(1)).collect()),
        "super" => {
            let up = parts.iter().take_while(|part| *part == "super").count();
            let above = module.get(..module.len().checked_sub(up)?)?;
            Some(above.iter().cloned().chain(rest(up)).collect())
        }
        _ => None,
    }
}
