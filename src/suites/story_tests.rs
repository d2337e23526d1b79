//! Tests of the story of a pixel on whole frames.

use ab::test_stage::{SIZE, Stage};
use gpu::test_gpu;
use media::array::Array;
use technique::{Step, StoryTexels};

fn story(stage: &Stage, texels: &StoryTexels, at: [u32; 2]) -> Vec<Step> {
    let (techniques, context) = stage.renderer.last_frame().unwrap();
    techniques.explain(&stage.settings, texels.pixel(context, at))
}

fn unequal(steps: &[Step]) -> (Vec<(&'static str, &'static str, &'static str)>, usize) {
    let compared = || {
        let facts = steps.iter().flat_map(|step| step.facts.iter().map(move |fact| (step, fact)));
        facts.filter_map(|(step, fact)| Some((step, fact, fact.verdict?)))
    };
    let wrong = compared().filter(|(.., verdict)| !verdict.equal);
    (wrong.map(|(step, fact, _)| (step.technique, step.name, fact.name)).collect(), compared().count())
}

fn texel_mut(array: &mut Array, [x, y]: [u32; 2]) -> &mut [u8] {
    let texel = array.shape.get(2).copied().unwrap_or(1) * array.element.bytes();
    let first = (y as usize * array.shape[1] + x as usize) * texel;
    &mut array.bytes[first..first + texel]
}

#[test]
fn wrong_numbers_are_noticed() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &["reflections.depth=0", "pixel_sort.deterministic=true"]);
    let mut evidence = stage.evidence(None);
    let (mut comparisons, mut solid) = (0, Vec::new());
    for at in (3..SIZE[1]).step_by(12).flat_map(|y| (3..SIZE[0]).step_by(12).map(move |x| [x, y])) {
        let steps = story(&stage, &evidence, at);
        let (wrong, count) = unequal(&steps);
        // Patterns and shadows have edges.
        let wrong: Vec<_> = wrong.into_iter().filter(|of| of.1 != "light before mirrors").collect();
        assert_eq!(wrong, [], "{at:?}");
        comparisons += count;
        let is_solid = steps.iter().any(|step| step.name == "material") && unequal(&steps).0.is_empty();
        let is_beside = steps.iter().flat_map(|step| &step.facts).any(|fact| fact.text == "shadow");
        solid.extend((is_solid && is_beside).then_some(at));
    }
    assert!(comparisons > 500 && solid.len() > 1, "{comparisons} comparisons, {} pixels of geometry", solid.len());
    let at = solid[solid.len() / 2];
    let cases = [
        ("meshlets", "ids", ("meshlets", "visibility", "id")),
        ("meshlets", "depth", ("meshlets", "depth", "depth")),
        ("shade", "before mirrors", ("shade", "light before mirrors", "light")),
        ("shade", "exposed", ("shade", "exposure and tone", "display value")),
        ("antialias", "resolved", ("antialias", "antialiasing", "light")),
        ("mip_chain", "level 0", ("mip_chain", "mip chain", "linear light, level 0")),
        ("glass", "picture", ("glass", "final value", "value")),
    ];
    for (technique, name, noticed) in cases {
        let array = evidence.arrays.get_mut(&(technique, name)).unwrap_or_else(|| panic!("{technique}/{name}"));
        let before = texel_mut(array, at).to_vec();
        // The highest byte of the first number: exponents and instances, and two bits of a byte.
        let last = array.element.bytes() - 1;
        texel_mut(array, at)[last] ^= if last == 0 { 0x48 } else { 0x08 };
        let (wrong, _) = unequal(&story(&stage, &evidence, at));
        assert!(wrong.contains(&noticed), "{technique}/{name}: {wrong:?}");
        texel_mut(evidence.arrays.get_mut(&(technique, name)).unwrap(), at).copy_from_slice(&before);
    }
    let entries = evidence.arrays.get_mut(&("pixel_sort", "entries")).unwrap();
    let own = (at[1] << 16 | at[0]).to_ne_bytes();
    let place = entries.bytes.chunks_exact(4).position(|entry| entry == own).unwrap();
    entries.bytes[4 * place..4 * place + 4].fill(0xFF);
    let (wrong, _) = unequal(&story(&stage, &evidence, at));
    assert!(wrong.contains(&("pixel_sort", "sorted list", "times listed")), "{wrong:?}");
    let entries = evidence.arrays.get_mut(&("pixel_sort", "entries")).unwrap();
    entries.bytes[4 * place..4 * place + 4].copy_from_slice(&own);
    texel_mut(&mut evidence.shown, at)[1] ^= 0x40;
    assert_eq!(unequal(&story(&stage, &evidence, at)).0, [("glass", "final value", "value")]);
}

#[test]
fn garbage_is_told_as_such() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &[]);
    let mut evidence = stage.evidence(None);
    for (fill, least) in [(0xFF, 3), (0x7E, 3), (0x00, 1)] {
        evidence
            .arrays
            .iter_mut()
            .filter(|((_, name), _)| *name != "frame" && *name != "scene" && *name != "choices")
            .for_each(|(_, array)| array.bytes.fill(fill));
        let (wrong, _) = unequal(&story(&stage, &evidence, [50, 28]));
        assert!(wrong.len() >= least, "{fill:#x}: {wrong:?}");
    }
    for array in evidence.arrays.values_mut() {
        (array.shape, array.bytes) = (vec![0, 0], Vec::new());
    }
    assert_eq!(unequal(&story(&stage, &evidence, [50, 28])).0, []);
}
