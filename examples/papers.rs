//! Files of a package besides the program, from the parser of its arguments: `cargo run --example papers -- FOLDER` writes a manual page
//! and completions for bash, zsh and fish below it, in a system's layout.

use anyhow::Context as _;
use app::cli;
use clap_complete::{Shell, generate_to};
use std::fs;
use std::path::PathBuf;

fn main() -> anyhow::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).context("expected a folder")?);
    let below = |path: &str| -> anyhow::Result<PathBuf> {
        let folder = folder.join(path);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    // Examples are built with the list of tests, which has one more option than the program.
    let command =
        cli::command().mut_subcommand("headless", |headless| headless.mut_arg("count-passes", |own| own.hide(true)));
    clap_mangen::generate_to(command.clone(), below("share/man/man1")?)?;
    let shells = [
        (Shell::Bash, "share/bash-completion/completions"),
        (Shell::Zsh, "share/zsh/site-functions"),
        (Shell::Fish, "share/fish/vendor_completions.d"),
    ];
    for (shell, path) in shells {
        generate_to(shell, &mut command.clone(), "meniscus", below(path)?)?;
    }
    Ok(())
}
