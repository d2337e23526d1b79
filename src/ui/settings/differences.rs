//! Marks of settings that differ between A and B.

use crate::pair_state::PairState;
use crate::theme;
use egui::{Align2, Context, Id, Rect, Ui, pos2};
use std::sync::Arc;
use technique::Section;

/// Name of the side that is not edited, and the sections and fields in which it differs.
type Differences = Arc<(&'static str, Vec<(&'static str, &'static str)>)>;

fn id() -> Id {
    Id::new("differences of A and B")
}

/// Call it before the panels of a frame.
pub fn begin(ctx: &Context, sections: &[Section<'_>], pair: Option<&PairState<'_>>) {
    let Some(pair) = pair else {
        return ctx.data_mut(|data| data.remove::<Differences>(id()));
    };
    let mut other = pair.other.clone();
    let (others, mut all) = (other.sections(), Vec::new());
    for own in sections {
        let Some(other) = others.iter().find(|other| other.id == own.id) else { continue };
        for (index, field) in own.settings.fields().iter().enumerate().filter(|(_, field)| field.is_setting()) {
            if own.settings.value(index) != other.settings.value(index) {
                all.push((own.id, field.name));
            }
        }
    }
    ctx.data_mut(|data| data.insert_temp::<Differences>(id(), Arc::new((pair.names()[1], all))));
}

fn get(ctx: &Context) -> Option<Differences> {
    ctx.data(|data| data.get_temp(id()))
}

pub fn count(ctx: &Context) -> usize {
    get(ctx).map_or(0, |all| all.1.len())
}

pub(super) fn mark(ui: &Ui, row: Rect, section: &str, field: &str) -> bool {
    let all = get(ui.ctx()).filter(|all| all.1.contains(&(section, field)));
    if let Some(all) = &all {
        let at = pos2(row.left() - 7.0, row.center().y);
        ui.painter().text(at, Align2::CENTER_CENTER, all.0, theme::font(theme::SMALL), theme::WARN);
    }
    all.is_some()
}
