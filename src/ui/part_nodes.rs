//! Accessibility nodes of a motif's pieces: texts, buttons, switches and sliders.

use super::UiAction;
use super::lens_nodes::bounds;
use egui::accesskit::{Action, ActionData, ActionRequest, Role, Toggled};
use egui::{Id, Rect, Ui, pos2};
use scene::motif::{Part, PartKind};

const STEP: f32 = 0.1;

pub fn show(root: &mut Ui, parts: &[Part], pixels_per_point: f32) -> Vec<UiAction> {
    parts.iter().filter_map(|part| node(root, part, pixels_per_point)).collect()
}

fn node(root: &mut Ui, part: &Part, pixels_per_point: f32) -> Option<UiAction> {
    let id = Id::new(("piece", part.piece));
    let [low, high] = [part.low, part.high].map(|at| at / pixels_per_point);
    // The parent of its node.
    root.new_child(egui::UiBuilder::new().id(id));
    let ctx = root.ctx();
    ctx.accesskit_node_builder(id, |node| {
        node.set_bounds(bounds(Rect::from_min_max(pos2(low.x, low.y), pos2(high.x, high.y))));
        match part.kind {
            // The text of a label is its value.
            PartKind::Text => node.set_value(part.name.as_str()),
            _ => node.set_label(part.name.as_str()),
        }
        node.set_role(match part.kind {
            PartKind::Text => Role::Label,
            PartKind::Button => Role::Button,
            PartKind::Switch(_) => Role::Switch,
            PartKind::Slider(_) => Role::Slider,
        });
        match part.kind {
            PartKind::Text => {}
            PartKind::Button => node.add_action(Action::Click),
            PartKind::Switch(is_on) => {
                node.set_toggled(if is_on { Toggled::True } else { Toggled::False });
                node.add_action(Action::Click);
            }
            PartKind::Slider(value) => {
                node.set_numeric_value((f64::from(value) * 100.0).round() / 100.0);
                node.set_min_numeric_value(0.0);
                node.set_max_numeric_value(1.0);
                node.set_numeric_value_step(f64::from(STEP));
                for action in [Action::SetValue, Action::Increment, Action::Decrement] {
                    node.add_action(action);
                }
            }
        }
    });
    let piece = part.piece;
    match part.kind {
        PartKind::Text => None,
        PartKind::Button | PartKind::Switch(_) => ctx
            .input(|input| input.has_accesskit_action_request(id, Action::Click))
            .then_some(UiAction::Operate { piece, to: None }),
        PartKind::Slider(value) => ctx.input(|input| {
            let count = |action| input.num_accesskit_action_requests(id, action) as f32;
            let by = STEP * (count(Action::Increment) - count(Action::Decrement));
            let set = input.accesskit_action_requests(id, Action::SetValue).find_map(|request| match request {
                ActionRequest { data: Some(ActionData::NumericValue(to)), .. } => Some(*to as f32),
                _ => None,
            });
            let to = set.unwrap_or(value + by);
            (to != value && to.is_finite()).then(|| UiAction::Operate { piece, to: Some(to.clamp(0.0, 1.0)) })
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::accesskit::TreeId;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;
    use glam::Vec2;

    #[test]
    fn pieces_are_read_and_operated() {
        let part = |piece, name: &str, kind| {
            let low = Vec2::new(20.0, 40.0 + 60.0 * piece as f32);
            Part { piece, name: name.to_owned(), low, high: low + Vec2::splat(40.0), kind }
        };
        let parts = [
            part(0, "Ice", PartKind::Text),
            part(1, "Q", PartKind::Button),
            part(2, "Torch", PartKind::Switch(true)),
            part(3, "Volume", PartKind::Slider(0.5)),
        ];
        let draw = move |root: &mut Ui, actions: &mut Vec<UiAction>| actions.extend(show(root, &parts, 2.0));
        let mut harness = Harness::builder().build_ui_state(draw, Vec::new());
        for name in ["Q", "Torch"] {
            harness.get_by_label(name).click_accesskit();
            harness.run();
        }
        let target_node = Id::new(("piece", 3_usize)).accesskit_id();
        let data = Some(ActionData::NumericValue(0.8));
        let asked = |action, data| {
            egui::Event::AccessKitActionRequest(ActionRequest { action, target_node, target_tree: TreeId::ROOT, data })
        };
        harness.event(asked(Action::Increment, None));
        harness.run();
        harness.event(asked(Action::SetValue, data));
        harness.run();
        let request = |piece, to| UiAction::Operate { piece, to };
        let wanted = [request(1, None), request(2, None), request(3, Some(0.6)), request(3, Some(0.8))];
        assert_eq!(*harness.state(), wanted);
        assert_eq!(harness.get_by_label("Ice").rect().min, pos2(10.0, 20.0));
    }
}
