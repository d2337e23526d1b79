//! Test of every output of the technique list.

use super::program::{output_of, rendered, session_of, words};
use super::{WORLD, WORLD_SIZE};
use glam::UVec2;
use technique::FrameRead;
use techniques::INFOS;

/// Every output of every technique is made by a frame of a world or of a picture: elements and axes as described, and not all zeros.
#[test]
fn every_output_is_as_described() {
    let rich =
        "--set summed_area.every_frame=true --set glass.frost=8 --set glass.adaptive=1 --set particles.kind=motes";
    let sessions = ["scene.source=world", "scene.source=picture"].map(|source| {
        let line = format!("{WORLD} {rich} --set {source}");
        session_of(&words(&line)).0
    });
    let outputs: Vec<_> =
        INFOS.iter().flat_map(|info| info.outputs.iter().map(move |output| (info.id, output))).collect();
    let mut found: Vec<Option<FrameRead>> = outputs.iter().map(|_| None).collect();
    rendered(&sessions, UVec2::from_array(WORLD_SIZE.map(|n| n as u32)), |_, renderer, frame| {
        for ((technique, output), found) in outputs.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let made = output_of(renderer, technique, &output.example(0));
            *found = made.map(|made| made.read(frame)).transpose()?;
        }
        Ok(())
    });
    for ((technique, output), found) in outputs.iter().zip(found) {
        let name = format!("{technique}/{}", output.name);
        let array = found.unwrap_or_else(|| panic!("{name} is not made: {}", output.needs)).array().unwrap();
        assert!(output.elements.contains(&array.element), "{name}: {:?}", array.element);
        assert_eq!(array.shape.len(), output.shape.split(" x ").count(), "{name}: {:?}", array.shape);
        let count: usize = array.shape.iter().product();
        assert!(count > 0 && array.bytes.len() == count * array.element.bytes(), "{name}: {:?}", array.shape);
        assert!(array.bytes.iter().any(|byte| *byte != 0), "{name} is all zeros");
    }
}
