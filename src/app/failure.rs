//! Failure of a run: one line for standard error and the exit code, 2 for bad arguments or files, 1 for the rest.

use crate::base::text::without_codes;
use std::fmt;

/// The reason for the exit. Printed once, by `main`.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// 2: a bad argument or file. 1: a failed check, or something that this machine cannot do.
    pub code: u8,
    /// The fault and what was expected, on one line.
    line: String,
}

impl Failure {
    /// A bad argument or file: exit code 2.
    pub fn bad(why: impl fmt::Display) -> Self {
        Self { code: 2, line: one_line(&why.to_string()) }
    }

    /// A failed check, or something this machine cannot do: exit code 1.
    pub fn failed(why: impl fmt::Display) -> Self {
        Self { code: 1, line: one_line(&why.to_string()) }
    }

    /// Appends text to the line.
    #[must_use]
    pub fn and(self, more: impl fmt::Display) -> Self {
        Self { code: self.code, line: self.line + &one_line(&more.to_string()) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

impl std::error::Error for Failure {}

impl From<anyhow::Error> for Failure {
    /// A contained failure is returned unchanged. Any other error becomes a machine's failure with its whole chain of causes.
    fn from(error: anyhow::Error) -> Self {
        error.downcast::<Self>().unwrap_or_else(|error| Self::failed(format!("{error:#}")))
    }
}

/// Converts the error of a result to a failure with the right code.
pub trait OrFail<T> {
    /// An error means a bad argument or file.
    fn or_bad(self, what: impl fmt::Display) -> Result<T, Failure>;
}

impl<T, E: Into<anyhow::Error>> OrFail<T> for Result<T, E> {
    fn or_bad(self, what: impl fmt::Display) -> Result<T, Failure> {
        self.map_err(|error| Failure::bad(format!("{what}: {:#}", error.into())))
    }
}

/// The text on one line: line ends become spaces, other control characters (an argument may contain any) are escaped, and system error
/// numbers are removed.
pub fn one_line(text: &str) -> String {
    let text = without_codes(text);
    let words = text.split(['\n', '\r']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let mut line = String::with_capacity(words.len());
    for c in words.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn a_failure_is_one_line_whatever_it_was_made_of() {
        assert_eq!(Failure::bad(" a\r\n\n  b\tc\u{1b}[31m ").to_string(), "a b\\tc\\u{1b}[31m");
        let error: Result<(), _> = Err(anyhow::anyhow!("inner\nlines")).context("outer");
        let failure = Failure::from(error.unwrap_err());
        assert_eq!((failure.code, failure.to_string().as_str()), (1, "outer: inner lines"));
        let through: Result<(), _> = Err(Failure::bad("size")).context("outer");
        let failure = Failure::from(through.unwrap_err());
        assert_eq!((failure.code, failure.to_string().as_str()), (2, "size"), "a failure stays what it was");
        let more = Failure::failed("lost").and("; go\non");
        assert_eq!((more.code, more.to_string().as_str()), (1, "lost; go on"));
        let missing = std::fs::read("no/such/file").map(|_| ()).or_bad("picture no/such/file").unwrap_err();
        assert_eq!(missing.code, 2);
        assert_eq!(missing.to_string(), "picture no/such/file: No such file or directory");
    }
}
