//! Blur methods of the frost.

use crate::choices;

choices! {
    /// How the frost blur is computed.
    pub enum Blur {
        /// The source's 9 by 9 box, stretched to the width of the frost: 81 taps.
        Box81 = "box81" as "81-tap box",
        /// One trilinear tap of the mip chain.
        Trilinear = "trilinear" as "Trilinear (1 tap)",
        /// Cubic B-splines on the two nearest mip levels: 8 taps.
        Bicubic = "bicubic" as "Bicubic (8 taps)",
        /// Dual Kawase: downsampling with 5 and upsampling with 8 taps, then one tap.
        Kawase = "kawase" as "Dual Kawase",
        /// One mip level is blurred around the lens beforehand, then read with a cubic B-spline of four taps.
        Preblur = "preblur" as "Pre-blur (4 taps)",
        /// Three boxes from summed-area tables around the lens beforehand: the same cost for any frost. Then one bilinear tap.
        Table = "table" as "Summed-area table",
    }
}
