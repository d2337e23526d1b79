//! Settings of the shading.

use technique::DrawnBy;

base::choices! {
    /// Order in which pixels are shaded; the picture is the same.
    pub enum By {
        /// As listed by the pixel sort: neighbouring threads shade the same material.
        List = "list" as "Sorted",
        /// In blocks of 8x4 pixels.
        Raster = "raster" as "Unsorted (8x4)",
    }
}

base::choices! {
    /// Tone curve from scene light to display values.
    pub enum Tone {
        /// A film-like S-curve, similar to AgX: bright colours fade to white.
        Film = "film",
        /// Narkowicz's fit of ACES: more contrast, stronger colours.
        Aces = "aces" as "ACES",
        /// Reinhard's curve on luminance: soft.
        Reinhard = "reinhard",
        /// Exposure only: values above white are clipped.
        None = "none" as "None (clip)",
    }
}

base::settings! {
    /// Shades materials and light from the visibility buffer.
    pub struct ShadeSettings {
        /// Order in which pixels are shaded; the picture is the same.
        by: By = By::List, choice, label "Shading order", when "scene.source=world";
        /// How expensive materials are: octaves of noise, wavelengths, layers of flakes, texture and reflection samples.
        weight: u32 = 1, range(1, 8), label "Material cost", when "scene.source=world";
        /// Cloud cover of the sky.
        clouds: f32 = 0.45, range(0.0, 1.0), group "Sky", when "scene.source=world";
        /// Dust in the air: a whiter sky, a redder low sun.
        dust: f32 = 1.0, range(0.0, 10.0), group "Sky", when "scene.source=world";
        /// How strongly distant things fade into the air, as light lost per kilometre.
        haze: f32 = 3.0, range(0.0, 100.0), unit "/km", group "Sky", when "scene.source=world";
        /// Brightness of the 3D scene, or of an HDR picture.
        exposure: f32 = 0.0, range(-6.0, 6.0), unit "EV", group "Picture";
        /// Tone curve from light to display values: of the 3D scene, or of an HDR picture.
        tone: Tone = Tone::Aces, choice, group "Picture", label "Tone curve";
        /// Hide banding from 8-bit colours with noise of half a step: of the 3D scene, or of an HDR picture.
        dither: bool = true, group "Picture";
    } internal {
        /// Whether exposure and tone curve are a dispatch or a draw; the picture is the same.
        tone_by: DrawnBy = DrawnBy::Auto;
        /// Shade each kind of material in its own pass, over the workgroups that contain it: for drivers whose branches do not skip code.
        split: Option<bool> = None;
    }
}

impl ShadeSettings {
    /// One shader for all kinds of material compiles sooner.
    pub fn of_picture(&self, is_first: bool) -> Self {
        if is_first { Self { split: Some(false), ..self.clone() } } else { self.clone() }
    }
}
