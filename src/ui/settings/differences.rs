//! Marks of settings that differ between A and B.

use super::super::theme;
use egui::{Align2, Context, FontId, Id, Rect, Ui, pos2};
use std::{collections::BTreeMap, sync::Arc};
use technique::Section;
use techniques::Settings;

/// Value of B by section and field, where it differs.
type Differences = Arc<BTreeMap<(&'static str, &'static str), String>>;

fn id() -> Id {
    Id::new("differences of A and B")
}

/// Call it before the panels of a frame.
pub fn begin(ctx: &Context, sections: &[Section<'_>], b: Option<&Settings>) {
    let Some(b) = b else {
        return ctx.data_mut(|data| data.remove::<Differences>(id()));
    };
    let mut b = b.clone();
    let (others, mut all) = (b.sections(), BTreeMap::new());
    for own in sections {
        let Some(other) = others.iter().find(|other| other.id == own.id) else { continue };
        for (index, field) in own.settings.fields().iter().enumerate().filter(|(_, field)| field.is_setting()) {
            let value = other.settings.value(index);
            if own.settings.value(index) != value {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                all.insert((own.id, field.name), text);
            }
        }
    }
    ctx.data_mut(|data| data.insert_temp::<Differences>(id(), Arc::new(all)));
}

pub fn count(ctx: &Context) -> usize {
    ctx.data(|data| data.get_temp::<Differences>(id())).map_or(0, |all| all.len())
}

pub(super) fn value_of_b(ctx: &Context, section: &str, field: &str) -> Option<String> {
    let all = ctx.data(|data| data.get_temp::<Differences>(id()))?;
    all.iter().find(|((own, name), _)| *own == section && *name == field).map(|(_, value)| value.clone())
}

pub(super) fn mark(ui: &Ui, row: Rect, section: &str, field: &str) -> bool {
    let differs = value_of_b(ui.ctx(), section, field).is_some();
    if differs {
        let at = pos2(row.left() - 7.0, row.center().y);
        ui.painter().text(at, Align2::CENTER_CENTER, "B", FontId::proportional(9.5), theme::WARN);
    }
    differs
}
