//! Log on standard error: for users, or with the detail that developers request by `RUST_LOG`.

use super::failure::one_line;
use super::file_dialog_log;
use env_logger::{Builder, Env};
use log::Record;
use std::io::Write as _;

/// Crates of this program but techniques: code that calls a library reports its errors with context. A name holds for all that begin with it.
const OURS: &str = "off,meniscus=warn,base=warn,media=warn,gpu=warn,gpu_allocator=off,scene=warn,lab=warn,technique=warn,renderer=warn,\
    instrument=warn,ab=warn,suites=warn,ui=warn,app=warn";

fn for_people() -> String {
    techniques::INFOS.iter().fold(OURS.into(), |filter, info| format!("{filter},{}=warn", info.id))
}

pub fn start() {
    let mut builder = Builder::from_env(Env::default().default_filter_or(for_people()));
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
        let logger = Builder::new().parse_filters(&for_people()).build();
        let is_shown = |target, level| logger.enabled(&Metadata::builder().target(target).level(level).build());
        for library in ["arboard", "egui_winit::clipboard", "zune_jpeg::mcu", "winit", "rfd", "gpu_allocator"] {
            assert!(!is_shown(library, Level::Error), "{library}");
        }
        let manifest: toml::Table = include_str!("../../Cargo.toml").parse().unwrap();
        let ours = manifest["workspace"]["dependencies"].as_table().unwrap().iter();
        for (name, _) in ours.filter(|(_, entry)| entry.get("path").is_some()) {
            assert!(is_shown(name, Level::Warn) && !is_shown(name, Level::Info), "{name}");
        }
        let said = |level, text: &str| {
            line(&Record::builder().target("gpu::image").level(level).args(format_args!("{text}")).build())
        };
        assert_eq!(said(Level::Warn, "a.gltf: not drawn: b"), "meniscus: warning: a.gltf: not drawn: b");
        assert_eq!(said(Level::Error, "a\n  b (os error 2)\u{1b}"), "meniscus: error: a\nb\\u{1b}");
    }
}
