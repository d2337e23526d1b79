//! Rules of pass names: those that code looks for are constants, and recorded by the folder that declares them.

/// The part of a file that is no test.
fn code<'t>(path: &str, text: &'t str) -> &'t str {
    let is_test = ["tests.rs", "_check.rs", "checks.rs"].iter().any(|end| path.ends_with(end));
    let end = if is_test { 0 } else { text.find("#[cfg(test)]\nmod ").unwrap_or(text.len()) };
    &text[..end]
}

/// Violations in `files`: path and text.
pub fn wrong(files: &[(String, String)]) -> Vec<String> {
    let lines = || files.iter().flat_map(|(path, text)| code(path, text).lines().map(move |line| (path, line.trim())));
    let mut wrong = Vec::new();
    for (path, line) in lines().filter(|(_, line)| line.contains(".name")) {
        let compared = ["== \"", "!= \"", "starts_with(\"", "ends_with(\"", "strip_prefix(\"", "contains(\""];
        let literals =
            compared.iter().flat_map(|how| line.split(how).skip(1)).filter_map(|rest| rest.split('"').next());
        wrong.extend(literals.filter(|word| word.contains('/')).map(|word| format!("{path} looks for pass {word:?}")));
    }
    let declared = lines().filter_map(|(path, line)| {
        let (name, rest) = line.split_once("const ")?.1.split_once(": PassId = PassId::new(\"")?;
        Some((path, name, rest.split('"').next()?))
    });
    for (path, name, pass) in declared {
        let literal = format!("\"{pass}\"");
        if lines().filter(|(_, line)| line.contains(&literal)).count() != 1 {
            wrong.push(format!("{path}: another string names {name}, {literal}"));
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_record = |line: &str| {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let reads = ["us_of(", ".is(", "FIXED_PASSES", ": PassId", "[PassId", "use "];
            words.clone().any(|word| word == name) && !reads.iter().any(|read| line.contains(read))
        };
        if !lines().any(|(other, line)| other.starts_with(folder) && is_record(line)) {
            wrong.push(format!("{path}: {name} is not recorded"));
        }
    }
    wrong
}

/// Passes of a technique that are recorded or declared outside its `passes` and its `lab`. The glass has a room for each of its jobs.
pub fn misplaced(files: &[(String, String)]) -> Vec<String> {
    let calls = [".compute(", ".raster(", ".fill(", ".clear(", ".blit(", ".copy_buffer(", "PassId::new("];
    let of = |(path, text): &(String, String)| {
        let (id, place) = path.strip_prefix("techniques/")?.split_once('/')?;
        let is_right =
            id == "glass" || place == "passes.rs" || place.starts_with("passes/") || place.starts_with("lab/");
        let own = format!("(\"{id}/");
        let is_recorded = |line: &&str| line.contains(&own) && calls.iter().any(|call| line.contains(call));
        let line = code(path, text).lines().find(is_recorded).filter(|_| !is_right)?;
        Some(format!("{path}: not in the technique's passes: {}", line.trim()))
    };
    files.iter().filter_map(of).collect()
}

#[test]
fn passes_are_recorded_in_one_place() {
    let wrong = misplaced(&super::files("src", &["rs"]));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let file = |path: &str, text: &str| misplaced(&[(path.into(), text.into())]).len();
    let pass = "frame\n    .compute(\"shade/list\", &list)\n";
    assert_eq!((file("techniques/shade/tone.rs", pass), file("techniques/shade/passes/tone.rs", pass)), (1, 0));
    assert_eq!(file("techniques/shade/input.rs", "const A: PassId = PassId::new(\"shade/list\");"), 1);
    assert_eq!(file("techniques/shade/input.rs", "ComputePipeline::new(gpu, \"shade/list.comp\", &[])"), 0);
}

#[test]
fn passes_are_found_by_constants() {
    let wrong = wrong(&super::files("src", &["rs"]));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn broken_rules_are_noticed() {
    let wrong = |text: &str| wrong(&[("a/b.rs".into(), text.into())]).len();
    let good = "const A: PassId = PassId::new(\"a/b\");\nframe.compute(A, &p);\n";
    assert_eq!(wrong(good), 0);
    assert_eq!(wrong(&format!("{good}if pass.name == \"a/c\" {{}}")), 1);
    assert_eq!(wrong(&format!("{good}frame.compute(\"a/b\", &p);")), 1);
    assert_eq!(wrong("const A: PassId = PassId::new(\"a/b\");\ntiming.us_of(&[A]);"), 1);
}
