//! Include guards of shaders are named after their files: one of another file's name would leave that file out.

/// Guards with another name, by the name of their file below `shaders`.
fn misnamed<'f>(files: impl IntoIterator<Item = &'f (String, String)>) -> Vec<String> {
    let wrong = |(path, text): &(String, String)| {
        let mut lines = text.lines().skip_while(|line| line.starts_with("//!"));
        let guard = lines.next()?.strip_prefix("#ifndef ")?;
        let expected = path.strip_suffix(".glsl")?.replace('/', "_").to_uppercase();
        let defined = lines.next()?.strip_prefix("#define ")?;
        (guard != expected || defined != expected).then(|| format!("{path}: {guard}, {defined}, expected {expected}"))
    };
    // What an includer may choose is no guard.
    files.into_iter().filter(|(path, _)| path != "meshlets/tiled.glsl").filter_map(wrong).collect()
}

#[test]
fn guards_are_named_after_their_files() {
    let shaders = crate::files("shaders", &["glsl"]);
    assert!(shaders.len() > 80, "{} files", shaders.len());
    let wrong = misnamed(&shaders);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_guard_of_an_old_name_is_noticed() {
    let file =
        |guard: &str| ("a/b_c.glsl".to_owned(), format!("//! What.\n#ifndef {guard}\n#define {guard}\n\n#endif\n"));
    assert_eq!(misnamed(&[file("A_B_C")]), Vec::<String>::new());
    assert_eq!(misnamed(&[file("A_OLD")]).len(), 1);
}
