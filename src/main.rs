//! Parse the command line, then window, headless, verify, bench or list.
fn main() {}
