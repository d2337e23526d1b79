//! WGSL from the GLSL of copied shaders, word by word: comments, names and lines stay.
//!
//! It knows the types of declarations, not those of expressions. The GLSL must therefore be such that the same expression is right in WGSL:
//! operands of `max`, `min` and `clamp` have one type, integers are `1u`, blocks have braces, declarations have one name, `?:` chooses
//! scalars or vectors.

use super::tokens::{closing, find_outside, is_blank, is_word, tokens};
use std::collections::{HashMap, HashSet};

const TYPES: [(&str, &str); 16] = [
    ("float", "f32"),
    ("int", "i32"),
    ("uint", "u32"),
    ("bool", "bool"),
    ("vec2", "vec2f"),
    ("vec3", "vec3f"),
    ("vec4", "vec4f"),
    ("ivec2", "vec2i"),
    ("ivec3", "vec3i"),
    ("ivec4", "vec4i"),
    ("uvec2", "vec2u"),
    ("uvec3", "vec3u"),
    ("uvec4", "vec4u"),
    ("mat2", "mat2x2f"),
    ("mat3", "mat3x3f"),
    ("mat4", "mat4x4f"),
];
const COMPARISONS: [(&str, &str); 6] = [
    ("lessThan", "<"),
    ("lessThanEqual", "<="),
    ("greaterThan", ">"),
    ("greaterThanEqual", ">="),
    ("equal", "=="),
    ("notEqual", "!="),
];
const ASSIGNMENTS: [&str; 5] = ["=", "+=", "-=", "*=", "/="];
/// Allowed in GLSL.
const RESERVED: [&str; 25] = [
    "active", "alias", "final", "from", "get", "handle", "is", "match", "mod", "module", "move", "new", "of", "pass",
    "patch", "ref", "resource", "self", "set", "target", "type", "use", "var", "where", "with",
];

pub(super) fn wgsl(glsl: &str) -> Result<String, String> {
    let tokens = tokens(glsl);
    Translator::new(&tokens)?.module(&tokens)
}

#[derive(Default)]
struct Translator<'a> {
    structs: HashSet<&'a str>,
    /// Parameters that they write.
    outs: HashMap<&'a str, Vec<usize>>,
}

#[derive(Default)]
struct Function<'a> {
    assigned: HashSet<&'a str>,
    pointers: HashSet<&'a str>,
}

impl<'a> Translator<'a> {
    fn new(tokens: &[&'a str]) -> Result<Self, String> {
        let mut known = Self::default();
        let words: Vec<&str> = tokens.iter().copied().filter(|token| !is_blank(token)).collect();
        for (at, window) in words.windows(2).enumerate() {
            if window[0] == "struct" {
                known.structs.insert(window[1]);
            }
            if window[1] != "(" || !is_word(window[0]) || at == 0 || known.type_of(words[at - 1]).is_none() {
                continue;
            }
            let inner = &words[at + 2..closing(&words, at + 1)?];
            let parameters = split(inner);
            let outs = parameters.iter().enumerate().filter(|(_, p)| p.first() == Some(&"out")).map(|(i, _)| i);
            known.outs.insert(window[0], outs.collect());
        }
        Ok(known)
    }

    fn type_of<'b>(&self, word: &'b str) -> Option<&'b str>
    where
        'a: 'b,
    {
        let built_in = TYPES.iter().find(|(glsl, _)| *glsl == word).map(|(_, wgsl)| *wgsl);
        built_in.or_else(|| self.structs.get(word).map(|_| word))
    }

    fn module(&self, tokens: &[&'a str]) -> Result<String, String> {
        let (mut out, mut at) = (String::new(), 0);
        while at < tokens.len() {
            let token = tokens[at];
            if is_blank(token) {
                out += &comment(token);
                at += 1;
            } else if token == "struct" {
                at = self.structure(tokens, at, &mut out)?;
            } else if token == ";" {
                at += 1;
            } else {
                at = self.global(tokens, at, &mut out)?;
            }
        }
        Ok(out)
    }

    fn structure(&self, tokens: &[&'a str], at: usize, out: &mut String) -> Result<usize, String> {
        let open = find_outside(tokens, at, &["{"]).ok_or("a struct has no fields")?;
        let close = closing(tokens, open)?;
        *out += &tokens[at..=open].concat();
        let mut inner = open + 1;
        while inner < close {
            if is_blank(tokens[inner]) {
                *out += &comment(tokens[inner]);
                inner += 1;
                continue;
            }
            let end = find_outside(tokens, inner, &[";"]).ok_or("a field has no end")?;
            let (ty, name) = self.declared(&tokens[inner..end])?;
            *out += &format!("{name}: {ty},");
            inner = end + 1;
        }
        *out += "}";
        Ok(close + 1)
    }

    fn global(&self, tokens: &[&'a str], at: usize, out: &mut String) -> Result<usize, String> {
        let end = find_outside(tokens, at, &[";", "=", "("]).ok_or_else(|| format!("not declared: {}", tokens[at]))?;
        if tokens[end] == "(" {
            return self.function(tokens, at, end, out);
        }
        let constant = tokens[at] == "const";
        let (ty, name) = self.declared(&tokens[at + usize::from(constant)..end])?;
        let last = find_outside(tokens, end, &[";"]).ok_or_else(|| format!("{name}: no end"))?;
        *out += &format!("{} {name}: {ty}", if constant { "const" } else { "var<private>" });
        if tokens[end] == "=" {
            let value = self.expression(&tokens[end + 1..last], &Function::default())?;
            *out += &format!(" ={value}");
        }
        *out += ";";
        Ok(last + 1)
    }

    fn function(&self, tokens: &[&'a str], at: usize, open: usize, out: &mut String) -> Result<usize, String> {
        let head = words(&tokens[at..open]);
        let [result, name] = head[..] else { return Err(format!("not a function: {}", tokens[at..open].concat())) };
        let close = closing(tokens, open)?;
        let begin = find_outside(tokens, close + 1, &["{"]).ok_or_else(|| format!("{name}: no body"))?;
        let end = closing(tokens, begin)?;
        let body = &tokens[begin + 1..end];
        let mut function = Function { assigned: self.assigned(body), pointers: HashSet::new() };
        let (mut parameters, mut copies) = (Vec::new(), String::new());
        for parameter in split(&tokens[open + 1..close]).iter().map(|p| words(p)).filter(|p| !p.is_empty()) {
            match parameter[..] {
                ["out", ty, word] => {
                    function.pointers.insert(word);
                    parameters.push(format!("{}: ptr<function, {}>", safe(word), self.ty(ty)?));
                }
                [ty, word] if function.assigned.contains(word) => {
                    let word = safe(word);
                    parameters.push(format!("{word}_in: {}", self.ty(ty)?));
                    copies += &format!("\n    var {word} = {word}_in;");
                }
                [ty, word] => parameters.push(format!("{}: {}", safe(word), self.ty(ty)?)),
                _ => return Err(format!("{name}: parameters")),
            }
        }
        let result = if result == "void" { String::new() } else { format!(" -> {}", self.ty(result)?) };
        *out += &format!("fn {}({}){result} {{{copies}", safe(name), parameters.join(", "));
        self.block(body, &function, out)?;
        *out += "}";
        Ok(end + 1)
    }

    fn block(&self, tokens: &[&'a str], function: &Function<'a>, out: &mut String) -> Result<(), String> {
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if is_blank(token) {
                *out += &comment(token);
                at += 1;
            } else if token == "{" {
                let close = closing(tokens, at)?;
                *out += "{";
                self.block(&tokens[at + 1..close], function, out)?;
                *out += "}";
                at = close + 1;
            } else if token == "if" || token == "for" {
                let open = find_outside(tokens, at, &["("]).ok_or("a condition has no bracket")?;
                let close = closing(tokens, open)?;
                let inner = &tokens[open + 1..close];
                if token == "if" {
                    *out += &format!("if ({})", self.expression(inner, function)?);
                } else {
                    *out += &format!("for ({})", self.loop_head(inner, function)?);
                }
                at = close + 1;
                if tokens[at..].iter().find(|token| !is_blank(token)) != Some(&"{") {
                    return Err(format!("a block has no braces after {}", tokens[open..=close].concat()));
                }
            } else if token == "else" {
                *out += token;
                at += 1;
            } else {
                let end = find_outside(tokens, at, &[";"]).ok_or("a statement has no end")?;
                *out += &format!("{};", self.statement(&tokens[at..end], function)?);
                at = end + 1;
            }
        }
        Ok(())
    }

    fn loop_head(&self, tokens: &[&'a str], function: &Function<'a>) -> Result<String, String> {
        let first = find_outside(tokens, 0, &[";"]).ok_or("a loop has three parts")?;
        let second = find_outside(tokens, first + 1, &[";"]).ok_or("a loop has three parts")?;
        let init = self.statement(&tokens[..first], function)?;
        let condition = self.expression(&tokens[first + 1..second], function)?;
        let step = self.statement(trimmed(&tokens[second + 1..]), function)?;
        Ok(format!("{init};{condition}; {step}"))
    }

    fn statement(&self, tokens: &[&'a str], function: &Function<'a>) -> Result<String, String> {
        let short = words(tokens);
        if let ["++", word] = short[..] {
            return Ok(format!("{}++", safe(word)));
        }
        if let [single @ ("break" | "continue" | "discard")] = short[..] {
            return Ok(single.to_owned());
        }
        if short[0] == "return" {
            return Ok(format!("return{}", self.expression(&tokens[1..], function)?));
        }
        let assigns = find_outside(tokens, 0, &ASSIGNMENTS);
        let left = words(&tokens[..assigns.unwrap_or(tokens.len())]);
        let typed = self.type_of(left[0]).filter(|_| left.len() == 2);
        let target = match typed {
            Some(ty) if assigns.is_some() && !function.assigned.contains(left[1]) => {
                format!("let {}: {ty}", safe(left[1]))
            }
            Some(ty) => format!("var {}: {ty}", safe(left[1])),
            None if function.pointers.contains(left[0]) && left.len() == 1 => format!("*{}", safe(left[0])),
            None => self.expression(&left, function)?,
        };
        let Some(sign) = assigns else { return Ok(target) };
        Ok(format!("{target} {}{}", tokens[sign], self.expression(&tokens[sign + 1..], function)?))
    }

    fn expression(&self, tokens: &[&'a str], function: &Function<'a>) -> Result<String, String> {
        if let Some(question) = find_outside(tokens, 0, &["?"]) {
            let mut colon = question;
            let mut open = 1;
            while open > 0 {
                colon = find_outside(tokens, colon + 1, &["?", ":"]).ok_or("? without :")?;
                open = if tokens[colon] == "?" { open + 1 } else { open - 1 };
            }
            let parts = [&tokens[..question], &tokens[question + 1..colon], &tokens[colon + 1..]];
            let [condition, then, other] = parts.map(|part| self.expression(trimmed(part), function));
            let space = if tokens.first().is_some_and(|token| is_blank(token)) { " " } else { "" };
            return Ok(format!("{space}select({}, {}, {})", other?, then?, condition?));
        }
        let (mut out, mut at) = (String::new(), 0);
        while at < tokens.len() {
            let token = tokens[at];
            let is_call = tokens.get(at + 1) == Some(&"(");
            if is_word(token) && is_call {
                let close = closing(tokens, at + 1)?;
                out += &self.call(token, &tokens[at + 2..close], function)?;
                at = close + 1;
                continue;
            }
            match token {
                "(" | "[" => {
                    let close = closing(tokens, at)?;
                    let inner = split(&tokens[at + 1..close]);
                    let inner: Result<Vec<_>, _> = inner.iter().map(|part| self.expression(part, function)).collect();
                    out += &format!("{token}{}{}", inner?.join(","), tokens[close]);
                    at = close;
                }
                _ if function.pointers.contains(token) => out += &format!("(*{})", safe(token)),
                _ if is_word(token) => out += &safe(token),
                _ => out += &comment(token),
            }
            at += 1;
        }
        Ok(out)
    }

    fn call(&self, name: &str, inner: &[&'a str], function: &Function<'a>) -> Result<String, String> {
        let arguments = split(inner);
        let written: Result<Vec<_>, _> = arguments.iter().map(|part| self.expression(part, function)).collect();
        let mut written = written?;
        if let Some((_, sign)) = COMPARISONS.iter().find(|(glsl, _)| *glsl == name) {
            return Ok(format!("({} {sign} {})", written[0].trim(), written[1].trim()));
        }
        for index in self.outs.get(name).into_iter().flatten() {
            let space = if *index > 0 { " " } else { "" };
            written[*index] = format!("{space}&{}", written[*index].trim());
        }
        // With truth values, `mix` chooses.
        let last = arguments.last().map(|last| words(last)).unwrap_or_default();
        let chooses = name == "mix" && COMPARISONS.iter().any(|(glsl, _)| last.first() == Some(glsl));
        let name = match name {
            "inversesqrt" => "inverseSqrt",
            "mix" if chooses => "select",
            _ => self.type_of(name).unwrap_or(name),
        };
        Ok(format!("{}({})", safe(name), written.join(",")))
    }

    fn declared(&self, tokens: &[&'a str]) -> Result<(String, String), String> {
        match words(tokens)[..] {
            [ty, name] => Ok((self.ty(ty)?.to_owned(), safe(name))),
            _ => Err(format!("not a declaration: {}", tokens.concat())),
        }
    }

    fn ty<'b>(&'b self, word: &'b str) -> Result<&'b str, String> {
        self.type_of(word).ok_or_else(|| format!("{word} is not a type"))
    }

    fn assigned(&self, body: &[&'a str]) -> HashSet<&'a str> {
        let words = words(body);
        let mut found = HashSet::new();
        for (at, word) in words.iter().enumerate() {
            if *word == "++" {
                found.extend(words.get(at + 1));
            }
            if !ASSIGNMENTS.contains(word) {
                continue;
            }
            // `name`, or `name.field`.
            let is_field = at >= 3 && words[at - 2] == ".";
            let name = at - if is_field { 3 } else { 1 };
            let is_declared = name > 0 && self.type_of(words[name - 1]).is_some();
            if !is_declared || *word != "=" {
                found.insert(words[name]);
            }
        }
        for (at, word) in words.iter().enumerate().filter(|(at, _)| words.get(at + 1) == Some(&"(")) {
            let Some(outs) = self.outs.get(word) else { continue };
            let Ok(close) = closing(&words, at + 1) else { continue };
            let arguments = split(&words[at + 2..close]);
            found.extend(outs.iter().filter_map(|index| arguments.get(*index)?.first()));
        }
        found
    }
}

fn words<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    tokens.iter().copied().filter(|token| !is_blank(token)).collect()
}

fn split<'b, 'a>(tokens: &'b [&'a str]) -> Vec<&'b [&'a str]> {
    let (mut parts, mut begin) = (Vec::new(), 0);
    while let Some(comma) = find_outside(tokens, begin, &[","]) {
        parts.push(&tokens[begin..comma]);
        begin = comma + 1;
    }
    parts.push(&tokens[begin..]);
    parts
}

fn trimmed<'b, 'a>(tokens: &'b [&'a str]) -> &'b [&'a str] {
    let first = tokens.iter().position(|token| !is_blank(token)).unwrap_or(0);
    let last = tokens.iter().rposition(|token| !is_blank(token)).map_or(0, |last| last + 1);
    &tokens[first..last.max(first)]
}

fn comment(token: &str) -> String {
    match token.strip_prefix("///") {
        Some(text) => format!("//{text}"),
        None => token.to_owned(),
    }
}

fn safe(name: &str) -> String {
    if RESERVED.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_and_statements_are_translated() {
        let glsl = "/// Kept.\nconst vec3 LUMA = vec3(0.2, 0.7, 0.1);\nfloat unit; // px\nstruct Edge {\n    float d;\n    /// Way.\n    vec2 n;\n};\n\
                    Edge far(vec2 from, float d) {\n    d = max(d, 0.0);\n    for (uint i = 0u; i < 3u; ++i) {\n        d += 1.0;\n    }\n    \
                    vec2 n = d > 1.0 ? from : vec2(0.0);\n    return Edge(d, n);\n}\n";
        let expected = "// Kept.\nconst LUMA: vec3f = vec3f(0.2, 0.7, 0.1);\nvar<private> unit: f32; // px\nstruct Edge {\n    d: f32,\n    // Way.\n    \
                        n: vec2f,\n}\nfn far(from_: vec2f, d_in: f32) -> Edge {\n    var d = d_in;\n    d = max(d, 0.0);\n    \
                        for (var i: u32 = 0u; i < 3u; i++) {\n        d += 1.0;\n    }\n    let n: vec2f = select(vec2f(0.0), from_, d > 1.0);\n    \
                        return Edge(d, n);\n}\n";
        assert_eq!(wgsl(glsl).unwrap(), expected);
    }

    #[test]
    fn written_parameters_are_pointers_and_choices_are_selected() {
        let glsl = "bool put(out vec3 c) {\n    c = mix(vec3(1.0), vec3(2.0), lessThan(vec3(0.5), vec3(1.0)));\n    return true;\n}\n\
                    vec3 get() {\n    vec3 c;\n    bool is = put(c);\n    float a = is ? (c.x > 1.0 ? 1.0 : 2.0) : inversesqrt(c.y);\n    return c * a;\n}\n";
        let expected = "fn put(c: ptr<function, vec3f>) -> bool {\n    *c = select(vec3f(1.0), vec3f(2.0), (vec3f(0.5) < vec3f(1.0)));\n    \
                        return true;\n}\nfn get_() -> vec3f {\n    var c: vec3f;\n    let is_: bool = put(&c);\n    \
                        let a: f32 = select(inverseSqrt(c.y), (select(2.0, 1.0, c.x > 1.0)), is_);\n    return c * a;\n}\n";
        assert_eq!(wgsl(glsl).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_translated_is_said() {
        for (glsl, said) in [
            ("void f() {\n    if (true) return;\n}\n", "no braces"),
            ("sampler2D s;\n", "sampler2D is not a type"),
            ("float f(float a {\n", "not closed"),
            ("void f() {\n    float a = 1.0\n}\n", "no end"),
        ] {
            let why = wgsl(glsl).unwrap_err();
            assert!(why.contains(said), "{glsl}: {why}");
        }
    }
}
