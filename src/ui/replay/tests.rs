//! Tests of the player.

use super::figure::FigureLayout;
use super::text_height;
use crate::test_fixture::{Hand as _, Panels, at_1280, painted, world};
use crate::{PanelKey, UiAction};
use egui::{Key, Rect, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use technique::{Arrow, Cell, Drawing, Grid, MemoryComparison, Replay, ReplayStep, Role, TilePlace};

const DRAWN: [[u8; 3]; 2] = [[255, 40, 200], [40, 255, 190]];

pub(crate) fn replay() -> Replay {
    let color = |at: usize| [(40 + at * 5 % 200) as u8, (90 + at * 37 % 150) as u8, (70 + at * 61 % 180) as u8];
    let items = |turned: bool| -> Vec<Cell> {
        (0..64).map(|at| if turned { 63 - at } else { at }).map(|at| Cell::item(color(at / 4), at)).collect()
    };
    let buckets =
        || Grid::new("Buckets", 4, (0..8).map(|at| Cell::new(color(at), at.to_string())).collect()).aspect(1.6);
    let lanes = (0..32).map(|at| Cell::new(color(at), (at * 31).to_string()).role(Role::Active)).collect();
    let step = |name: &str, grids| ReplayStep::new(name, sentence_of(name), grids);
    let mut wrong = items(true);
    wrong[5].role = Role::Wrong;
    let last = ReplayStep {
        arrows: vec![Arrow { from: [2, 0], to: [2, 9] }, Arrow { from: [0, 3], to: [1, 2] }],
        figures: vec![("kinds in a warp", "1.20".into()), ("padding", "12".into())],
        ..step(
            "write",
            vec![
                Grid::new("List", 8, wrong).grouped(8, 1),
                buckets(),
                Grid::new("Lanes", 32, lanes).aspect(1.5).wide(),
                Grid::paper("Plan", [12, 8]).drawn(vec![
                    Drawing::circle(DRAWN[0], [6.0, 4.0], 3.0).filled(),
                    Drawing::line(DRAWN[1], [[0.0, 0.0], [90.0, 60.0]]),
                ]),
            ],
        )
    };
    Replay {
        technique: "glass",
        tiles: TilePlace { at: [1, 2], count: [4, 3], size: [64.0, 64.0], name: "tile" },
        steps: vec![
            step("read", vec![Grid::new("Tile", 8, items(false)).grouped(4, 4)]),
            step("count", vec![Grid::new("Tile", 8, items(false)), buckets()]),
            last,
        ],
        items: (0..64).map(|at| format!("pixel {at}")).collect(),
        comparisons: vec![
            MemoryComparison::of("words", &[1, 2], &[1, 2]),
            MemoryComparison::of("entries", &[1, 2], &[1, 3]),
        ],
        note: "The frame itself does it otherwise.".into(),
    }
}

fn open() -> Panels {
    let mut world = world();
    world.captures.replay = Some(replay());
    let mut harness = at_1280(world);
    harness.run_steps(20);
    harness
}

fn key(harness: &mut Panels, key: Key) {
    harness.key_for(key, 20);
}

fn sentence_of(name: &str) -> String {
    format!("The sentence of {name}, which is long enough to be broken in a narrow panel, so that it shows.")
}

#[test]
fn keys_go_through_the_steps() {
    let mut harness = open();
    harness.get_by_label("1. read");
    harness.get_by_label(&sentence_of("read"));
    for (pressed, shown) in [
        (Key::ArrowRight, "2. count"),
        (Key::ArrowRight, "3. write"),
        (Key::ArrowRight, "3. write"),
        (Key::ArrowLeft, "2. count"),
        (Key::Home, "1. read"),
        (Key::End, "3. write"),
    ] {
        key(&mut harness, pressed);
        harness.get_by_label(shown);
    }
    key(&mut harness, Key::Home);
    key(&mut harness, Key::Space);
    harness.get_by_label("Pause (Space)");
    harness.run_steps(280);
    harness.get_by_label("3. write");
    harness.get_by_label("Play (Space)");
    key(&mut harness, Key::Escape);
    assert_eq!(harness.taken(), [UiAction::EndReplay]);
}

#[test]
fn buttons_do_the_same_and_the_last_step_is_compared() {
    let mut harness = open();
    let click = |harness: &mut Panels, name: &str| {
        harness.click_for(name, 20);
    };
    assert!(!harness.has("= Equal to the GPU's 2 words, bit for bit."), "not before the end");
    click(&mut harness, "Last step (End)");
    harness.get_by_label("= Equal to the GPU's 2 words, bit for bit.");
    harness.get_by_label_contains("\u{2260} 1 of 2 entries differ from the GPU's");
    click(&mut harness, "Step back (\u{2190})");
    harness.get_by_label("2. count");
    click(&mut harness, "Step forward (\u{2192})");
    click(&mut harness, "First step (Home)");
    harness.get_by_label("1. read");
    click(&mut harness, "Again");
    // Tile 1, 2 is at 64 to 128 and 128 to 192 pixels.
    assert_eq!(harness.state().actions, [UiAction::Replay { technique: "glass", pixel: Some([96, 160]) }]);
    let large = harness.get_by_label("read").rect().width();
    click(&mut harness, "Beside");
    let beside = harness.get_by_label("read").rect().width();
    assert!(large > 1.5 * beside, "{beside} {large}");
    harness.taken();
    click(&mut harness, "Close the steps (Esc)");
    assert_eq!(harness.taken(), [UiAction::EndReplay]);
}

#[test]
fn a_click_on_the_picture_chooses_the_tile() {
    let mut harness = open();
    harness.click_at(pos2(150.5, 300.5));
    assert_eq!(harness.taken(), [], "it is under the steps");
    let asked = UiAction::Replay { technique: "glass", pixel: Some([150, 300]) };
    harness.click_for("Choose in the picture", 3);
    assert!(!harness.has("1. read"));
    harness.press(PanelKey::Close);
    harness.run_steps(3);
    harness.get_by_label("1. read");
    harness.click_for("Choose in the picture", 3);
    harness.click_at(pos2(150.5, 300.5));
    assert_eq!(harness.taken(), std::slice::from_ref(&asked));
    harness.get_by_label("1. read");
    harness.click_for("Beside", 3);
    harness.click_at(pos2(150.5, 300.5));
    assert_eq!(harness.taken(), [asked]);
}

#[test]
fn a_section_offers_the_steps_and_closed_they_cost_nothing() {
    let mut harness = at_1280(world());
    let before = harness.output().shapes.len();
    harness.ui_mut().help.page = Some("glass".into());
    harness.run_steps(2);
    // The section's own: a page has one, too.
    let left = |node: &egui_kittest::Node<'_>| node.rect().left();
    let all = harness.get_all_by_label("Step by step");
    all.max_by(|a, b| left(a).total_cmp(&left(b))).unwrap().click();
    harness.run_ok();
    assert_eq!(harness.ui().help.page, None, "it would cover the steps");
    let asked = UiAction::Replay { technique: "glass", pixel: None };
    assert_eq!(harness.state().actions, [asked.clone(), asked], "and nothing ends them");
    harness.state_mut().captures.replay = Some(replay());
    harness.run_steps(3);
    assert!(harness.output().shapes.len() > before);
    harness.state_mut().captures.replay = None;
    harness.run_steps(3);
    assert!(!harness.has("1. read"));
}

#[test]
fn captions_are_there_in_whole() {
    let long = "Workgroups whose texels this tile of the next tier reads, by column and row";
    for (size, step) in [(vec2(430.0, 258.0), 1), (vec2(900.0, 540.0), 2)] {
        let mut step = replay().steps.remove(step);
        let count = step.grids.len();
        step.grids.iter_mut().for_each(|grid| grid.title = long.into());
        let draw = move |ui: &mut egui::Ui| {
            let area = Rect::from_min_size(pos2(4.0, 4.0), size);
            super::draw_figure(ui.painter(), area, (std::slice::from_ref(&step), 0), None);
        };
        let harness = egui_kittest::Harness::builder().with_size(size).build_ui(draw);
        let mut titles = 0;
        for shape in painted(&harness) {
            if let egui::Shape::Text(text) = shape
                && text.galley.text().contains("Workgroups")
            {
                assert!(!text.galley.elided, "{size}: {}", text.galley.text());
                titles += 1;
            }
        }
        assert_eq!(titles, count);
    }
}

#[test]
fn grids_do_not_overlap_and_cells_are_found_where_they_are_drawn() {
    let replay = replay();
    for size in [vec2(480.0, 560.0), vec2(900.0, 640.0), vec2(300.0, 900.0), vec2(1400.0, 400.0)] {
        let area = Rect::from_min_size(pos2(10.0, 20.0), size - vec2(0.0, text_height(&replay, size.x)));
        for (number, step) in replay.steps.iter().enumerate() {
            let layout = FigureLayout::new(area, &replay.steps, number, 1.0);
            for (index, place) in layout.grids.iter().enumerate() {
                assert!(area.expand(0.1).contains_rect(*place), "{size}: {place} of {area}");
                let over = layout.grids[..index].iter().find(|other| other.shrink(0.1).intersects(place.shrink(0.1)));
                assert!(over.is_none(), "{size}: {place} over {over:?}");
                let grid = &step.grids[index];
                for number in [0, 5, grid.cells.len() - 1] {
                    let middle = layout.cell(index, grid, number).center();
                    assert_eq!(layout.cell_at(step, middle), Some([index, number]), "{size}, {}", step.name);
                }
            }
        }
    }
}

/// Titles and further grids differ from step to step.
#[test]
fn grids_keep_their_places_from_step_to_step() {
    let mut replay = replay();
    replay.steps[1].grids[0].title += "; red: several pixels have this bucket, dark: one had it before";
    replay.steps.swap(0, 2);
    for size in [vec2(480.0, 560.0), vec2(900.0, 640.0), vec2(1400.0, 400.0)] {
        let area = Rect::from_min_size(pos2(10.0, 20.0), size);
        let layout = |number| FigureLayout::new(area, &replay.steps, number, 1.0).grids;
        let [most, two, one] = [0, 1, 2].map(layout);
        assert_eq!((most[..2].to_vec(), &most[..1]), (two, &one[..]), "{size}");
    }
}
