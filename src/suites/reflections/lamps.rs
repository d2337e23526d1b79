//! Check of lamps in mirrors: rays of a traced mirror find lanterns themselves, so their highlights are removed from it. Lights of files
//! have no geometry that a ray could hit: their highlights stay.

use super::scene::{MirrorScene, color, instance, shading, with_each_work};
use glam::Vec3;
use gpu::Gpu;
use lab::{Case, Effort, Property, TestBench, Verdict};
use reflections::{ReflectionsSettings, Work, lab::coated_balls};
use scene::world::{Lamp, LampKind, World};

/// The sky's map shows highlights of a lamp without geometry on every ball, traced mirrors only on rough surfaces.
pub(super) struct Lamps;

impl Property for Lamps {
    const NAME: &'static str = "lamps";
    /// How the work is found, bounces, and the kind of lamp.
    type Input = (Work, u32, LampKind);
    /// By ball: the lamp's largest contribution to a pixel, and the mean.
    type Output = [[f64; 2]; 3];

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let kinds = [LampKind::Lantern, LampKind::Point];
        let inputs =
            with_each_work(&[0, 2]).into_iter().flat_map(|(work, depth)| kinds.map(|kind| (work, depth, kind)));
        let named =
            |input: Self::Input| Case::new(format!("{}, {} bounces, {:?}", input.0.name(), input.1, input.2), input);
        inputs.map(named).collect()
    }

    fn run(bench: &mut TestBench, (work, depth, kind): &Self::Input) -> anyhow::Result<Self::Output> {
        let night = Vec3::new(-0.5, -0.3, 0.5).normalize();
        let lamp = Lamp { kind: *kind as u32, ..Lamp::lantern(Vec3::new(0.0, 4.0, 3.0), 20.0, Vec3::splat(2.0)) };
        let settings = ReflectionsSettings { depth: *depth, work: *work, ..Default::default() };
        let mut looks = vec![];
        for lamps in [vec![], vec![lamp]] {
            let world = World { lamps, ..coated_balls() };
            let mut scene = MirrorScene::new(bench, world, [321, 121])?.lit(shading(), night);
            let light = scene.light::<[u16; 4]>(bench, &settings)?;
            let ids = bench.read::<u32>(&scene.ids)?.into_iter().map(|id| instance(&scene, id));
            looks.push(ids.zip(light).collect::<Vec<_>>());
        }
        let (mut found, mut pixels) = ([[0.0_f64; 2]; 3], [0; 3]);
        for ((ball, dark), (_, lit)) in looks[0].iter().zip(&looks[1]) {
            let Some(ball) = ball.filter(|ball| *ball < 3) else { continue };
            let more = (color(*lit) - color(*dark)).max_element();
            anyhow::ensure!(more.is_finite(), "light is no number");
            found[ball][0] = found[ball][0].max(more);
            found[ball][1] += more;
            pixels[ball] += 1;
        }
        anyhow::ensure!(pixels.iter().all(|count| *count > 500), "balls of {pixels:?} pixels");
        Ok([0, 1, 2].map(|ball| [found[ball][0], found[ball][1] / f64::from(pixels[ball])]))
    }

    fn verdict((_, depth, kind): &Self::Input, [matt, mirror, dull]: &Self::Output) -> Verdict {
        // Observed: at least 4.6e-3, 0.027 and 2.0 where they are shown, at most 7e-4 and 4.3e-3 where not (Mesa 25.0.7).
        let rough = Verdict::at_least("on rough metal, mean", dull[1], 3e-3);
        if *depth == 0 || *kind == LampKind::Point {
            rough.and(Verdict::at_least("on a coat, most", matt[0], 0.02)).and(Verdict::at_least(
                "on a mirror, most",
                mirror[0],
                1.0,
            ))
        } else {
            rough.and_at_most("on a coat, most", matt[0], 3e-3).and_at_most("on a mirror, most", mirror[0], 0.01)
        }
    }
}
