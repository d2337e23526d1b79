//! Display names of settings and their values.

use base::settings::Field;
use std::sync::OnceLock;
use technique::Section;
use techniques::Settings;

/// The longest first: some are prefixes of others.
fn paths() -> &'static [(String, String)] {
    static PATHS: OnceLock<Vec<(String, String)>> = OnceLock::new();
    PATHS.get_or_init(|| {
        let of = |section: Section<'_>| {
            let path = |field: &Field| (format!("{}.{}", section.id, field.name), field.title());
            section.settings.fields().iter().map(path).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = Settings::default().sections().into_iter().flat_map(of).collect();
        all.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        all
    })
}

/// Replaces settings by their display names: `Font file` for `glass.font`.
pub fn in_panel_names(text: &str) -> String {
    paths().iter().fold(text.to_owned(), |text, (path, title)| text.replace(path, title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::settings::FieldKind;

    #[test]
    fn settings_are_named_as_in_the_panel() {
        assert_eq!(in_panel_names("glass.text: no font; see glass.font"), "Words: no font; see Font file");
        for (path, title) in paths() {
            assert_eq!(&in_panel_names(path), title);
        }
    }

    #[test]
    fn titles_are_words() {
        let mut settings = Settings::default();
        for section in settings.sections() {
            for field in section.settings.fields() {
                let values = match field.kind {
                    FieldKind::Choice(values) => values,
                    _ => &[],
                };
                let titles = values.iter().map(|value| (value.name, value.title()));
                for (name, title) in std::iter::once((field.name, field.title())).chain(titles) {
                    let path = format!("{}.{} {name}: {title}", section.id, field.name);
                    let is_raw = |word: &str| {
                        // `lanczos3`, `rgba16f`: letters and digits of an identifier. Proper names have capitals.
                        let lower = word.chars().any(|c| c.is_ascii_lowercase());
                        lower && word.chars().any(|c| c.is_ascii_digit()) && word.chars().all(char::is_alphanumeric)
                    };
                    let is_size = |word: &str| word.split('x').all(|side| side.parse::<u32>().is_ok());
                    let words = || title.split([' ', '(', ')', ',', '-']).filter(|word| !word.is_empty());
                    assert!(!title.contains('_') && !words().any(|word| is_raw(word) && !is_size(word)), "{path}");
                    let first = title.chars().next();
                    assert!(
                        first.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit() || title.starts_with("sRGB")),
                        "{path}"
                    );
                    const KNOWN: [&str; 12] = [
                        "rom", "steele", "stone", "fischer", "rgba", "srgb", "ior", "gpu", "brlt", "aces", "psnr",
                        "fps",
                    ];
                    assert!(!words().any(|word| KNOWN.contains(&word)), "{path}");
                }
            }
        }
    }
}
