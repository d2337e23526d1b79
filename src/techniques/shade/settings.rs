//! Settings of the shading.

crate::choices! {
    /// In which order pixels are shaded; the picture is the same.
    pub enum By {
        /// As the sorted list has them: neighbours have the same meshlet, so the same material.
        List = "list",
        /// By blocks of 8x4 pixels.
        Raster = "raster",
    }
}

crate::choices! {
    /// When each kind of material has a pass of its own.
    pub enum Split {
        /// On a software driver.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never: one pass, with a branch for each kind.
        Off = "off",
    }
}

crate::choices! {
    /// From light to what a display can show.
    pub enum Tone {
        /// An S-curve like film's, in the manner of AgX: bright colours fade to white.
        Film = "film",
        /// Narkowicz's fit of ACES: more contrast, stronger colours.
        Aces = "aces",
        /// Reinhard's curve on luminance: soft.
        Reinhard = "reinhard",
        /// Nothing but the exposure: what is brighter than white is cut.
        None = "none",
    }
}

crate::settings! {
    /// Materials and light, from the visibility buffer.
    pub struct ShadeSettings {
        /// In which order pixels are shaded; the picture is the same.
        by: By = By::List, choice;
        /// How much work materials do: octaves of noise, wavelengths, layers of flakes, looks at textures and mirrors.
        weight: u32 = 1, range(1, 8);
        /// A pass for each kind of material, over the workgroups that have it: for drivers whose branches do not skip code.
        split: Split = Split::Auto, choice;
        /// Part of the sky under clouds.
        clouds: f32 = 0.45, range(0.0, 1.0), group "Sky";
        /// Dust in the air: a whiter sky, a redder low sun.
        dust: f32 = 1.0, range(0.0, 10.0), group "Sky";
        /// Light that is lost in the air on each kilometre, on the way to the eye.
        haze: f32 = 3.0, range(0.0, 100.0), unit "/km", group "Sky";
        /// Brightness of the picture.
        exposure: f32 = 0.0, range(-6.0, 6.0), unit "EV", group "Picture";
        /// From light to what a display can show.
        tone: Tone = Tone::Aces, choice, group "Picture";
        /// Hide the steps of 8 bits below a grain of half a step.
        dither: bool = true, group "Picture";
    }
}
