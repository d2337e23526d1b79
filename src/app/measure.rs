//! Measurements of a headless run: the same as the buttons of the panel's sections.

use super::failure::Failure;
use super::session::Session;
use super::text_table::Table;
use anyhow::{Result, anyhow};
use base::text::suggestion;
use glam::Vec2;
use gpu::{Frames, Image};
use lab::{Card, CardTable, Pareto, Progress};
use renderer::{FrameParams, Renderer};
use techniques::INFOS;

const BEFORE: u32 = 2;
const MOST: u32 = 100_000;

pub fn check(techniques: &[String]) -> Result<(), Failure> {
    let all = INFOS.iter().filter(|info| info.lab.measures.is_some()).map(|info| info.id);
    match techniques.iter().find(|technique| !all.clone().any(|id| id == technique.as_str())) {
        Some(technique) => {
            let hint = suggestion(technique, all);
            Err(Failure::bad(format!("--measure {technique}: there is no measurement of that name{hint}")))
        }
        None => Ok(()),
    }
}

pub fn run(
    renderer: &mut Renderer,
    frames: &mut Frames,
    session: &Session,
    target: &Image,
    technique: &str,
) -> Result<String> {
    let settings = &session.settings;
    let [width, height] = target.size();
    let lenses = session.lenses(Vec2::new(width as f32, height as f32));
    for number in 0..MOST {
        if number == BEFORE {
            renderer.measure(technique);
        }
        let mut frame = frames.begin()?;
        renderer.record(&mut frame, &FrameParams::of(settings, &lenses), &target.mip(0))?;
        frames.submit(frame)?;
        while let Some(timing) = frames.take_timing() {
            renderer.on_timing(&timing)?;
        }
        let all = renderer.measurements(settings);
        let Some(now) = all.into_iter().find(|one| one.id == technique) else { break };
        if let Some(why) = now.why_not.filter(|_| number == BEFORE) {
            return Err(Failure::failed(format!("--measure {technique}: {why}")).into());
        }
        if let Progress::Done { .. } = now.card.progress {
            return Ok(text(now.measures.label, &now.card));
        }
    }
    Err(anyhow!("--measure {technique}: it did not end"))
}

fn text(label: &str, card: &Card) -> String {
    let answer = card.answer.as_ref().map_or("", |answer| answer.text.as_str());
    let mut text = format!("{label}: {}\n{answer}\n", card.subject);
    for of in &card.tables {
        let title = if of.title.is_empty() { String::new() } else { format!("{}\n", of.title) };
        text += &format!("{title}{}\n", table_text(of));
    }
    text += &card.pareto.as_ref().and_then(Pareto::sentence).map_or(String::new(), |front| format!("{front}\n"));
    card.notes.iter().for_each(|note| text += &format!("{note}\n"));
    text
}

pub fn table_text(of: &CardTable) -> String {
    let heads: Vec<&str> = of.columns.iter().map(|column| column.name).collect();
    let mut table = Table::new(&heads);
    for row in &of.rows {
        table.row(std::iter::once(row.title.clone()).chain(row.cells.iter().map(|cell| cell.text.clone())));
    }
    table.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_ones_are_refused_in_words() {
        assert!(check(&["mip_chain".into(), "reflections".into()]).is_ok());
        let said = format!("{:?}", check(&["mip_chian".into()]).unwrap_err());
        assert!(said.contains("did you mean") && said.contains("mip_chain"), "{said}");
        assert!(check(&["meshlets".into()]).is_err(), "nothing is measured there");
    }
}
