//! Golden tests of small whole frames, under validation: presets, every view of every technique, and every setting that the world's picture
//! depends on.
//!
//! A picture may differ by 0.75 of an 8-bit step in the mean and by 24 in the worst channel (drivers round differently at hard edges below
//! the glass); a picture of the world by any step in 8 pixels: where two triangles are equally deep to the last bit the one drawn first
//! stays, and their order is not fixed (docs/meshlets.md). On failure the picture and its difference, eight times as strong, are written to
//! target/goldens. `MENISCUS_ACCEPT=1 cargo test --test goldens` stores the new pictures instead.

#[path = "../trials/mod.rs"]
mod trials;

mod looks;
mod studio;
mod views;
mod world_settings;

use libtest_mimic::{Arguments, Completion};
use std::process::ExitCode;
use techniques::INFOS;
use trials::Trials;

fn main() -> ExitCode {
    let mut trials = Trials::default();
    let mut add = |name: String, wrong: Box<dyn FnOnce() -> Vec<String> + Send>| {
        trials.add(name, || {
            let wrong = wrong();
            if wrong.is_empty() { Ok(Completion::Completed) } else { Err(wrong.join("\n").into()) }
        });
    };
    add("comparison".into(), Box::new(studio::comparison_is_exact));
    add("frames".into(), Box::new(looks::look_as_kept));
    add("world settings".into(), Box::new(world_settings::draw_anew));
    for info in INFOS.iter().filter(|info| info.views.iter().any(|view| view.golden.is_kept)) {
        add(format!("{}/views", info.id), Box::new(|| views::look_as_kept(info)));
    }
    let arguments = Arguments::from_args();
    trials.run(&arguments).exit_code()
}
