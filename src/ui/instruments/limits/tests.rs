//! Tests of the panels about limits.

use crate::PanelKey;
use crate::UiAction;
use crate::test_fixture::{Hand as _, Panels, World, harness, timings_of, world};
use egui_kittest::kittest::Queryable as _;
use instrument::{FrameRequest, sample_details};
use lab::DeviceProbe;

const PASSES: [&str; 4] = ["mip/down", "mip/up", "mip/list", "ui"];

#[test]
fn the_table_has_bytes_and_parts_of_a_copy() {
    let mut world = world();
    world.captures.probe = Some(DeviceProbe::sample(None, &[(4_000_000, 5.0), (12_000_000, 15.0)]));
    let mut harness = timings_of(world, &PASSES);
    let request = |harness: &Panels| harness.ui().instruments.request().clone();
    assert_eq!(request(&harness), FrameRequest::default());
    harness.click("Limits");
    assert!(request(&harness).measures_device);
    assert_eq!(request(&harness).passes, ["mip/down", "mip/up", "mip/list"], "not the panels");
    harness.get_by_label("Mip: down: 4.00 MB, 400 GB, 50 %");
    harness.get_by_label("Mip: 12.0 MB, 400 GB, 50 %");
    harness.get_by_label("GPU clock: 78 % of its highest");
    harness.get_by_label("Panels: no bytes known");
    harness.get_by_label("A copy on this GPU reaches 800 GB/s with 12.0 MB.");
    harness.press(PanelKey::Device);
    assert_eq!(request(&harness), FrameRequest::default(), "nothing is asked for a closed table");
}

fn spun() -> World {
    let mut world = world();
    (world.captures.passes, world.captures.details) = sample_details("mip/down");
    world
}

fn details() -> Panels {
    let mut harness = timings_of(spun(), &PASSES);
    harness.click_for("Mip: down: 10.0 µs, 10.0 µs, 10.0 µs", 3);
    harness.click_for("Details", 3);
    harness
}

#[test]
fn details_show_source_includes_and_constants() {
    let mut harness = details();
    assert_eq!(harness.ui().instruments.limits.pass(), Some("mip/down"));
    harness.get_by_label("Reads 256 B and writes 256 B: each byte of what is bound once.");
    harness.get_by_label("TIMES = 5 set by the pipeline");
    harness.get_by_label_contains("void main(");
    harness.get_by_label("#include \"include/prelude.glsl\"");
    let included = "#extension GL_EXT_scalar_block_layout : require";
    assert!(!harness.has(included));
    harness.click_for("include/prelude.glsl", 3);
    assert!(harness.query_all_by_label_contains("GL_EXT_scalar_block_layout").count() > 0);
    harness.click_for("Copy", 3);
    let copied = harness.state().actions.iter().find_map(|action| match action {
        UiAction::Copy(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.unwrap();
    assert!(copied.contains("// TIMES = 5 (set by the pipeline)\n"), "{copied}");
    assert!(copied.contains("GL_EXT_scalar_block_layout") && copied.contains("imageStore(dst"), "{copied}");
}

#[test]
fn escape_closes_details_before_pins() {
    let mut harness = details();
    harness.press(PanelKey::Close);
    assert_eq!(harness.ui().instruments.limits.pass(), None);
    assert!(harness.ui().instruments.viewer.has_pins());
}

#[test]
fn a_small_window_has_no_room_and_no_fault() {
    let mut harness = harness(spun(), [480.0, 240.0], 1.5);
    harness.ui_mut().instruments.limits.toggle("mip/down", &[]);
    harness.run_steps(3);
}
