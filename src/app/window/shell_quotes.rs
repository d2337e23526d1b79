//! Words quoted for the shell of a system.

use crate::base::system::System;

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

    fn arguments(line: &str) -> Vec<String> {
        let (mut words, mut word, mut is_quoted, mut backslashes) = (Vec::new(), None::<String>, false, 0);
        for letter in line.chars() {
            if letter == '\\' {
                backslashes += 1;
                continue;
            }
            let halved = if letter == '"' { backslashes / 2 } else { backslashes };
            let is_escaped = letter == '"' && backslashes % 2 == 1;
            if backslashes > 0 {
                word.get_or_insert_default().push_str(&"\\".repeat(halved));
            }
            backslashes = 0;
            match letter {
                '"' if !is_escaped => {
                    is_quoted = !is_quoted;
                    word.get_or_insert_default();
                }
                ' ' if !is_quoted => words.extend(word.take()),
                letter => word.get_or_insert_default().push(letter),
            }
        }
        if backslashes > 0 {
            word.get_or_insert_default().push_str(&"\\".repeat(backslashes));
        }
        words.extend(word);
        words
    }

    /// Quotes stay, and signs outside of them have a meaning.
    fn of_cmd(line: &str) -> String {
        let mut is_quoted = false;
        for letter in line.chars() {
            is_quoted ^= letter == '"';
            assert!(is_quoted || !"&|<>^()".contains(letter), "{line}: {letter} means something in cmd");
        }
        line.into()
    }

    /// Windows PowerShell 5.1: quotes are removed, and words with spaces get double quotes.
    fn of_powershell(line: &str) -> String {
        let (mut words, mut word, mut quote) = (Vec::<String>::new(), None::<String>, None);
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            let kind = match letter {
                '\'' | '‘' | '’' | '‚' | '‛' => '\'',
                '"' | '“' | '”' | '„' => '"',
                other => other,
            };
            match (quote, kind) {
                (None, ' ') => words.extend(word.take()),
                (None, '\'' | '"') => {
                    quote = Some(kind);
                    word.get_or_insert_default();
                }
                (None, _) => {
                    assert!(!"$`,;(){}|&<>@#".contains(letter), "{line}: {letter} means something in PowerShell");
                    word.get_or_insert_default().push(letter);
                }
                (Some('\''), '\'') if letters.peek().is_some_and(|next| "'‘’‚‛".contains(*next)) => {
                    letters.next();
                    word.get_or_insert_default().push(letter);
                }
                (Some(open), kind) if open == kind => quote = None,
                (Some('"'), '$' | '`') => panic!("{line}: {letter} means something between double quotes"),
                (Some(_), _) => word.get_or_insert_default().push(letter),
            }
        }
        assert_eq!(quote, None, "{line}: a quote is open");
        words.extend(word);
        let handed = |word: String| if word.is_empty() || word.contains(' ') { format!("\"{word}\"") } else { word };
        words.into_iter().map(handed).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn both_shells_of_windows_hand_over_the_word() {
        for word in [
            "a.png",
            r"C:\photos\lake.png",
            r"C:\my photos\Größe 日本\é.png",
            r"\\server\a share\b.png",
            r"C:\my folder\",
            "it's.png",
            "a & b (1) ^ <2> | %3.png",
            "320,100",
            "glass/distance@split",
            "glass.tint=[0.5, 1.0, 0.25]",
            "{a; b}",
            "#1.png",
            "",
        ] {
            let line = format!("meniscus --image {} --end", quoted(word, System::Windows));
            let wanted = ["meniscus", "--image", word, "--end"];
            assert_eq!(arguments(&of_cmd(&line)), wanted, "cmd: {line}");
            assert_eq!(arguments(&of_powershell(&line)), wanted, "PowerShell: {line}");
        }
    }

    #[test]
    fn words_that_cmd_cannot_say_are_for_powershell() {
        for word in ["costs $5.png", "a`b.png", "say \"hi\"", "it's $5", "‘typed’ $1", "“words”", "\\\"", "a\"b\\"]
        {
            let line = format!("meniscus --image {} --end", quoted(word, System::Windows));
            let handed = arguments(&of_powershell(&line));
            assert_eq!(handed, ["meniscus", "--image", word, "--end"], "{line}");
            assert!(line.contains('\''), "{line}");
        }
    }

    #[test]
    fn plain_words_stay_as_they_are() {
        assert_eq!(quoted("a/b-c.png", System::Linux), "a/b-c.png");
        assert_eq!(quoted("320,100", System::Linux), "320,100");
        assert_eq!(quoted("my photo's.png", System::Linux), "'my photo'\\''s.png'");
        assert_eq!(quoted(r"C:\photos\lake.png", System::Windows), r"C:\photos\lake.png");
        assert_eq!(quoted(r"C:\my photos\lake.png", System::Windows), r#""C:\my photos\lake.png""#);
        assert_eq!(quoted(r"C:\$a\lake.png", System::Windows), r"'C:\$a\lake.png'");
    }
}
