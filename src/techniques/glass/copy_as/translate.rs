//! Other shader languages from the GLSL of copied shaders, through naga. It reads every variable into a numbered name before each use and
//! numbers all local names through the module; [`tidy`] undoes both, so that the text is short and has the names of its source.

use super::tokens::{is_blank, is_word, tokens};
use naga::back::{glsl, hlsl, msl, wgsl};
use naga::compact::{KeepUnused, compact};
use naga::front::glsl::{Frontend, Options};
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Arena, Block, Expression, Literal, Module, ShaderStage, Statement};
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Wgsl,
    /// WGSL without what constants switch off, in place of settings that one may change.
    Page,
    Metal,
    Hlsl,
    /// GLSL ES 3.00.
    Es,
}

/// `source`: GLSL 4.50 with a texture and a sampler of their own; its entry gets the name "glass", in a page "draw", where the target
/// names entries.
pub(super) fn translated(source: &str, target: Target) -> Result<String, String> {
    let parsed = Frontend::default().parse(&Options::from(ShaderStage::Fragment), source);
    let mut module = parsed.map_err(|why| why.emit_to_string(source))?;
    let entry = if target == Target::Page { "draw" } else { "glass" };
    module.entry_points.iter_mut().for_each(|one| one.name = entry.into());
    if target == Target::Page {
        leave_out_unused(&mut module);
    }
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    let info = info.map_err(|why| why.emit_to_string(source))?;
    let text = written(&module, &info, target)?;
    let text = match target {
        Target::Page => without_unused_constants(&with_selects(&tidy(&text))),
        Target::Wgsl => with_selects(&tidy(&text)),
        _ => tidy(&text),
    };
    Ok(commented(&text, source))
}

/// naga writes `a ? b : c` as a branch that assigns in five lines.
fn with_selects(wgsl: &str) -> String {
    let (lines, mut out, mut at) = (wgsl.lines().collect::<Vec<_>>(), String::with_capacity(wgsl.len()), 0);
    while at < lines.len() {
        let select = lines.get(at..at + 5).and_then(selected);
        out += select.as_deref().unwrap_or(lines[at]);
        out.push('\n');
        at += if select.is_some() { 5 } else { 1 };
    }
    out
}

fn selected(five: &[&str]) -> Option<String> {
    let [head, yes, "} else {", no, "}"] = [0, 1, 2, 3, 4].map(|line| five[line].trim()) else { return None };
    let condition = head.strip_prefix("if ")?.strip_suffix(" {")?;
    let ((to, yes), (other, no)) = (assigned(yes)?, assigned(no)?);
    let indent = five[0].split("if ").next()?;
    (to == other).then(|| format!("{indent}{to} = select({no}, {yes}, {condition});"))
}

fn assigned(line: &str) -> Option<(&str, &str)> {
    line.strip_suffix(';')?.split_once(" = ").filter(|(to, _)| is_word(to) && !to.contains(' '))
}

fn without_unused_constants(wgsl: &str) -> String {
    let is_used = |line: &&str| {
        let name = line.strip_prefix("const ").and_then(|line| line.split(':').next());
        name.is_none_or(|name| tokens(wgsl).into_iter().filter(|token| *token == name).count() > 1)
    };
    wgsl.lines().filter(is_used).map(|line| line.to_owned() + "\n").collect()
}

fn leave_out_unused(module: &mut Module) {
    let own = module.functions.iter_mut().map(|(_, function)| function);
    for function in own.chain(module.entry_points.iter_mut().map(|entry| &mut entry.function)) {
        function.body = taken(std::mem::take(&mut function.body), &function.expressions);
    }
    compact(module, KeepUnused::No);
}

fn taken(block: Block, expressions: &Arena<Expression>) -> Block {
    let mut out = Block::new();
    for (statement, span) in block.span_into_iter() {
        match statement {
            Statement::If { condition, accept, reject } => match expressions[condition] {
                Expression::Literal(Literal::Bool(holds)) => {
                    out.append(&mut taken(if holds { accept } else { reject }, expressions));
                }
                _ => {
                    let [accept, reject] = [accept, reject].map(|block| taken(block, expressions));
                    out.push(Statement::If { condition, accept, reject }, span);
                }
            },
            Statement::Loop { body, continuing, break_if } => {
                let [body, continuing] = [body, continuing].map(|block| taken(block, expressions));
                out.push(Statement::Loop { body, continuing, break_if }, span);
            }
            Statement::Block(inner) => out.append(&mut taken(inner, expressions)),
            other => out.push(other, span),
        }
        if matches!(out.last(), Some(Statement::Return { .. })) {
            break;
        }
    }
    out
}

fn written(module: &Module, info: &ModuleInfo, target: Target) -> Result<String, String> {
    let mut text = String::new();
    match target {
        Target::Wgsl | Target::Page => {
            text = wgsl::write_string(module, info, wgsl::WriterFlags::empty()).map_err(|why| why.to_string())?;
        }
        Target::Metal => {
            let options = msl::Options { lang_version: (2, 0), fake_missing_bindings: true, ..Default::default() };
            let (metal, _) = msl::write_string(module, info, &options, &msl::PipelineOptions::default())
                .map_err(|why| why.to_string())?;
            let stub = "[[user(fake0)]]";
            text = metal.replacen(stub, "[[texture(0)]]", 1).replacen(stub, "[[sampler(0)]]", 1);
        }
        Target::Hlsl => {
            let (options, entry) = (hlsl::Options::default(), hlsl::PipelineOptions::default());
            let mut writer = hlsl::Writer::new(&mut text, &options, &entry);
            writer.write(module, info, None).map_err(|why| why.to_string())?;
            text = with_own_sampler(&text);
        }
        Target::Es => {
            let options = glsl::Options {
                version: glsl::Version::new_gles(300),
                writer_flags: glsl::WriterFlags::empty(),
                ..Default::default()
            };
            let entry = glsl::PipelineOptions {
                shader_stage: ShaderStage::Fragment,
                entry_point: "glass".into(),
                multiview: None,
            };
            let policies = BoundsCheckPolicies::default();
            let writer = glsl::Writer::new(&mut text, module, info, &options, &entry, policies);
            let reflection = writer.and_then(|mut writer| writer.write()).map_err(|why| why.to_string())?;
            for name in reflection.texture_mapping.keys() {
                text = text.replace(name, "picture");
            }
        }
    }
    Ok(text)
}

/// naga takes a sampler from a heap of 2048, which only its own runtime fills.
fn with_own_sampler(hlsl: &str) -> String {
    let mut out = String::with_capacity(hlsl.len());
    for line in hlsl.lines() {
        if line.starts_with("static const SamplerState picture_sampler") {
            out += "SamplerState picture_sampler : register(s0);\n";
        } else if !line.contains("nagaSamplerHeap[2048]")
            && !line.contains("nagaComparisonSamplerHeap")
            && !line.contains("SamplerIndexArray :")
        {
            out += line;
            out.push('\n');
        }
    }
    out
}

type Line = Vec<String>;

/// Without the spaces.
fn words(line: &Line) -> Vec<&str> {
    line.iter().map(String::as_str).filter(|token| !is_blank(token)).collect()
}

fn has(line: &Line, word: &str) -> bool {
    line.iter().any(|token| token == word)
}

fn is_read_name(word: &str) -> bool {
    word.strip_prefix("_e")
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// `let _e1 = name;` and `float _e1 = name;`: both names.
fn read_of(line: &Line) -> Option<(&str, &str)> {
    match words(line)[..] {
        [_, .., to, "=", from, ";"] if is_read_name(to) && is_word(from) && from != "true" && from != "false" => {
            Some((to, from))
        }
        _ => None,
    }
}

fn tidy(text: &str) -> String {
    let globals = global_names(text);
    let (mut out, mut function, mut depth) = (String::new(), Vec::<Line>::new(), 0);
    for line in text.lines() {
        if function.is_empty() && !(depth == 0 && is_head(line)) {
            out += line;
            out.push('\n');
        } else {
            function.push(tokens(line).into_iter().map(str::to_owned).collect());
        }
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        if depth == 0 && line.contains('}') && !function.is_empty() {
            let kept = tidy_function(std::mem::take(&mut function), &globals);
            out.extend(kept.iter().map(|line| line.concat() + "\n"));
        }
    }
    out
}

/// naga writes a function's head in one line, or ends its first in a bracket.
fn is_head(line: &str) -> bool {
    let is_statement = ["struct", "const", "static", "var", "layout", "uniform", "//", "#", "@", "}", ")", ";", " "];
    line.contains('(') && !line.ends_with(';') && !is_statement.iter().any(|start| line.starts_with(start))
}

/// Names at the top, and keywords of the target: naga writes `point_` where `point` is one.
fn global_names(text: &str) -> HashSet<String> {
    let keywords = tokens(text).into_iter().filter_map(|token| token.strip_suffix('_')).filter(|token| is_word(token));
    let keywords = keywords.map(str::to_owned);
    let declared =
        text.lines().filter(|line| !line.starts_with(' ')).map(|line| line.split('(').next().unwrap_or(line));
    let names = declared.flat_map(|line| tokens(line).into_iter().filter(|token| is_word(token)).map(str::to_owned));
    names.chain(keywords).collect()
}

fn tidy_function(mut lines: Vec<Line>, globals: &HashSet<String>) -> Vec<Line> {
    let original = lines.clone();
    // Lines in which a variable is declared, written or handed to a function: all others are reads, each in a line.
    let touched = |name: &str| -> Vec<usize> {
        let of = |(_, line): &(usize, &Line)| has(line, name) && read_of(line).is_none_or(|(_, from)| from != name);
        original.iter().enumerate().filter(of).map(|(at, _)| at).collect()
    };
    for at in 0..lines.len() {
        let Some((to, from)) = read_of(&original[at]) else { continue };
        let Some(last) = (at + 1..original.len()).rev().find(|line| has(&original[*line], to)) else {
            lines[at].clear();
            continue;
        };
        let between = &original[at + 1..last];
        let repeats =
            between.iter().any(|line| words(line).first().is_some_and(|w| ["loop", "while", "for"].contains(w)));
        let writes_at_last = words(&original[last]).iter().filter(|word| **word == from).count();
        let is_assigned = writes_at_last == 0 || writes_at_last == 1 && words(&original[last])[0] == from;
        if repeats || !is_assigned || touched(from).iter().any(|line| (at + 1..last).contains(line)) {
            continue;
        }
        let (to, from) = (to.to_owned(), from.to_owned());
        lines[at].clear();
        rename(&mut lines[at + 1..=last], &to, &from);
    }
    let head = original.iter().position(|line| has(line, "{")).unwrap_or(0);
    for at in head + 1..lines.len() {
        let line = words(&original[at]).into_iter().map(str::to_owned).collect::<Vec<_>>();
        let [name, equals, from, end] = &line[..] else { continue };
        let is_copy = equals == "=" && end == ";" && touched(from).iter().all(|line| *line <= head || *line == at);
        if !is_copy || !original[..=head].iter().any(|line| has(line, from)) || touched(name).len() != 2 {
            continue;
        }
        let declared = touched(name)[0];
        lines[at].clear();
        lines[declared].clear();
        rename(&mut lines, name, from);
    }
    for at in head + 1..lines.len() {
        let ["var", name, ":", .., ";"] = words(&original[at])[..] else { continue };
        if lines[at].is_empty() || has(&original[at], "=") {
            continue;
        }
        let writes = touched(name);
        let Some(first) = writes.get(1).copied().filter(|first| words(&original[*first]).starts_with(&[name, "="]))
        else {
            continue;
        };
        let used = |line: &usize| has(&original[*line], name) || has(&lines[*line], name);
        let end = end_of_block(&original, first);
        if (at + 1..first).any(|line| used(&line)) || (end..original.len()).any(|line| used(&line)) {
            continue;
        }
        let word = if writes.len() == 2 { "let" } else { "var" };
        let declaration = original[at].concat();
        let ty = declaration.trim().trim_start_matches("var ").trim_end_matches(';').to_owned();
        lines[at].clear();
        let place = lines[first].iter().position(|token| token == name).unwrap_or(0);
        lines[first].splice(place..=place, tokens(&format!("{word} {ty}")).into_iter().map(str::to_owned));
    }
    plain_names(&mut lines, globals);
    lines.retain(|line| !line.is_empty());
    lines
}

fn rename(lines: &mut [Line], name: &str, by: &str) {
    lines.iter_mut().flatten().filter(|token| *token == name).for_each(|token| by.clone_into(token));
}

/// Line in which the block of line `at` ends.
fn end_of_block(lines: &[Line], at: usize) -> usize {
    let mut depth = 0;
    for (index, line) in lines.iter().enumerate().skip(at) {
        for token in line {
            depth += i32::from(token == "{") - i32::from(token == "}");
            if depth < 0 {
                return index;
            }
        }
    }
    lines.len()
}

/// `name_12` is `name` again where no other is.
fn plain_names(lines: &mut [Line], globals: &HashSet<String>) {
    let mut names: Vec<String> = Vec::new();
    for line in lines.iter() {
        for (at, token) in line.iter().enumerate().filter(|(_, token)| is_word(token)) {
            let is_field = at > 0 && line[at - 1] == ".";
            if !is_field && !names.contains(token) {
                names.push(token.clone());
            }
        }
    }
    for name in names.clone() {
        let Some((plain, number)) = name.rsplit_once('_') else { continue };
        let is_numbered = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        let is_free = is_word(plain) && !globals.contains(plain) && !names.iter().any(|other| other == plain);
        if is_numbered && is_free && !plain.ends_with('_') && !globals.contains(&name) {
            rename(lines, &name, plain);
            names.push(plain.to_owned());
        }
    }
}

/// The comments of the source's constants.
fn commented(text: &str, source: &str) -> String {
    let of_source: Vec<(&str, &str)> = source
        .lines()
        .filter_map(|line| {
            let (declared, comment) = line.strip_prefix("const ")?.split_once("; // ")?;
            Some((declared.split([' ', '=']).nth(1)?, comment))
        })
        .collect();
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out += line;
        let name = line.split_once(" = ").map(|(declared, _)| declared);
        let is_constant = line.starts_with("const") || line.starts_with("static const");
        let found = of_source.iter().find(|(constant, _)| {
            name.is_some_and(|name| {
                name.split([' ', ':']).any(|word| word == *constant || word == format!("{constant}_"))
            })
        });
        if let Some((_, comment)) = found.filter(|_| is_constant) {
            out += &format!(" // {comment}");
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#version 450\nconst float WIDE = 2.0; // how wide\nlayout(set = 0, binding = 0) uniform texture2D picture;\n\
        layout(set = 0, binding = 1) uniform sampler picture_sampler;\nlayout(location = 0) out vec4 color;\n\
        float doubled(float point) {\n    return point + point;\n}\n\
        float halved(float point) {\n    return 0.5 * doubled(point);\n}\nfloat sum_of(float limit) {\n    float sum = 0.5;\n    for (float y = 0.0; y < limit; y += 1.0) {\n        float part = y * WIDE;\n        \
        float last = sum;\n        sum += part;\n        sum += last * part;\n    }\n    return sum;\n}\n\
        void swapped(out float a, float b) {\n    a = b;\n}\n\
        void main() {\n    float a = 1.0;\n    float b = halved(a);\n    swapped(a, sum_of(b));\n    \
        color = textureLod(sampler2D(picture, picture_sampler), vec2(a, b), 0.0);\n}\n";

    #[test]
    fn names_and_comments_stay() {
        for target in [Target::Wgsl, Target::Metal, Target::Hlsl, Target::Es] {
            let text = translated(SOURCE, target).unwrap();
            assert!(text.contains("; // how wide") && text.contains("sum_of(") && text.contains("limit"), "{text}");
            assert!(text.contains("part") && !text.contains("part_"), "{text}");
        }
        let hlsl = translated(SOURCE, Target::Hlsl).unwrap();
        assert!(hlsl.contains("SamplerState picture_sampler : register(s0);") && !hlsl.contains("Heap"), "{hlsl}");
        // A keyword there.
        assert!(!hlsl.contains("float point)"), "{hlsl}");
        let metal = translated(SOURCE, Target::Metal).unwrap();
        assert!(
            metal.contains("picture [[texture(0)]]") && metal.contains("picture_sampler [[sampler(0)]]"),
            "{metal}"
        );
        let text = translated(&SOURCE.replace("a = b;", "a = b > 0.0 ? b : 1.0;"), Target::Page).unwrap();
        assert!(text.contains("select(") && text.contains("fn draw("), "{text}");
        let off =
            SOURCE.replace("float a = 1.0;", "float a = 1.0;\n    if (WIDE < 1.0) {\n        a = halved(a);\n    }");
        let off = translated(&off.replace("float b = halved(a);", "float b = a;"), Target::Page).unwrap();
        assert!(!off.contains("halved") && !off.contains("doubled"), "{off}");
        let text = translated(SOURCE, Target::Wgsl).unwrap();
        assert!(text.contains("let part: f32 = (y * WIDE);") && text.contains("@fragment"), "{text}");
        // Read before it is written: `sum` is another value afterwards.
        assert!(text.contains("let last: f32 = sum;") && text.contains("&a"), "{text}");
        naga::front::wgsl::parse_str(&text).unwrap();
    }

    #[test]
    fn what_cannot_be_translated_is_said() {
        let why = translated("#version 450\nvoid main() {\n    float a = b;\n}\n", Target::Wgsl).unwrap_err();
        assert!(why.contains('b'), "{why}");
    }
}
