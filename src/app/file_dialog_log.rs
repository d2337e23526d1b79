//! Logger that keeps errors which the file dialogue library only logs.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::sync::{Mutex, PoisonError};

const LIBRARY: &str = "rfd";

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Listener<L>(L);

impl<L: Log> Log for Listener<L> {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        is_kept(metadata) || self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if is_kept(record.metadata()) {
            LINES.lock().unwrap_or_else(PoisonError::into_inner).push(record.args().to_string());
        } else {
            self.0.log(record);
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}

fn is_kept(metadata: &Metadata<'_>) -> bool {
    let module = metadata.target().split("::").next();
    metadata.level() == Level::Error && module == Some(LIBRARY)
}

pub fn listen(logger: impl Log + 'static, filter: LevelFilter) {
    if log::set_boxed_logger(Box::new(Listener(logger))).is_ok() {
        log::set_max_level(filter.max(LevelFilter::Error));
    }
}

pub fn take() -> Vec<String> {
    std::mem::take(&mut LINES.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[derive(Default)]
    struct Counter(AtomicUsize);

    impl Log for Counter {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.level() <= Level::Warn
        }

        fn log(&self, _: &Record<'_>) {
            self.0.fetch_add(1, Relaxed);
        }

        fn flush(&self) {}
    }

    #[test]
    fn errors_of_the_dialogue_are_kept_and_all_else_is_passed_on() {
        let listener = Listener(Counter::default());
        let log = |target, level| {
            let record = Record::builder().target(target).level(level).args(format_args!("no portal")).build();
            listener.log(&record);
        };
        log("rfd::backend::xdg_desktop_portal", Level::Error);
        assert_eq!((take(), take()), (vec!["no portal".to_owned()], vec![]));
        log("rfd::backend", Level::Warn);
        log("rfdx", Level::Error);
        log("meniscus::app", Level::Error);
        assert_eq!((take(), listener.0.0.load(Relaxed)), (vec![], 3));
        let enabled = |target, level| listener.enabled(&Metadata::builder().target(target).level(level).build());
        assert!(enabled("rfd", Level::Error) && enabled("ash", Level::Warn) && !enabled("rfd", Level::Info));
    }
}
