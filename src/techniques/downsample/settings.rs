//! Settings of the downsampling.

base::choices! {
    /// How the picture is made smaller.
    pub enum Method {
        /// The pixel nearest to the middle of each result pixel.
        Nearest = "nearest",
        /// Linear between the four pixels nearest to the middle; at ratios above 2 it skips pixels.
        Bilinear = "bilinear",
        /// A spline through the sixteen pixels nearest to the middle; at ratios above 4 it skips pixels.
        Bicubic = "bicubic",
        /// Halved repeatedly by draws, with one framebuffer per level.
        RasterChain = "raster_chain",
        /// Halved repeatedly by vkCmdBlitImage.
        BlitChain = "blit_chain",
        /// Mean of all covered pixels, in a loop of a fragment shader.
        AreaFragment = "area_fragment",
        /// Mean of all covered pixels, in one compute dispatch; groups of threads share the work.
        AreaCompute = "area_compute",
        /// Read from the mip chain of the technique of that name (always in linear light).
        MipChain = "mip_chain",
        /// Mean of all covered pixels, from the summed-area table: the same cost at any ratio.
        Table = "table" as "Summed-area table",
        /// Mitchell-Netravali cubic filter, scaled with the ratio.
        Mitchell = "mitchell",
        /// Catmull-Rom cubic filter, scaled with the ratio.
        CatmullRom = "catmull_rom" as "Catmull-Rom",
        /// Windowed sinc filter with three lobes, scaled with the ratio.
        Lanczos3 = "lanczos3" as "Lanczos 3",
        /// Halved repeatedly with 13 bilinear reads: stable under motion, as used for bloom.
        Tap13 = "tap13" as "13 taps",
        /// Halved repeatedly with 5 bilinear reads: the downward half of the dual Kawase blur.
        Kawase = "kawase",
    }
}

impl Method {
    pub fn is_chain(self) -> bool {
        matches!(self, Self::RasterChain | Self::BlitChain | Self::Tap13 | Self::Kawase)
    }
}

base::choices! {
    /// What is averaged.
    pub enum Light {
        /// Linear light, in floats.
        Linear = "linear" as "Linear light",
        /// Encoded values as they are, in bytes, as the source article does.
        Encoded = "encoded" as "Encoded values",
    }
}

base::choices! {
    /// What is made smaller.
    pub enum Source {
        /// The picture under the glass.
        Picture = "picture" as "Background",
        /// Rings that get finer outwards, down to two pixels: patterns in the result that are finer than it can hold are aliasing.
        ZonePlate = "zone_plate",
    }
}

base::settings! {
    /// Downsampling by one of many methods; the views show the result, its error, and which pixels were read.
    pub struct DownsampleSettings {
        /// Downsampling method.
        method: Method = Method::AreaCompute, choice;
        /// Number of picture pixels per result pixel, along each side.
        ratio: u32 = 8, range(1, 64), powers_of_two, label "Reduction";
        /// Width and height of the result, instead of the ratio: any size up to the picture's. 0: use the ratio for that side.
        size: [u32; 2] = [0, 0], range(0, 16384), unit "px", label "Result size";
        /// Whether linear light or encoded (sRGB) values are averaged.
        light: Light = Light::Linear, choice, label "Averages";
        /// Picture to downsample.
        source: Source = Source::Picture, choice, label "Input";
    } internal {
        /// Let the texture sampler average pixels where that is exact (never on software drivers).
        hardware_filter: bool = true;
    }
}
