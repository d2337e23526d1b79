//! Calls of libraries that read files: a panic there becomes an error of the file.

use anyhow::{Result, anyhow};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

pub fn guarded<T>(decode: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = IS_GUARDED.replace(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    IS_GUARDED.set(before);
    decoded.unwrap_or_else(|_| Err(anyhow!("the decoder of such files fails on it")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_and_the_guard_ends_with_the_work() {
        assert!(!is_guarded());
        let inner = guarded(|| {
            let failed = guarded::<()>(|| panic!("index 7 of 3")).unwrap_err();
            assert!(failed.to_string().contains("the decoder"), "{failed}");
            Ok(is_guarded())
        });
        assert!(inner.unwrap(), "one guard within another does not end it");
        assert!(!is_guarded());
        assert_eq!(guarded(|| Ok(7)).unwrap(), 7);
    }
}
