//! Golden pictures of every view of every technique.

use crate::studio::{Studio, TIES, compare, left_over, settings};
use renderer::ViewPlacement;
use technique::{Info, Stage};

const SIZE: [u32; 2] = [160, 90];

pub fn look_as_kept(info: &Info) -> Vec<String> {
    let mut studio = Studio::new(SIZE);
    studio.lens = Some((glam::Vec2::new(75.0, 42.0), 0.3));
    let mut wrong = Vec::new();
    let is_world = info.stage == Stage::World;
    let source = if is_world { "scene.source=world" } else { "scene.source=picture" };
    let views = || info.views.iter().filter(|view| view.golden.is_kept);
    for view in views() {
        let settings = settings([source].iter().chain(view.golden.settings).copied());
        let (got, timing) = studio.draw(&settings, Some((info.id, view.name, ViewPlacement::Full)));
        let name = format!("views/{}/{}", info.id, view.name);
        if !timing.passes.iter().any(|pass| pass.name == "renderer/view") {
            wrong.push(format!("{name}: the view was not shown"));
        }
        let ties = if is_world { TIES.max(view.golden.ties) } else { view.golden.ties };
        wrong.extend(compare(&name, &got, ties).err());
    }
    let known = views().map(|view| view.name.to_owned()).collect();
    wrong.extend(left_over(&format!("views/{}", info.id), &known));
    wrong.extend(studio.close());
    wrong
}
