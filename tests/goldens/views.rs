//! Golden pictures of every view of every technique.

use crate::studio::{MIRRORED_TIES, Studio, TIES, compare, left_over, settings};
use meniscus::{
    renderer::ViewPlacement,
    techniques::{Info, Stage},
};

const SIZE: [u32; 2] = [160, 90];

/// Settings of a technique's views, besides those of its stage.
fn sets(technique: &str) -> &'static [&'static str] {
    match technique {
        // Cells are the same on every driver, and so is a deterministic list of them.
        "pixel_sort" => &["pixel_sort.input=cells", "pixel_sort.cell_area=60", "pixel_sort.deterministic=true"],
        // Not every driver supports the single pass, which has other tiles.
        "mip_chain" => &["mip_chain.view_level=3", "mip_chain.method=per_level"],
        "downsample" => &["downsample.method=bilinear", "downsample.ratio=4"],
        "glass" => &["glass.frost=10"],
        // The faster path depends on the device.
        "meshlets" => &["meshlets.by=compute"],
        _ => &[],
    }
}

/// Compares every view of a technique with its golden picture.
pub fn look_as_kept(info: &Info) -> Vec<String> {
    let mut studio = Studio::new(SIZE);
    studio.lens = Some((glam::Vec2::new(75.0, 42.0), 0.3));
    let mut wrong = Vec::new();
    let is_world = info.stage == Stage::World;
    let source = if is_world { "scene.source=world" } else { "scene.source=picture" };
    let settings = settings([source].iter().chain(sets(info.id)).copied());
    for view in info.views {
        let (got, timing) = studio.draw(&settings, Some((info.id, view.name, ViewPlacement::Full)));
        let name = format!("views/{}/{}", info.id, view.name);
        if !timing.passes.iter().any(|pass| pass.name == "renderer/view") {
            wrong.push(format!("{name}: the view was not shown"));
        }
        let ties = match info.id {
            "reflections" => MIRRORED_TIES,
            _ if is_world => TIES,
            _ => 0,
        };
        wrong.extend(compare(&name, &got, ties).err());
    }
    let known = info.views.iter().map(|view| view.name.to_owned()).collect();
    wrong.extend(left_over(&format!("views/{}", info.id), &known));
    wrong.extend(studio.close());
    wrong
}
