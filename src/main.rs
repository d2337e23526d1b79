//! Parse the command line, then window (or a picture where there can be none), headless, verify, bench, tables, shaders or list.

use app::cli::{self, Task};
use app::failure::Failure;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    app::logging::start();
    app::crash_report::watch_panics();
    match cli::parse(std::env::args_os()).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "meniscus: {failure}");
            ExitCode::from(failure.code)
        }
    }
}

fn run(task: Task) -> Result<(), Failure> {
    if task.takes_standard_output() {
        app::keep_standard_output();
    }
    match task {
        Task::Show(text) => app::print(&text),
        Task::Launch(common, look) => app::launch::run(&common, &look),
        Task::Window(common, look) => app::window::command(&common, &look),
        Task::Verify(common, technique, options) => app::verify::run(&common, technique.as_deref(), &options),
        Task::Bench(common, technique, options) => app::bench::run(&common, technique.as_deref(), &options),
        Task::Tables(common, technique, options) => app::source_tables::run(&common, technique.as_deref(), &options),
        Task::Shaders(common, technique) => app::shaders::run(&common, technique.as_deref()),
        Task::List(common) => app::list::run(&common),
        Task::Headless(common, look, output) => app::headless::run(&common, &look, &output),
    }
}
