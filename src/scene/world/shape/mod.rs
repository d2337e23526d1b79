//! Procedural surfaces: grids over two parameters, lathed profiles, blocks, tubes, leaves.

mod extruded;
mod implicit;
mod lathe;
mod leaves;
mod surface;
pub(super) use surface::spline;
pub use surface::{Cells, Shape, grid};

pub use extruded::{arch, block, block_of};
pub use implicit::implicit;
pub use lathe::{disc, ellipsoid, fluted, knot, lathe, ring, superellipsoid};
pub use leaves::crown;
