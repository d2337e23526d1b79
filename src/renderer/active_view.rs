//! Active view and its placement.

use crate::{
    base::text,
    techniques::{self, ViewInfo},
};

/// Placement of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ViewPlacement {
    /// Instead of the picture.
    #[default]
    Full,
    /// Below the lens, refracted as the picture would be.
    Lens,
    /// Right of a line that can be dragged.
    Split,
}

/// A view of a technique, with its placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveView {
    /// Id of the technique.
    pub technique: &'static str,
    /// The view.
    pub view: ViewInfo,
    /// Its placement.
    pub place: ViewPlacement,
}

impl ActiveView {
    /// Looks up `technique/name`.
    ///
    /// # Errors
    /// Lists the existing names.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_and_refuses() {
        assert_eq!(ActiveView::find("mip_chain", "level", ViewPlacement::Lens).unwrap().view.name, "level");
        assert!(
            ActiveView::find("mip_chain", "levels", ViewPlacement::Full).unwrap_err().contains("expected one of level")
        );
        assert!(ActiveView::find("mips", "level", ViewPlacement::Full).unwrap_err().contains("mip_chain"));
    }
}
