//! Checks of ray queries against a loop over all triangles, and against the shader's own traversal.

use super::{
    checks::{CastHit, DISTANCE, LIMITS, Ties, all_judged, cast, cast_by},
    scenes::{Soup, soups},
};
use crate::{
    Traversal,
    bvh::{Bvh, Form, ResidentBvh},
    bvh_request::BuildRequest,
    passes::hardware::Hardware,
    pipelines::Pipelines,
};
use gpu::{Feature, Gpu};
use lab::{Case, Effort, Property, TestBench, Verdict};
use std::sync::Arc;

pub(super) struct HardwareRays;

const FEW: u32 = 2;
/// Bound on the distance if both hit the same triangle or one that is as near: each may be off by [`DISTANCE`].
const BOUND: f64 = 2.0 * DISTANCE;

impl Property for HardwareRays {
    const NAME: &'static str = "hardware rays";
    type Input = Soup;
    type Output = (Vec<CastHit>, Vec<(&'static str, u32, Vec<CastHit>)>);

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Soup>> {
        let all = if gpu.has(Feature::RayQuery) { soups(effort == Effort::Full) } else { vec![] };
        all.into_iter().map(|soup| Case::new(soup.name, soup)).collect()
    }

    fn run(bench: &mut TestBench, soup: &Soup) -> anyhow::Result<Self::Output> {
        let built = Bvh::build(&soup.world, LIMITS).map_err(anyhow::Error::msg)?;
        let shader = cast(bench, &built, &soup.rays)?;
        let (pipelines, mut by_hardware) = (Pipelines::new(bench.gpu()), vec![]);
        let wake: crate::Wake = Arc::new(|| ());
        for (variant, wake) in [("hardware", None), ("hardware_texels", Some(&wake))] {
            let own = bench.run(|frame| ResidentBvh::new(frame, &built))?;
            let traversal = Traversal::Hardware;
            let asked = BuildRequest { world: &soup.world, wake, has_queues: true, traversal, limits: LIMITS };
            let (mut hardware, mut bvh, mut frames) = (Hardware::default(), None, 0);
            while bvh.is_none() && frames < 100 {
                bvh = bench.run(|frame| hardware.get(frame, &pipelines, &own, &asked, FEW))?;
                frames += 1;
            }
            let Some(bvh) = bvh else { anyhow::bail!("{variant}: not built after {frames} frames") };
            anyhow::ensure!(matches!(bvh.form(), Form::Hardware { .. }), "{variant}: {:?}", hardware.refusal());
            if variant == "hardware" || own.has_texels {
                by_hardware.push((variant, frames, cast_by(bench, &bvh, &soup.rays, variant, &[])?));
            }
        }
        Ok((shader, by_hardware))
    }

    fn verdict(soup: &Soup, (shader, by_hardware): &Self::Output) -> Verdict {
        let mut all = Verdict::that(!by_hardware.is_empty(), format!("{} rays", soup.rays.len()));
        for (variant, frames, found) in by_hardware {
            let other = |(a, b): &(&CastHit, &CastHit)| {
                let is_near = f64::from(a.t - b.t).abs() <= BOUND * f64::from(a.t.min(b.t)).max(1.0);
                (a.visibility == 0) != (b.visibility == 0) || !is_near
            };
            let [mut others, mut ties] = [0, 0];
            for both in shader.iter().zip(found) {
                others += usize::from(other(&both));
                ties += usize::from(!other(&both) && both.0.visibility != both.1.visibility);
            }
            let part = others as f64 / soup.rays.len() as f64;
            all = all
                .and(Verdict::that(true, format!("{variant}: built in {frames} frames, {ties} ties")))
                .and(all_judged(soup, found, Ties::ToAny))
                // Observed: worst 6e-4 (Mesa 25.0.7).
                .and_at_most("part that the shader sees elsewhere", part, soup.excused.min(2e-3));
        }
        all
    }
}
