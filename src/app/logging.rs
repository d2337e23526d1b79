//! Log on standard error: for users, or with the detail that developers request by `RUST_LOG`.

use super::failure::one_line;
use super::file_dialog_log;
use env_logger::{Builder, Env};
use log::Record;
use std::io::Write as _;

/// Code that calls a library reports its errors with context.
const FOR_PEOPLE: &str = "off,meniscus=warn";

pub fn start() {
    let mut builder = Builder::from_env(Env::default().default_filter_or(FOR_PEOPLE));
    if std::env::var_os("RUST_LOG").is_none() {
        builder.format(|to, record| writeln!(to, "{}", line(record)));
    }
    let logger = builder.build();
    let filter = logger.filter();
    file_dialog_log::listen(logger, filter);
}

fn line(record: &Record<'_>) -> String {
    let level = match record.level() {
        log::Level::Error => "error",
        log::Level::Warn => "warning",
        _ => "note",
    };
    let lines: Vec<String> = record.args().to_string().lines().map(one_line).collect();
    format!("meniscus: {level}: {}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use log::{Level, Log as _, Metadata};

    #[test]
    fn lines_for_people_have_no_modules_and_libraries_none_at_all() {
        let logger = Builder::new().parse_filters(FOR_PEOPLE).build();
        let is_shown = |target, level| logger.enabled(&Metadata::builder().target(target).level(level).build());
        for library in ["arboard", "egui_winit::clipboard", "zune_jpeg::mcu", "winit", "rfd", "gpu_allocator"] {
            assert!(!is_shown(library, Level::Error), "{library}");
        }
        assert!(is_shown("meniscus::app", Level::Warn) && !is_shown("meniscus::app", Level::Info));
        let said = |level, text: &str| {
            line(&Record::builder().target("meniscus::gpu").level(level).args(format_args!("{text}")).build())
        };
        assert_eq!(said(Level::Warn, "a.gltf: not drawn: b"), "meniscus: warning: a.gltf: not drawn: b");
        assert_eq!(said(Level::Error, "a\n  b (os error 2)\u{1b}"), "meniscus: error: a\nb\\u{1b}");
    }
}
