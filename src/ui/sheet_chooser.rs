//! Settings that the rows of a sheet choose.

use base::settings::{AnySettings, FieldKind, Named};
use lab::CardRow;

pub(super) struct Chooser<'a> {
    settings: &'a mut dyn AnySettings,
    field: Option<usize>,
    choices: &'static [Named],
}

impl<'a> Chooser<'a> {
    pub fn new(settings: &'a mut dyn AnySettings, chooses: &str) -> Self {
        let field = settings.index_of(chooses);
        let choices = match field.map(|index| settings.fields()[index].kind) {
            Some(FieldKind::Choice(choices)) => choices,
            _ => &[],
        };
        Self { settings, field, choices }
    }

    /// `None` if it sets none or an unknown one.
    fn sets(&self, row: &CardRow) -> Option<Vec<(usize, toml::Value)>> {
        let known = self.choices.iter().any(|choice| choice.name == row.name);
        let own = self.field.filter(|_| known).map(|index| (index, toml::Value::from(row.name.as_str())));
        if own.is_none() && self.field.is_some() {
            return None;
        }
        let more = row.sets.iter().map(|(name, value)| Some((self.settings.index_of(name)?, value.clone())));
        let all: Vec<_> = own.map(Some).into_iter().chain(more).collect::<Option<_>>()?;
        (!all.is_empty()).then_some(all)
    }

    pub fn can_choose(&self, row: &CardRow) -> bool {
        self.sets(row).is_some()
    }

    pub fn is_chosen(&self, row: &CardRow) -> bool {
        self.sets(row).is_some_and(|sets| sets.iter().all(|(index, value)| self.settings.value(*index) == *value))
    }

    pub fn table(&self, row: &CardRow) -> toml::Table {
        let name = |index: usize| self.settings.fields()[index].name.to_owned();
        self.sets(row).unwrap_or_default().into_iter().map(|(index, value)| (name(index), value)).collect()
    }

    pub fn choose(&mut self, row: &CardRow) -> Vec<&'static str> {
        let mut changed = Vec::new();
        for (index, value) in self.sets(row).unwrap_or_default() {
            if self.settings.value(index) != value && self.settings.set(index, &value).is_ok() {
                changed.push(self.settings.fields()[index].name);
            }
        }
        changed
    }
}
