//! Start of the window on Windows without a console: runs the program beside it with the same arguments, and shows why it failed.
//!
//! A program for Windows either always has a console or never waits for one: a shell does not wait for a program without, and loses
//! its output. So `meniscus.exe` belongs to the console, and this one, `meniscusw.exe`, to the desktop, as with `python` and `pythonw`.

#![cfg_attr(windows, windows_subsystem = "windows")]

use std::process::{Command, ExitCode, Stdio};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            rfd::MessageDialog::new()
                .set_level(rfd::MessageLevel::Error)
                .set_title("Meniscus")
                .set_description(why)
                .show();
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| format!("this program does not know where it is: {error}"))?;
    let program = own.with_file_name(format!("meniscus{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&program);
    command.args(std::env::args_os().skip(1)).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    without_console(&mut command);
    let ended = command.output().map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    if ended.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    Err(reason(&said).unwrap_or_else(|| format!("{} ended: {}", program.display(), ended.status)))
}

fn reason(output: &str) -> Option<String> {
    let line = output.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    Some(line.strip_prefix("meniscus: ").unwrap_or(line).to_owned())
}

#[cfg(windows)]
fn without_console(command: &mut Command) {
    use std::os::windows::process::CommandExt as _;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(not(windows))]
fn without_console(_: &mut Command) {}
