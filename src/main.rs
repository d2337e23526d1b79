//! Parse the command line, then window, headless, verify, bench or list.

use meniscus::app::cli::{self, Task};
use meniscus::app::failure::Failure;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error,meniscus=warn")).init();
    match cli::parse(std::env::args_os()).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody left to tell where standard error is closed.
            let _ = writeln!(std::io::stderr(), "meniscus: {failure}");
            ExitCode::from(failure.code)
        }
    }
}

fn run(task: Task) -> Result<(), Failure> {
    match task {
        Task::Show(text) => meniscus::app::print(&text),
        Task::Window(common, look) => meniscus::app::window::run(common, look),
        other => Err(Failure::failed(format!("not yet: {other:?}"))),
    }
}
