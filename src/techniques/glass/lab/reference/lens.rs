//! The complete lens: one pixel from outline to display value.

use super::blur::{Blurred, lod_from_sigma};
use super::glass::Glass;
use super::light::{Rim, absorbed, dither, glowing, left_outside, light_bevel, tone};
use super::luminance_adaptation::{gain, lean};
use super::optics::{Row, SHARP_SIGMA, Sight};
use super::outline::{Edge, band, coverage, edge};
use super::picture::{Level, Picture, encoded_from_linear};
use super::system::{System, highlighted};
use super::text_contrast::Shades;
use crate::settings::Blur;
use glam::{DVec2, Vec2, Vec3};

pub struct Below<'a> {
    picture: &'a Picture,
    blurred: Blurred<'a>,
    /// Over bright pictures, where it is another.
    blurred_light: Option<(Blurred<'a>, f64)>,
    pub shades: Option<Shades>,
}

impl Glass {
    pub fn edge(&self, point: Vec2) -> Edge {
        edge(&self.lenses, point.as_dvec2(), self.melt, self.magnify)
    }

    pub fn dropped(&self, point: Vec2) -> Edge {
        self.edge(point - Vec2::new(0.0, self.light.shadow.drop))
    }

    /// And the unit direction of its outline.
    pub fn sight(&self, e: &Edge) -> (Sight, DVec2) {
        let tilt = e.n.length();
        (self.optics.sight(e.d, e.bevel, tilt), e.n / tilt.max(1e-3))
    }

    /// Half a pixel further out than its middle it may still see the bevel.
    pub fn is_face(e: &Edge) -> bool {
        -e.d >= e.bevel + 0.5
    }

    /// No light of the rim either, which reaches further than a narrow bevel.
    pub fn is_plain(&self, e: &Edge) -> bool {
        Glass::is_face(e) && -e.d >= self.light.rim_reach()
    }

    pub fn row(&self, e: &Edge, sight: &Sight) -> Row {
        self.optics.row(sight, 1.0 - sight.offset * e.curl, self.frost)
    }
}

impl<'a> Below<'a> {
    pub fn new(picture: &'a Picture, glass: &Glass) -> Below<'a> {
        // Up to half a pixel no blur is read.
        let blurred = Blurred::new(picture, glass.blur, glass.frost.max(SHARP_SIGMA));
        // The system's glass reads that one from two levels.
        let light = glass.system.and_then(|system| system.frost_light);
        let blurred_light = light.map(|sigma| (Blurred::new(picture, Blur::Bicubic, sigma), sigma));
        Below { picture, blurred, blurred_light, shades: glass.ink.map(|ink| Shades::new(picture, glass, &ink)) }
    }

    /// `extra`: pixels of blur by the bevel; `bright`: 1 over a bright picture, 0 over a dark one.
    pub fn look(&self, place: Vec2, glass: &Glass, extra: f64, bright: f32) -> Vec3 {
        let dark = self.blurred.frosted(place, glass.frost, extra);
        let light = self.blurred_light.as_ref().map(|(blurred, sigma)| blurred.at(place, *sigma));
        light.map_or(dark, |light| dark.lerp(light, bright))
    }

    fn inside_system(&self, system: &System, glass: &Glass, frag: Vec2, e: &Edge) -> Vec3 {
        let (base, bright) = (frag + e.pull.as_vec2(), e.bright);
        if glass.is_plain(e) {
            let body = system.body_over(bright);
            return self.finished(body.through(self.look(base, glass, 0.0, bright)), base, frag, glass);
        }
        let open = system.opening(-e.d / e.bevel);
        let (sight, n) = glass.sight(e);
        let row = glass.row(e, &sight);
        let looks = row.looks.iter().map(|(x, weight)| {
            let place = base - (n * (sight.offset + x)).as_vec2();
            let look = self.look(place, glass, row.extra, bright);
            // Most of the look at the edge has less frost.
            let frost = 0.5 * glass.frost.max(system.frost_light.unwrap_or(0.0));
            let clear = self.picture.sample(place, lod_from_sigma(frost.hypot(row.extra) as f32));
            (*weight * look.lerp(clear, 0.8 * open), *weight)
        });
        let (sum, weights) = looks.fold((Vec3::ZERO, Vec3::ZERO), |all, look| (all.0 + look.0, all.1 + look.1));
        let through = system.body_over(bright).through_edge(sum / weights, self.picture.sample(base, 5.0), open);
        let seen = self.finished(through, base, frag, glass);
        highlighted(seen, n.as_vec2(), band(e.d, glass.light.rim_width.into()), &glass.light)
    }

    /// `base`: the place that is shown.
    fn finished(&self, c: Vec3, base: Vec2, frag: Vec2, glass: &Glass) -> Vec3 {
        glowing(self.shades.as_ref().map_or(c, |shades| shades.over(c, base)), frag, &glass.light)
    }

    /// Encoded; nothing where the picture stays. `frag`: the pixel's middle.
    pub fn shade(&self, glass: &Glass, frag: Vec2) -> Option<Vec3> {
        let e = glass.edge(frag);
        let cover = coverage(e.d);
        let left = if cover < 1.0 { left_outside(glass.dropped(frag).d, e.d, &glass.light) } else { 1.0 };
        if cover == 0.0 && left >= 1.0 {
            return None;
        }
        let outside = if cover < 1.0 { self.picture.sample(frag, 0.0) * left } else { Vec3::ZERO };
        let inside = if cover > 0.0 { self.inside(glass, frag, &e) } else { Vec3::ZERO };
        let light = outside * (1.0 - cover) + inside * cover;
        Some(dither(encoded_from_linear(light.clamp(Vec3::ZERO, Vec3::ONE)), frag))
    }

    /// Linear light.
    pub fn inside(&self, glass: &Glass, frag: Vec2, e: &Edge) -> Vec3 {
        if let Some(system) = &glass.system {
            return self.inside_system(system, glass, frag, e);
        }
        let (light, base) = (&glass.light, frag + e.pull.as_vec2());
        let bright = e.bright;
        let gain = gain(light.tone.adaptive, bright);
        if glass.is_plain(e) {
            let c = self.blurred.frosted(base, glass.frost, 0.0) * light.tone.body;
            return self.finished(tone(c, bright, &light.tone) * gain, base, frag, glass);
        }
        let (sight, n) = glass.sight(e);
        let row = glass.row(e, &sight);
        let (mut sum, mut weights) = (Vec3::ZERO, Vec3::ZERO);
        for (x, weight) in &row.looks {
            let place = base - (n * (sight.offset + x)).as_vec2();
            sum += *weight * self.blurred.frosted(place, glass.frost, row.extra);
            weights += *weight;
        }
        let c = sum / weights * absorbed(sight.surface.h as f32, light.tone.body);
        let seen = self.finished(tone(c, bright, &light.tone) * gain, base, frag, glass);
        // The rim mirrors from three quarters of the bevel outwards, level 4.
        let facing = n.as_vec2().dot(light.axis);
        let [band, companion] = light.rim_at(e.d, facing);
        let rim = Rim {
            outer: self.picture.sample(frag + (n * (0.75 * e.bevel)).as_vec2(), 4.0),
            facing,
            band,
            companion,
            lean: lean(light.tone.adaptive, bright),
        };
        light_bevel(seen, &rim, &sight.surface, glass.optics.eta, light)
    }
}

/// Display values.
pub fn render(picture: &Picture, glass: &Glass) -> Level {
    let below = Below::new(picture, glass);
    let mut out = picture.encoded.clone();
    for (at, texel) in (0..).zip(&mut out.texels) {
        let frag = glam::UVec2::new(at % out.size.x, at / out.size.x).as_vec2() + 0.5;
        *texel = below.shade(glass, frag).map_or(*texel, |c| c.clamp(Vec3::ZERO, Vec3::ONE));
    }
    out
}
