//! Steps of the rays: outline, cross-section, refraction, footprint, looks.

use super::{
    displacement::displacement,
    region::{COLORS, NORMAL_LINE, OUTLINE, PIXEL, Region, bytes, lit, numbers, words},
    subject::Subject,
};
use crate::lab::reference::Glass;
use crate::lab::reference::cross_section::{CrossSection, RayPencil};
use crate::lab::reference::lens::Below;
use crate::lab::reference::optics::SHARP_SIGMA;
use crate::lab::reference::outline::{Edge, Lens, coverage, edge};
use crate::lab::reference::picture::Picture;
use glam::{DVec2, Vec3};
use technique::{Cell, Drawing, Form, Grid, ReplayStep, Role};

const ABOVE: [usize; 2] = [60, 36];
const CUT: [usize; 2] = [48, 26];
const LOOKS: [usize; 2] = [36, 22];

const QUIET: [u8; 3] = [150, 158, 176];

/// Beside the glass the outline alone.
pub(super) fn steps(subject: &Subject<'_>, glass: &Glass, below: &Below<'_>) -> Vec<ReplayStep> {
    let e = glass.edge(subject.frag);
    let mut steps = vec![outline(subject, glass, &e)];
    if coverage(e.d) == 0.0 {
        return steps;
    }
    let pencil = RayPencil::new(subject.settings, subject.lenses, subject.scale);
    if let Some(section) = pencil.at(subject.frag) {
        let (cut, picture) = (Cut::new(&section), subject.picture);
        steps.extend([cut.surface(picture), cut.refraction(picture), cut.colors(picture), cut.footprint(picture)]);
        steps.extend(looks(subject, glass, below, &section));
    } else if glass.system.is_some() {
        steps.push(displacement(glass, &e));
    }
    steps
}

fn outline(subject: &Subject<'_>, glass: &Glass, e: &Edge) -> ReplayStep {
    let at = subject.frag.as_dvec2();
    let nearest = glass.lenses.iter().min_by(|a, b| {
        let distance = |lens: &Lens| lens.edge(at, glass.magnify).d;
        distance(a).total_cmp(&distance(b))
    });
    let (middle, reach) = nearest.map_or((at, 100.0), |lens| (lens.center, lens.half.max_element()));
    let wide = (2.6 * reach).max(2.2 * (at - middle).abs().max_element() * ABOVE[0] as f64 / ABOVE[1] as f64);
    let region = Region::around(middle, wide, ABOVE);
    let distance = |place: DVec2| edge(&glass.lenses, place, glass.melt, glass.magnify);
    let mut grid = region.of_picture("The lens from above, over the picture", subject.picture);
    grid.drawings = region.contour(|place| distance(place).d, Form::Line(2.0), OUTLINE);
    let inner = |place: DVec2| {
        let e = distance(place);
        e.d + e.bevel
    };
    grid.drawings.extend(region.contour(inner, Form::Dashed(1.2), OUTLINE));
    let way = if e.n.length() > 1e-6 { e.n.normalize() } else { DVec2::X };
    if e.d.abs() < wide {
        let on_edge = region.place(at - way * e.d);
        grid.drawings.push(Drawing::new(Form::Line(1.4), vec![region.place(at), on_edge], NORMAL_LINE));
    }
    grid.drawings.push(Drawing::new(Form::Dot(3.5), vec![region.place(at)], PIXEL).labeled("pixel"));
    let sentence = match (coverage(e.d) > 0.0, Glass::is_face(e)) {
        (false, _) => format!(
            "The pixel is {:.1} px outside the nearest edge, so that no light of it passes the glass: it shows the picture, darkened by the shadow and the contour line.",
            e.d
        ),
        (true, true) => format!(
            "The pixel is {:.1} px inside the edge, further than the bevel reaches, {:.1} px to the dashed line: the surface is flat there, and flat glass bends no ray from straight above.",
            -e.d, e.bevel
        ),
        (true, false) => format!(
            "The pixel is {:.1} px inside the edge, where the bevel, {:.1} px wide up to the dashed line, rises from the edge to the flat face: the nearer to the edge, the steeper.",
            -e.d, e.bevel
        ),
    };
    let figures = vec![
        ("distance inside, px", format!("{:.2}", -e.d)),
        ("part of the pixel that is glass", format!("{:.2}", coverage(e.d))),
    ];
    ReplayStep::new("Outline", sentence, vec![grid]).figures(figures)
}

/// The cross-section with what the steps show one after the other, and the looks at the picture.
pub fn section_figure(section: &CrossSection) -> ReplayStep {
    let cut = Cut::new(section);
    let landings = section.rays.iter().map(|ray| ray.landing);
    let sides = section.footprint.sides.iter().map(|side| side[1].x);
    let all = section.taps.iter().map(|tap| tap.x).chain(sides).chain(landings);
    let [low, high] = all.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)]);
    let most = section.taps.iter().flat_map(|tap| tap.weights).fold(1e-9, f64::max);
    let near = cut.magnified(0.5 * (low + high), (1.2 * (high - low)).max(1.5), |near| {
        let looks = section.taps.iter().map(|tap| {
            let color = Vec3::from_array(tap.weights.map(|weight| (weight / most) as f32));
            Drawing::new(Form::Dot(2.5), vec![near.ground(tap.x)], bytes(color))
        });
        near.sides(&cut).into_iter().chain(near.rays()).chain(looks).collect()
    });
    let whole = [cut.sides(&cut), vec![cut.normal(), cut.view_ray()], cut.rays()].concat();
    ReplayStep::new("", "", vec![cut.paper(whole), near])
}

struct Cut<'a> {
    section: &'a CrossSection,
    /// x of the left side, height of the top, pixels of a cell.
    first: f64,
    top: f64,
    cell: f64,
}

impl<'a> Cut<'a> {
    fn new(section: &'a CrossSection) -> Self {
        let [low, high] = section.extent();
        let bevel = section.bevel;
        let own = section.bodies.iter().find(|body| {
            let ends = body.surface.first().zip(body.surface.last());
            ends.is_some_and(|(first, last)| (first.x..=last.x).contains(&section.point.place.x))
        });
        let outer = own.filter(|body| body.ends_at_edge[0]).and_then(|body| Some(body.surface.first()?.x));
        let outer = outer.filter(|edge| low - edge < 2.5 * bevel);
        let from = outer.map_or(low, |edge| edge.min(low)) - 0.25 * bevel;
        let to = (high + 0.3 * bevel).max(from + 1.8 * bevel);
        let height = 1.12 * section.top() + 1.0;
        let cell = ((to - from) / CUT[0] as f64).max(height / (CUT[1] as f64 - 1.0));
        let first = 0.5 * (from + to) - 0.5 * cell * CUT[0] as f64;
        // The picture is at the top of the last row.
        Self { section, first, top: cell * (CUT[1] as f64 - 1.0), cell }
    }

    fn place(&self, at: DVec2) -> [f32; 2] {
        [((at.x - self.first) / self.cell) as f32, ((self.top - at.y) / self.cell) as f32]
    }

    fn ground(&self, x: f64) -> [f32; 2] {
        self.place(DVec2::new(x, 0.0))
    }

    /// `wide` pixels around an x of the picture, below the cross-section.
    fn magnified(&self, x: f64, wide: f64, make: impl Fn(&Self) -> Vec<Drawing>) -> Grid {
        let [columns, rows] = [CUT[0], CUT[1] / 3];
        let cell = wide / columns as f64;
        let near = Self { first: x - 0.5 * wide, top: cell * (rows as f64 - 1.0), cell, ..*self };
        let title = format!("Magnified: a square is {cell:.3} px");
        let mut grid = Grid::paper(title, [columns, rows]);
        let ground = vec![near.ground(near.first), near.ground(near.first + wide)];
        grid.drawings.push(Drawing::new(Form::Line(1.5), ground, QUIET));
        grid.drawings.extend(make(&near));
        grid.wide()
    }

    fn paper(&self, drawings: Vec<Drawing>) -> Grid {
        let [columns, rows] = CUT;
        let title = format!("Cross-section across the edge; a square is {:.2} px", self.cell);
        let mut paper = Grid::paper(title, [columns, rows]);
        let last = self.first + self.cell * columns as f64;
        for body in &self.section.bodies {
            let shown: Vec<DVec2> =
                body.surface.iter().copied().filter(|at| (self.first..=last).contains(&at.x)).collect();
            let strip = shown.iter().flat_map(|at| [self.place(*at), self.place(DVec2::new(at.x, self.section.gap))]);
            paper.drawings.push(Drawing::new(Form::Strip, strip.collect(), OUTLINE).opacity(0.28));
            let surface = shown.iter().map(|at| self.place(*at)).collect();
            paper.drawings.push(Drawing::new(Form::Line(2.0), surface, OUTLINE));
        }
        paper.drawings.push(Drawing::new(Form::Line(1.5), vec![self.ground(self.first), self.ground(last)], QUIET));
        paper.drawings.extend(drawings);
        paper
    }

    fn grids(&self, picture: &Picture, drawings: Vec<Drawing>) -> Vec<Grid> {
        let columns = CUT[0];
        let size = picture.size().as_dvec2();
        let pixel = |column: usize| {
            let x = self.first + self.cell * (column as f64 + 0.5);
            let at = self.section.in_picture(x);
            let is_inside = at.cmpge(DVec2::ZERO).all() && at.cmplt(size).all();
            let encoded = picture.encoded.mirrored(at.floor().as_ivec2());
            Cell::new(bytes(encoded), "").role(if is_inside { Role::Idle } else { Role::Faded })
        };
        let along = Grid::new("The picture along the cut", columns, (0..columns).map(pixel).collect());
        vec![self.paper(drawings), along.wide()]
    }

    fn view_ray(&self) -> Drawing {
        let entry = self.section.point.place;
        Drawing::new(Form::Arrow(1.6), vec![self.place(DVec2::new(entry.x, self.top)), self.place(entry)], PIXEL)
    }

    fn normal(&self) -> Drawing {
        let (at, way) = (self.section.point.place, self.section.point.normal);
        let ends = [at - way * 4.0 * self.cell, at + way * 5.0 * self.cell].map(|at| self.place(at));
        Drawing::new(Form::Dashed(1.3), ends.into(), NORMAL_LINE).labeled("normal")
    }

    fn ray(&self, color: usize) -> Drawing {
        let ray = &self.section.rays[color];
        Drawing::new(Form::Arrow(1.5), vec![self.place(ray.from), self.ground(ray.landing)], COLORS[color])
    }

    fn rays(&self) -> Vec<Drawing> {
        vec![self.ray(0), self.ray(2), self.ray(1)]
    }

    /// Both sides of the pixel in this part of `whole`.
    fn sides(&self, whole: &Self) -> Vec<Drawing> {
        let [outer, inner] = self.section.footprint.sides;
        let area = [outer[0], inner[0], outer[1], inner[1]].map(|at| self.place(at));
        let mut all = vec![Drawing::new(Form::Strip, area.into(), NORMAL_LINE).opacity(0.3)];
        for (side, [enters, meets]) in [("outer side", outer), ("inner side", inner)] {
            let way = [DVec2::new(enters.x, whole.top), enters, meets].map(|at| self.place(at));
            let label = if self.cell < whole.cell { side } else { "" };
            all.push(Drawing::new(Form::Line(1.2), way.into(), NORMAL_LINE).labeled(label));
        }
        let ends = [outer[1].x, inner[1].x].map(|x| self.ground(x));
        all.push(Drawing::new(Form::Line(4.0), ends.into(), NORMAL_LINE));
        all
    }

    fn surface(&self, picture: &Picture) -> ReplayStep {
        let point = &self.section.point;
        let sentence = match point.is_face {
            true => format!(
                "Cut along the shortest way to the edge, the glass is {:.1} px thick here, over a gap of {:.1} px to the picture, and its face is level: the normal points straight up.",
                point.thickness, self.section.gap
            ),
            false => format!(
                "Cut along the shortest way to the edge, the glass is {:.1} px thick here, over a gap of {:.1} px to the picture, and the surface falls by {:.2} px a pixel towards the edge.",
                point.thickness, self.section.gap, point.slope
            ),
        };
        let figures = vec![
            ("height over the picture, px", format!("{:.1}", point.place.y)),
            ("slope", format!("{:.3}", point.slope)),
        ];
        let grids = self.grids(picture, vec![self.normal(), self.view_ray()]);
        ReplayStep::new("Surface", sentence, grids).figures(figures)
    }

    fn refraction(&self, picture: &Picture) -> ReplayStep {
        let (point, green) = (&self.section.point, &self.section.rays[1]);
        let degrees = |angle: f64| angle.to_degrees();
        let straight =
            Drawing::new(Form::Dashed(1.0), vec![self.place(point.place), self.ground(point.place.x)], QUIET);
        let sentence = format!(
            "The eye looks straight down: its ray meets the surface at {:.1}\u{b0} from the normal, goes on at {:.1}\u{b0} as Snell's law says for an index of {:.3}, and meets the picture {:.1} px further in.",
            degrees(point.incidence),
            degrees(green.refraction),
            green.index,
            green.landing - point.place.x
        );
        let figures = vec![
            ("sine outside", format!("{:.4}", point.incidence.sin())),
            ("index times sine inside", format!("{:.4}", green.index * green.refraction.sin())),
        ];
        let grids = self.grids(picture, vec![self.normal(), straight, self.view_ray(), self.ray(1)]);
        ReplayStep::new("Refract", sentence, grids).figures(figures)
    }

    fn colors(&self, picture: &Picture) -> ReplayStep {
        let [red, green, blue] = &self.section.rays;
        let apart = (blue.landing - red.landing).abs();
        let sentence = match red.index == blue.index {
            true => format!(
                "Every colour has the same index, {:.4}, as dispersion is off, so that red, green and blue meet the picture in one place.",
                green.index
            ),
            false => format!(
                "Glass bends blue, of index {:.4}, more than red, of {:.4}: they meet the picture {apart:.2} px apart, which is what draws coloured fringes at the edge of the glass.",
                blue.index, red.index
            ),
        };
        let figures = vec![
            ("red from x, px", format!("{:.2}", red.landing)),
            ("green", format!("{:.2}", green.landing)),
            ("blue", format!("{:.2}", blue.landing)),
        ];
        let mut grids = self.grids(picture, [vec![self.view_ray()], self.rays()].concat());
        grids[1] = self.magnified(green.landing, (3.0 * apart).max(0.5), Self::rays);
        ReplayStep::new("Disperse", sentence, grids).figures(figures)
    }

    fn footprint(&self, picture: &Picture) -> ReplayStep {
        let footprint = &self.section.footprint;
        let [outer, inner] = footprint.sides;
        let stretch = footprint.stretch;
        let effect = match stretch {
            s if s < 0.0 => "the sides have changed places, and the picture is mirrored there",
            s if s > 1.05 => {
                "several pixels of the picture share one on the screen, and reading one of them alone would flicker"
            }
            s if s < 0.95 => "the picture is enlarged",
            _ => "the picture keeps its size",
        };
        let sentence = format!(
            "The rays through both sides of the pixel meet the picture {:.2} px apart along the cut, so that {effect}.",
            stretch.abs()
        );
        let figures = vec![
            ("pixels of the picture across the pixel", format!("{stretch:.2}")),
            ("blur that this needs, sigma in px", format!("{:.2}", footprint.sigma)),
        ];
        let mut grids = self.grids(picture, self.sides(self));
        let middle = 0.5 * (outer[1].x + inner[1].x);
        grids[1] = self.magnified(middle, (3.0 * stretch.abs()).max(2.0), |near| near.sides(self));
        ReplayStep::new("Footprint", sentence, grids).figures(figures)
    }
}

fn looks(subject: &Subject<'_>, glass: &Glass, below: &Below<'_>, section: &CrossSection) -> Vec<ReplayStep> {
    let (blur, taps) = (&section.blur, &section.taps);
    let places = taps.iter().map(|tap| tap.at);
    let low = places.clone().fold(DVec2::MAX, DVec2::min);
    let high = places.fold(DVec2::MIN, DVec2::max);
    let spread = (high - low) + 2.0 * (blur.sigma + 2.0);
    let cell = (spread.x / LOOKS[0] as f64).max(spread.y / LOOKS[1] as f64).max(0.5);
    let region = Region::around(0.5 * (low + high), cell * LOOKS[0] as f64, LOOKS);
    let mut picture =
        region.of_picture(format!("The picture around the looks; a square is {cell:.2} px"), subject.picture);
    let most = taps.iter().flat_map(|tap| tap.weights).fold(1e-9, f64::max);
    for tap in taps {
        let color = Vec3::from_array(tap.weights.map(|weight| (weight / most) as f32));
        let place = vec![region.place(tap.at)];
        picture.drawings.push(Drawing::new(Form::Circle((blur.sigma / cell) as f32), place.clone(), bytes(color)));
        picture.drawings.push(Drawing::new(Form::Dot(2.5), place, bytes(color)));
    }
    let weight = |color: usize, tap: usize| {
        let weight = taps[tap].weights[color];
        let mut shade = [0.0; 3];
        shade[color] = (weight / most) as f32;
        let shade = Vec3::from_array(shade) * 0.8 + 0.08;
        Cell::new(bytes(shade), format!("{weight:.3}"))
    };
    let weights: Vec<Cell> = (0..3)
        .flat_map(|color| (0..taps.len()).map(move |tap| (color, tap)))
        .map(|(color, tap)| weight(color, tap))
        .collect();
    let weights = Grid::new("Weights of the looks: red, green, blue", taps.len(), weights).aspect(2.4).wide();
    let read = match taps.len() {
        1 => "one look is enough here".to_owned(),
        n => format!(
            "{n} looks are spread over the footprint, and each colour weighs most those where its own ray meets the picture"
        ),
    };
    let frost = match glass.frost <= SHARP_SIGMA {
        true => "clear glass reads the level of the mip chain that is as coarse as the footprint".to_owned(),
        false => format!("the frost blurs each by {:.1} px", glass.frost),
    };
    let sentence = format!(
        "Of what the pixel shows, {read}. {}, and a circle is the blur of a look.",
        base::text::sentence(&frost)
    );
    let method = if glass.frost <= SHARP_SIGMA { "one trilinear tap" } else { blur.method.name() };
    let figures = vec![
        ("sigma of a look, px", format!("{:.2}", blur.sigma)),
        ("of the frost", format!("{:.2}", blur.frost)),
        ("of the bevel", format!("{:.2}", blur.extra)),
        ("mip level", format!("{:.2}", blur.level)),
        ("method", method.into()),
    ];
    let grids = vec![picture, weights.clone()];
    let look = ReplayStep::new("Look", sentence, grids).figures(figures);

    vec![look, add(glass, below, section, weights)]
}

fn add(glass: &Glass, below: &Below<'_>, section: &CrossSection, weights: Grid) -> ReplayStep {
    let (blur, taps) = (&section.blur, &section.taps);
    let lights: Vec<Vec3> = taps.iter().map(|tap| below.look(tap.at.as_vec2(), glass, blur.extra, 0.0)).collect();
    let mut sum = Vec3::ZERO;
    let sums: Vec<Vec3> = taps
        .iter()
        .zip(&lights)
        .map(|(tap, light)| {
            sum += Vec3::from_array(tap.weights.map(|weight| weight as f32)) * *light;
            sum
        })
        .collect();
    let mut cells = Vec::new();
    for (number, (light, sum)) in lights.iter().zip(&sums).enumerate() {
        let role = if number + 1 == sums.len() { Role::Active } else { Role::Idle };
        cells.extend([
            words(format!("look {}", number + 1), role),
            lit(*light),
            words(numbers(*light), role),
            lit(*sum),
            words(numbers(*sum), role),
        ]);
    }
    let table = Grid::new("Look, its light, and the sum of weighted looks so far", 5, cells).aspect(8.0);
    let sentence = "Each look gives blurred light of the picture, every colour of it is multiplied by its weight, and the sum is what the surface lets through: colours that came from different places stay apart.";
    let figures = vec![("sum, red green blue", numbers(sum))];
    ReplayStep::new("Weigh and add", sentence, vec![table, weights]).figures(figures)
}
