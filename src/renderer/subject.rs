//! Size and state of the displayed content, as text.

use scene::Source;
use techniques::Settings;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorldState {
    pub size: [u32; 2],
    pub mirrors: Option<f32>,
    pub moves: bool,
}

/// Pixels. `has_file`: of a picture, and of a world.
pub(super) fn subject(settings: &Settings, size: [u32; 2], has_file: [bool; 2], world: Option<WorldState>) -> String {
    let [width, height] = size;
    let named = |is_file: bool, built_in: String| if is_file { "a file".to_owned() } else { built_in };
    let Some(WorldState { size: drawn, mirrors, moves }) = world.filter(|_| settings.scene.source == Source::World)
    else {
        return format!("{width} x {height} px, picture: {}", named(has_file[0], settings.scene.motif.title()));
    };
    let mut text = format!("{width} x {height} px, scene: {}", named(has_file[1], settings.scene.place.title()));
    if drawn != size {
        text += &format!(" drawn with {} x {} px", drawn[0], drawn[1]);
    }
    text += match mirrors {
        None => ", mirrors off",
        Some(part) if part < 1.0 => ", mirrors with fewer pixels",
        Some(_) => "",
    };
    text + if moves { ", camera moves" } else { ", camera at rest" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_state_are_named() {
        let mut settings = Settings::default();
        settings.scene.source = Source::Picture;
        let (size, world) = ([1280, 720], WorldState { size: [427, 240], mirrors: None, moves: true });
        assert_eq!(subject(&settings, size, [false; 2], Some(world)), "1280 x 720 px, picture: Dusk");
        assert_eq!(subject(&settings, size, [true, false], None), "1280 x 720 px, picture: a file");
        settings.scene.source = Source::World;
        let said = subject(&settings, size, [false; 2], Some(world));
        assert_eq!(said, "1280 x 720 px, scene: Court drawn with 427 x 240 px, mirrors off, camera moves");
        let rest = WorldState { size, mirrors: Some(1.0), moves: false };
        assert_eq!(subject(&settings, size, [false, true], Some(rest)), "1280 x 720 px, scene: a file, camera at rest");
    }
}
