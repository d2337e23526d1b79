//! Labels over the picture that say what of it is A and what is B.

use crate::pair_state::PairState;
use crate::view_labels;
use ab::PairLayout;
use egui::{Align2, Context, Rect, pos2};

/// Points between a label and the line of a split view, or the panel above.
const BESIDE: f32 = 10.0;

/// `line`: of a split view, points from the left.
pub(super) fn show(ctx: &Context, space: Rect, state: &PairState<'_>, line: Option<f32>) {
    let top = space.top() + 2.0;
    match (layout(state), line) {
        (PairLayout::Split(_), Some(x)) => {
            for (align, by, name) in [(Align2::RIGHT_TOP, -BESIDE, "A"), (Align2::LEFT_TOP, BESIDE, "B")] {
                view_labels::sign(ctx, space, pos2(x + by, top), align, name);
            }
        }
        (layout, _) => view_labels::sign(ctx, space, pos2(space.left(), top), Align2::LEFT_TOP, &name(layout, state)),
    }
}

/// A alone until B can be seen.
fn layout(state: &PairState<'_>) -> PairLayout {
    if state.is_ready && !state.awaits_step { state.layout } else { PairLayout::OnlyA }
}

fn name(layout: PairLayout, state: &PairState<'_>) -> String {
    match layout {
        PairLayout::OnlyA if layout != state.layout => "A, while B is being drawn".into(),
        PairLayout::OnlyA => "A".into(),
        PairLayout::OnlyB => "B".into(),
        PairLayout::Lens => "A; in the lens B".into(),
        PairLayout::Split(_) => "A | B".into(),
        PairLayout::Difference(gain) => match state.difference {
            Some(difference) if difference.numbers.max == 0 => "Difference of A and B: none".into(),
            _ => format!("Difference of A and B, times {gain:.0}"),
        },
    }
}
