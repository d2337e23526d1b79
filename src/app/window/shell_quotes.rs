//! Words quoted for the shell of a system.

use base::system::System;

pub fn quoted(word: &str, system: System) -> String {
    match system {
        System::Linux | System::MacOs => quoted_for_sh(word),
        System::Windows => quoted_for_windows(word),
    }
}

fn is_plain(word: &str, signs: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphanumeric() || signs.contains(letter))
}

fn quoted_for_sh(word: &str) -> String {
    if is_plain(word, "._-/=:,@%+") { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Double quotes where PowerShell and cmd agree. A dollar, a backtick or a quote needs PowerShell's single quotes,
/// which cmd lacks.
fn quoted_for_windows(word: &str) -> String {
    // A comma makes a list in PowerShell.
    if is_plain(word, "._-/=:+\\") {
        return word.into();
    }
    if word.contains(['$', '`', '"', '“', '”', '„']) {
        // PowerShell adds double quotes around spaces, and takes typographic quotes for plain ones.
        let escaped = escaped_for_arguments(word, word.contains(' '));
        let doubled = ['\'', '‘', '’', '‚', '‛']
            .iter()
            .fold(escaped, |text, quote| text.replace(*quote, &format!("{quote}{quote}")));
        return format!("'{doubled}'");
    }
    format!("\"{}\"", escaped_for_arguments(word, true))
}

/// The C library of Windows: a quote has a backslash, and backslashes before a quote or the end of the word are
/// doubled.
fn escaped_for_arguments(word: &str, is_quoted: bool) -> String {
    let (mut text, mut backslashes) = (String::with_capacity(word.len()), 0);
    for letter in word.chars() {
        match letter {
            '\\' => backslashes += 1,
            '"' => {
                text += &"\\".repeat(backslashes + 1);
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        text.push(letter);
    }
    if is_quoted { text + &"\\".repeat(backslashes) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_the_program_through_each_shell() {
        for (word, line) in
            [("a/b-c.png", "a/b-c.png"), ("320,100", "320,100"), ("my photo's.png", r"'my photo'\''s.png'")]
        {
            assert_eq!(quoted(word, System::Linux), line);
        }
        for (word, line) in [
            ("", "\"\""),
            (r"C:\photos\lake.png", r"C:\photos\lake.png"),
            (r"C:\my photos\Größe 日本\é.png", "\"C:\\my photos\\Größe 日本\\é.png\""),
            (r"\\server\a share\b.png", "\"\\\\server\\a share\\b.png\""),
            (r"C:\my folder\", "\"C:\\my folder\\\\\""),
            ("it's.png", "\"it's.png\""),
            ("a & b (1) ^ <2> | %3.png", "\"a & b (1) ^ <2> | %3.png\""),
            ("320,100", "\"320,100\""),
            ("{a; b}", "\"{a; b}\""),
            ("#1.png", "\"#1.png\""),
        ] {
            assert_eq!(quoted(word, System::Windows), line);
        }
    }

    #[test]
    fn words_that_cmd_cannot_say_are_for_powershell() {
        for (word, line) in [
            (r"C:\$a\lake.png", r"'C:\$a\lake.png'"),
            ("costs $5.png", "'costs $5.png'"),
            ("a`b.png", "'a`b.png'"),
            ("it's $5", "'it''s $5'"),
            ("‘typed’ $1", "'‘‘typed’’ $1'"),
            ("“words”", "'“words”'"),
            ("say \"hi\"", r#"'say \"hi\"'"#),
            ("\\\"", r#"'\\\"'"#),
            ("a\"b\\", r#"'a\"b\'"#),
        ] {
            assert_eq!(quoted(word, System::Windows), line);
        }
    }
}
