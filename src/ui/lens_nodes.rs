//! Accessibility nodes of the lenses: a group for each, with its numbers as sliders.
//!
//! They exist only while assistive technology reads the window. Without a focused widget the accessible focus is on
//! the selected lens, since keys apply to it.

use egui::accesskit::{Action, ActionData, ActionRequest, Node, Role, TreeUpdate};
use egui::{Context, EventFilter, Id, Key, Rect, Sense, Ui, UiBuilder};

use super::manipulator::LensPart;
use super::{UiAction, lens_menu};

/// Points, or degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LensNumber {
    pub part: LensPart,
    pub value: f32,
    pub range: [f32; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub struct LensNode {
    /// From the bottom.
    pub index: usize,
    pub is_selected: bool,
    pub rect: Rect,
    pub numbers: Vec<LensNumber>,
}

impl LensNode {
    fn id(index: usize) -> Id {
        Id::new(("lens", index))
    }

    fn title(&self) -> String {
        format!("Lens {}", self.index + 1)
    }

    fn sentence(&self) -> String {
        let one = |number: &LensNumber| format!("{} {:.0}", number.part.title(), number.value);
        self.numbers.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

pub fn show(root: &mut Ui, lenses: &[LensNode]) -> Vec<UiAction> {
    let is_read = root.ctx().accesskit_node_builder(root.unique_id(), |_| ()).is_some();
    let selected = lenses.iter().find(|lens| lens.is_selected).map(|lens| LensNode::id(lens.index));
    root.ctx().data_mut(|data| data.insert_temp(selected_id(), selected.filter(|_| is_read)));
    let mut actions = Vec::new();
    for lens in lenses.iter().filter(|_| is_read) {
        group(root, lens, &mut actions);
    }
    actions
}

fn selected_id() -> Id {
    Id::new("selected lens node")
}

/// Puts the accessible focus on the selected lens, unless a widget has it.
pub fn place_focus(ctx: &Context, update: &mut TreeUpdate) {
    let selected = ctx.data(|data| data.get_temp::<Option<Id>>(selected_id())).flatten().map(|id| id.accesskit_id());
    let is_free = ctx.memory(|memory| memory.focused().is_none());
    if let Some(selected) = selected.filter(|selected| is_free && update.nodes.iter().any(|(id, _)| id == selected)) {
        update.focus = selected;
    }
}

fn group(root: &mut Ui, lens: &LensNode, actions: &mut Vec<UiAction>) {
    let id = LensNode::id(lens.index);
    let ctx = root.ctx().clone();
    let ui = root.new_child(UiBuilder::new().id(id).max_rect(lens.rect));
    ctx.accesskit_node_builder(id, |node| {
        node.set_role(Role::Group);
        node.set_label(lens.title());
        node.set_value(lens.sentence());
        node.set_bounds(bounds(lens.rect));
        node.set_selected(lens.is_selected);
        for action in [Action::Click, Action::Focus, Action::ShowContextMenu] {
            node.add_action(action);
        }
    });
    let requested = |action| ctx.input(|input| input.has_accesskit_action_request(id, action));
    let has_menu = requested(Action::ShowContextMenu);
    if has_menu || requested(Action::Click) || requested(Action::Focus) {
        // Keys go to the lens then, and not to a widget.
        ctx.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
        actions.push(UiAction::Lens { index: lens.index, number: None });
    }
    if has_menu {
        lens_menu::open(&ctx, lens.rect.center());
    }
    for number in &lens.numbers {
        let to = slider(&ui, lens, number).map(|to| (number.part, to));
        actions.extend(to.map(|to| UiAction::Lens { index: lens.index, number: Some(to) }));
    }
}

fn slider(ui: &Ui, lens: &LensNode, number: &LensNumber) -> Option<f32> {
    let id = LensNode::id(lens.index).with(number.part.title());
    let ctx = ui.ctx();
    let response = ui.interact(lens.rect, id, Sense::focusable_noninteractive());
    let LensNumber { part, value, range: [least, most] } = *number;
    ctx.accesskit_node_builder(id, |node| {
        node.set_role(Role::Slider);
        node.set_label(format!("{} {}", lens.title(), part.title()));
        describe(node, number);
    });
    let mut to = value + step_by_keys(ctx, id, response.has_focus(), part);
    ctx.input(|input| {
        let count = |action| input.num_accesskit_action_requests(id, action) as f32;
        to += count(Action::Increment) - count(Action::Decrement);
        for request in input.accesskit_action_requests(id, Action::SetValue) {
            if let ActionRequest { data: Some(ActionData::NumericValue(value)), .. } = request {
                to = *value as f32;
            }
        }
    });
    (to != value && to.is_finite()).then(|| to.clamp(least, most.max(least)))
}

fn describe(node: &mut Node, number: &LensNumber) {
    let LensNumber { value, range: [least, most], .. } = *number;
    // More digits are long to hear.
    node.set_numeric_value((f64::from(value) * 100.0).round() / 100.0);
    node.set_min_numeric_value(f64::from(least));
    node.set_max_numeric_value(f64::from(most));
    node.set_numeric_value_step(1.0);
    node.add_action(Action::SetValue);
    if value < most {
        node.add_action(Action::Increment);
    }
    if value > least {
        node.add_action(Action::Decrement);
    }
}

/// Shift multiplies by ten.
fn step_by_keys(ctx: &Context, id: Id, has_focus: bool, part: LensPart) -> f32 {
    if !has_focus {
        return 0.0;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ctx.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    ctx.input(|input| {
        let count = |key| input.num_presses(key) as f32;
        let vertical = count(Key::ArrowUp) - count(Key::ArrowDown);
        // The y axis points down.
        let vertical = if part == LensPart::Y { -vertical } else { vertical };
        let steps = count(Key::ArrowRight) - count(Key::ArrowLeft) + vertical;
        if input.modifiers.shift { 10.0 * steps } else { steps }
    })
}

pub(super) fn bounds(rect: Rect) -> egui::accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    egui::accesskit::Rect { x0, y0, x1, y1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    struct World {
        lenses: Vec<LensNode>,
        actions: Vec<UiAction>,
    }

    fn lens(index: usize, is_selected: bool) -> LensNode {
        let number = |(part, value): (LensPart, f32)| LensNumber { part, value, range: [0.0, 500.0] };
        let values = [120.0 + 200.0 * index as f32, 90.0, 160.25, 80.0, 30.0];
        let numbers = LensPart::ALL.into_iter().zip(values).map(number).collect();
        let rect = Rect::from_center_size(pos2(values[0], values[1]), vec2(160.0, 80.0));
        LensNode { index, is_selected, rect, numbers }
    }

    fn harness() -> Harness<'static, World> {
        let world = World { lenses: vec![lens(0, false), lens(1, true)], actions: Vec::new() };
        let draw = |root: &mut Ui, world: &mut World| {
            world.actions.extend(show(root, &world.lenses));
            let button = root.put(Rect::from_min_size(pos2(10.0, 300.0), vec2(80.0, 20.0)), egui::Button::new("panel"));
            button.clicked();
        };
        Harness::builder().with_size([640.0, 400.0]).build_ui_state(draw, world)
    }

    #[test]
    fn keys_step_the_focused_number() {
        let mut harness = harness();
        harness.get_by_label("Lens 2 from the top").focus();
        harness.run();
        harness.key_press(Key::ArrowDown);
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::SHIFT, Key::ArrowLeft);
        harness.run();
        let place = |to| UiAction::Lens { index: 1, number: Some((LensPart::Y, to)) };
        assert_eq!(harness.state().actions, [place(91.0), place(80.0)]);
        assert!(harness.get_by_label("Lens 2 from the top").is_focused(), "arrows do not move the focus");
    }

    fn tree(ctx: &Context, lenses: &[LensNode], is_focused: bool) -> Option<TreeUpdate> {
        let mut output = ctx.run_ui(egui::RawInput::default(), |root| {
            show(root, lenses);
            let widget = root.button("panel");
            if is_focused {
                widget.request_focus();
            }
        });
        output.textures_delta.clear();
        let mut update = output.platform_output.accesskit_update?;
        place_focus(ctx, &mut update);
        Some(update)
    }

    #[test]
    fn the_focus_is_on_the_selected_lens_unless_a_widget_has_it() {
        let ctx = Context::default();
        assert!(tree(&ctx, &[lens(0, true)], false).is_none(), "nothing reads it");
        ctx.enable_accesskit();
        let name = |update: &TreeUpdate| {
            let focused = update.nodes.iter().find(|(id, _)| *id == update.focus);
            focused.and_then(|(_, node)| node.label().map(str::to_owned))
        };
        let lenses = [lens(0, false), lens(1, true)];
        let update = tree(&ctx, &lenses, false).unwrap();
        assert_eq!(name(&update).as_deref(), Some("Lens 2"));
        assert_ne!(tree(&ctx, &[], false).unwrap().focus, update.focus, "no lens");
        tree(&ctx, &lenses, true);
        assert_eq!(name(&tree(&ctx, &lenses, true).unwrap()).as_deref(), Some("panel"));
    }
}
