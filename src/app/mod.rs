//! Command line, window, headless, bench, verify.
