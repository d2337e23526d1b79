//! A built-in picture as a PNG file: `cargo run --example paint -- FILE.png [WIDTHxHEIGHT] [dusk|paper|code]`.

use std::{path::Path, time::Instant};

use anyhow::Context;
use meniscus::base::text::suggestion;
use meniscus::scene::picture::{Motif, paint};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().map_or("picture.png", String::as_str);
    let size = arguments
        .get(1)
        .and_then(|size| size.split_once('x'))
        .and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let motif = arguments.get(2).map_or(Ok(Motif::Dusk), |name| {
        let found = Motif::ALL.iter().copied().find(|motif| motif.name() == name);
        found.with_context(|| {
            format!("no picture \"{name}\"{}", suggestion(name, Motif::ALL.iter().map(|motif| motif.name())))
        })
    })?;
    let start = Instant::now();
    let picture = paint(motif, size.unwrap_or([2560, 1440]));
    println!("painted in {:.2} s", start.elapsed().as_secs_f64());
    picture.save_png(Path::new(file))
}
