//! Failure of a run: one line for standard error and the exit code, 2 for bad arguments or files, 1 for the rest.

use base::text::without_codes;
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// 2: a bad argument or file; 1: anything else; from 128 on: a signal.
    pub code: u8,
    line: String,
}

impl Failure {
    pub fn bad(why: impl fmt::Display) -> Self {
        Self { code: 2, line: one_line(&why.to_string()) }
    }

    pub fn failed(why: impl fmt::Display) -> Self {
        Self { code: 1, line: one_line(&why.to_string()) }
    }

    pub fn ended(code: u8, why: impl fmt::Display) -> Self {
        Self { code, line: one_line(&why.to_string()) }
    }

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
    fn from(error: anyhow::Error) -> Self {
        error.downcast::<Self>().unwrap_or_else(|error| Self::failed(format!("{error:#}")))
    }
}

pub trait OrFail<T> {
    fn or_bad(self, what: impl fmt::Display) -> Result<T, Failure>;
}

impl<T, E: Into<anyhow::Error>> OrFail<T> for Result<T, E> {
    fn or_bad(self, what: impl fmt::Display) -> Result<T, Failure> {
        self.map_err(|error| Failure::bad(format!("{what}: {:#}", error.into())))
    }
}

/// Line ends become spaces, control characters are escaped, the system's error numbers are removed.
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
