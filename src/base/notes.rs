//! Notes on a loaded file: its unsupported and its differently drawn parts.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    pub remarks: Vec<String>,
    pub left_out: Vec<String>,
}

/// Longest log line in characters: a hostile file has millions of fields.
const LONGEST: usize = 4000;
/// Length of " and 1234567 more".
const REST: usize = 17;

impl Notes {
    pub fn is_empty(&self) -> bool {
        self.remarks.is_empty() && self.left_out.is_empty()
    }

    pub fn line(&self) -> String {
        self.shortened(LONGEST)
    }

    /// As many as fit in `most` characters, at least one, and the number of the others.
    pub fn shortened(&self, most: usize) -> String {
        let most = most.max(2 * REST);
        let remarks = self.remarks.iter().map(|remark| ("; ", remark));
        let left_out = self.left_out.iter().enumerate();
        let left_out = left_out.map(|(k, item)| (if k == 0 { "; not drawn: " } else { ", " }, item));
        let (mut line, mut length, mut rest) = (String::new(), 0, self.remarks.len() + self.left_out.len());
        for (before, text) in remarks.chain(left_out) {
            let before = if line.is_empty() { before.trim_start_matches("; ") } else { before };
            let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
            let room = most - length - before.len() - if rest > 1 { REST } else { 0 };
            let long = text.chars().count();
            if long > room && !line.is_empty() {
                break;
            }
            line.push_str(before);
            if long > room {
                line.extend(plain.take(room - 1));
                line.push('…');
            } else {
                line.extend(plain);
            }
            (length, rest) = (line.chars().count(), rest - 1);
            if most < length + "; not drawn: ".len() + REST {
                break;
            }
        }
        if rest > 0 {
            line.push_str(&format!(" and {rest} more"));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(remarks: &[&str], left_out: &[&str]) -> Notes {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Notes { remarks: owned(remarks), left_out: owned(left_out) }
    }

    #[test]
    fn a_line_has_all_of_them() {
        assert_eq!(notes(&[], &["a", "b\nc"]).line(), "not drawn: a, b c");
        assert_eq!(notes(&["x", "y"], &["a"]).line(), "x; y; not drawn: a");
        assert_eq!(notes(&["x"], &[]).line(), "x");
    }

    #[test]
    fn omitted_notes_are_counted() {
        let item = "KHR_materials_volume (1 material)";
        let many = notes(&["all lights dimmed to 58 %"], &[item; 30]);
        assert!(many.line().len() > 1000 && !many.line().contains("more"));
        let short = many.shortened(130);
        assert_eq!(short, format!("all lights dimmed to 58 %; not drawn: {item}, {item} and 28 more"));
        let long = "é".repeat(300);
        assert_eq!(notes(&[], &[&long]).shortened(60), format!("not drawn: {}…", "é".repeat(48)));
        assert!(notes(&[&long], &["a"]).shortened(60).ends_with("… and 1 more"));
        for most in 0..400 {
            for notes in [&many, &notes(&[&long, "b"], &["c", &long]), &notes(&[], &[item; 3])] {
                let line = notes.shortened(most);
                assert!(line.chars().count() <= most.max(2 * REST), "{most}: {line}");
            }
        }
        let hostile = notes(&[], &vec![item; 1_000_000]);
        assert!(hostile.line().chars().count() <= LONGEST && hostile.line().ends_with(" more"));
    }
}
