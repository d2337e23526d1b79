//! Patches that break shaders on purpose (`scripts/mutations`): each applies to the shaders as they are.

/// Why a patch does not apply, for each of its hunks that does not. `read`: text of a file by its path in the repository.
fn mismatches(patch: &str, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let (mut file, mut hunks) = (String::new(), Vec::<(String, Vec<&str>)>::new());
    for line in patch.lines().skip_while(|line| !line.starts_with("--- ")) {
        if let Some(path) = line.strip_prefix("+++ b/") {
            file = path.to_owned();
        } else if line.starts_with("@@") {
            hunks.push((file.clone(), Vec::new()));
        } else if let Some((_, kept)) = hunks.last_mut().filter(|_| !line.starts_with("--- a/")) {
            kept.extend(line.strip_prefix([' ', '-']).or(line.is_empty().then_some("")));
        }
    }
    if hunks.is_empty() {
        return vec!["has no hunk".into()];
    }
    let fails = |(file, kept): &(String, Vec<&str>)| match read(file) {
        None => Some(format!("there is no {file}")),
        Some(text) => {
            let lines: Vec<&str> = text.lines().collect();
            let is_there = lines.windows(kept.len().max(1)).any(|window| window == kept.as_slice());
            (!is_there).then(|| format!("{file} has no such lines: {:?}", kept.join("\n")))
        }
    };
    hunks.iter().filter_map(fails).collect()
}

#[test]
fn mutations_apply() {
    let shaders = crate::files("shaders", &["comp", "frag", "vert", "mesh", "task", "glsl"]);
    let patches = crate::files("tests/mutations", &["patch"]);
    assert!(patches.len() > 50, "{} patches", patches.len());
    let read = |path: &str| {
        let name = path.strip_prefix("shaders/")?;
        Some(shaders.iter().find(|(known, _)| known == name)?.1.clone())
    };
    let wrong: Vec<String> = patches
        .iter()
        .flat_map(|(path, patch)| mismatches(patch, read).into_iter().map(move |why| format!("{path}: {why}")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_patch_of_other_lines_is_noticed() {
    let patch = "Broken: one\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n";
    let read = |text: &'static str| move |path: &str| (path == "f").then(|| text.to_owned());
    assert_eq!(mismatches(patch, read("x\na\nb\nd\n")), Vec::<String>::new());
    for other in ["a\nc\nd\n", "a\nb\nx\nd\n", ""] {
        assert_eq!(mismatches(patch, read(other)).len(), 1, "{other:?}");
    }
    assert_eq!(mismatches(patch, |_| None).len(), 1);
    assert_eq!(mismatches("Broken: nothing\n", read("a\n")).len(), 1);
}
