//! Command line that reproduces the current settings.

use super::shell_quotes;
use base::system::System;
use glam::Vec2;
use renderer::{ActiveView, ViewPlacement};
use scene::Source;
use techniques::Settings;
use ui::OpenFiles;

/// Quoted for the shell of `system`.
pub fn command_line(
    settings: &Settings,
    view: Option<ActiveView>,
    files: &OpenFiles,
    lens_px: Option<Vec2>,
    system: System,
) -> String {
    let quoted = |word: &str| shell_quotes::quoted(word, system);
    let mut words = vec!["meniscus".to_owned(), "window".into()];
    let shows_world = settings.scene.source == Source::World;
    let file = if shows_world { &files.world } else { &files.picture };
    if let Some(file) = file {
        words.extend([if shows_world { "--scene" } else { "--image" }.into(), quoted(file)]);
    }
    let mut now = settings.clone();
    let mut base = Settings::default();
    if now.glass.preset != base.glass.preset {
        let preset = format!("glass.preset={}", now.glass.preset.name());
        base = base.with_arguments(&[&preset]);
        words.extend(["--set".into(), preset]);
    }
    for (now, base) in now.sections().into_iter().zip(base.sections()) {
        for (index, field) in now.settings.fields().iter().enumerate() {
            let is_told = now.id == "scene" && field.name == "source" && file.is_some();
            if now.settings.value(index) != base.settings.value(index) && !is_told {
                let value = now.settings.value(index);
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                words.extend(["--set".into(), quoted(&format!("{}.{}={value}", now.id, field.name))]);
            }
        }
    }
    if let Some(view) = view {
        let place = match view.place {
            ViewPlacement::Full => "full",
            ViewPlacement::Lens => "lens",
            ViewPlacement::Split => "split",
        };
        words.extend(["--view".into(), quoted(&format!("{}/{}@{place}", view.technique, view.view.name))]);
    }
    if let Some(at) = lens_px {
        words.extend(["--lens".into(), quoted(&format!("{:.0},{:.0}", at.x, at.y))]);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Task, parse};
    use crate::session::Session;
    use base::settings::parse_set;

    #[test]
    fn copied_commands_reproduce_the_settings() {
        let mut settings = Settings::default();
        let sets = "glass.preset=prism glass.ior=1.5 glass.frost=3.25 glass.tint=[0.5,1.0,0.25] scene.source=picture \
                    scene.drift=off mip_chain.method=ladder downsample.size=[320,200] display.frames_in_flight=3";
        sets.split_whitespace().for_each(|set| settings.lay(parse_set(set).unwrap()).unwrap());
        let view = ActiveView::find("glass", "distance", ViewPlacement::Split).ok();
        let line = command_line(&settings, view, &OpenFiles::default(), Some(Vec2::new(320.4, 99.6)), System::Linux);
        assert!(
            line.starts_with("meniscus window --set glass.preset=prism ") && line.contains("--lens 320,100"),
            "{line}"
        );
        assert!(
            line.contains("'glass.tint=[0.5, 1.0, 0.25]'") && line.contains("--view glass/distance@split"),
            "{line}"
        );
        let mut words: Vec<String> = vec![String::new()];
        let mut is_quoted = false;
        for letter in line.chars() {
            match letter {
                '\'' => is_quoted = !is_quoted,
                ' ' if !is_quoted => words.push(String::new()),
                letter => words.iter_mut().last().unwrap().push(letter),
            }
        }
        let Ok(Task::Window(common, look)) = parse(words.into_iter().map(Into::into)) else { panic!("{line}") };
        let session = Session::new(&common, &look).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(session.settings, settings, "{line}");
        assert_eq!(session.shown, view);
    }

    #[test]
    fn words_with_signs_are_quoted() {
        let files = OpenFiles { picture: Some("my photo.png".into()), ..OpenFiles::default() };
        let mut settings = Settings::default();
        settings.scene.source = Source::Picture;
        assert_eq!(
            command_line(&settings, None, &files, None, System::Linux),
            "meniscus window --image 'my photo.png'"
        );
        let on_windows = command_line(&settings, None, &files, Some(Vec2::new(320.0, 100.0)), System::Windows);
        assert_eq!(on_windows, r#"meniscus window --image "my photo.png" --lens "320,100""#);
    }
}
