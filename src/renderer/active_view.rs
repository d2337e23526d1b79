//! Active view and its placement.

use base::text;
use serde::{Deserialize, Serialize};
use technique::ViewInfo;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewPlacement {
    #[default]
    Full,
    Lens,
    Split,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveView {
    pub technique: &'static str,
    pub view: ViewInfo,
    pub place: ViewPlacement,
}

impl ActiveView {
    pub fn find(technique: &str, name: &str, place: ViewPlacement) -> Result<Self, String> {
        let info = techniques::typed_info(technique)?;
        let names = info.views.iter().map(|view| view.name);
        let view = info.views.iter().find(|view| view.name == name).ok_or_else(|| {
            let known = names.clone().collect::<Vec<_>>().join(", ");
            format!("{technique} has no view {name:?}; expected one of {known}{}", text::suggestion(name, names))
        })?;
        Ok(Self { technique: info.id, view: *view, place })
    }
}
