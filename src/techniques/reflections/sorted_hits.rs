//! Bounces whose hits are sorted: rays are traced, the pixels that hit something are listed by material, and shaded by the list.

use super::{
    bvh::ResidentBvh,
    passes::{Bounces, MirrorInput, SizeResources, named, pass_of},
    pipelines::Pipelines,
    uniforms::{BouncePush, HITS, WORD, groups_of},
};
use crate::{
    base::timing::PassId,
    gpu::{Error, Frame, Result},
};

/// Pass that finds what the rays of a bounce hit.
const TRACE: PassId = PassId::new("reflections/trace");
/// Pass that sorts the hits.
const SORT: PassId = PassId::new("reflections/sort");
/// Pass that shades them.
const SHADE: PassId = PassId::new("reflections/shade");

impl SizeResources {
    /// All bounces, into the light.
    pub fn record_sorted(
        &self,
        frame: &mut Frame,
        pipelines: &Pipelines,
        bvh: &ResidentBvh,
        input: &MirrorInput<'_>,
        bounces: Bounces,
    ) -> Result<()> {
        let missing = || Error::Pass { pass: TRACE.into(), problem: "there are no buffers for hits".into() };
        let hits = self.room.hits.as_ref().ok_or_else(missing)?;
        let plan = frame.data("reflections plan", &[self.plan])?;
        let mut seen = self.seen(&plan, bvh, input);
        self.mark(frame, pipelines, "mark", &plan, &seen)?;
        let ids = hits.ids.mip(0);
        seen.extend([("hit_ids", (&ids).into()), ("HitDistances", (&hits.distances).into())]);
        let (trace, shade) = (pipelines.hits(bvh.form())?, pipelines.shade_hits(input.shaded.around.kinds)?);
        for bounce in 0..self.plan.depth {
            let name = |pass: PassId| if bounces == Bounces::Apart { pass_of(bounce) } else { pass.into() };
            let push = BouncePush { bounce };
            let groups = groups_of(self.plan.words.div_ceil(HITS / WORD));
            named(frame.compute(name(TRACE), &trace), &seen).push(&push).dispatch_groups(groups)?;
            let list = input.lists.list(frame, &name(SORT), &ids, &input.world.material_of)?;
            let pass = named(frame.compute(name(SHADE), &shade), &seen).push(&push);
            let pass = pass.bind("Entries", &list.entries).bind("Arguments", &list.arguments);
            pass.dispatch_indirect(&list.arguments, list.arguments_at)?;
        }
        self.resolve(frame, pipelines, input)
    }
}
