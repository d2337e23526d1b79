//! Bounces whose hits are listed by material and shaded by the list.

use super::mask::{Bounces, SizeResources, Tracing, named, pass_of};
use crate::uniforms::{BouncePush, HITS, WORD, groups_of};
use base::timing::PassId;
use gpu::{Error, Frame, Result};

const TRACE: PassId = PassId::new("reflections/trace");
const SORT: PassId = PassId::new("reflections/sort");
const SHADE: PassId = PassId::new("reflections/shade");

impl SizeResources {
    pub fn record_sorted(&self, frame: &mut Frame, tracing: &Tracing<'_>, bounces: Bounces) -> Result<()> {
        let Tracing { pipelines, bvh, input, .. } = tracing;
        let missing = || Error::Pass { pass: TRACE.into(), problem: "there are no buffers for hits".into() };
        let hits = self.room.hits.as_ref().ok_or_else(missing)?;
        let plan = frame.data("reflections plan", &[self.plan])?;
        let mut seen = self.seen(&plan, tracing);
        self.mark(frame, pipelines, "mark", &plan, &seen)?;
        let ids = hits.ids.mip(0);
        seen.extend([("hit_ids", (&ids).into()), ("HitDistances", (&hits.distances).into())]);
        let (trace, shade) = (pipelines.hits(bvh.form())?, pipelines.shade_hits(tracing.kinds())?);
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
        self.resolve(frame, tracing)
    }
}
