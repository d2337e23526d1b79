//! Coverage of pixels by a triangle, by the rule of Vulkan's rasterizer: corners are rounded to 1/256 of a pixel, and a centre on an edge
//! belongs to the triangle whose top or left edge that is. Include after geometry.glsl. Pictures up to 2^14 pixels wide and high.

const int GRID = 256;
/// From the picture's middle; triangles further out are drawn tile by tile (tile.glsl).
const float GUARD = 16384.0;
/// Behind the near plane or beyond the guard.
const int OFF_GRID = -0x7FFFFFFF;
/// Up to here products of two distances fit into 32 bits.
const int NARROW = 64;

const uint WAY_NONE = 0;
const uint WAY_LANE = 1;
const uint WAY_LANES = 2;
const uint WAY_TILES = 3;
const int TILE_BITS = 6;
layout(constant_id = 2) const int LANE_MOST = 32;

/// The operations of rasterizers, so that both round alike.
vec2 pixels_of(vec4 clip) {
    precise vec2 middle = 0.5 * vec2(size);
    precise vec2 at_pixel = clip.xy * (1.0 / clip.w) * middle + middle;
    return at_pixel;
}

ivec2 on_grid(vec4 clip) {
    vec2 at_pixel = pixels_of(clip), from_middle = abs(at_pixel - 0.5 * vec2(size));
    bool is_near = clip.w > near * 1.0001 && from_middle.x <= GUARD && from_middle.y <= GUARD;
    return is_near ? ivec2(roundEven(at_pixel * float(GRID))) : ivec2(OFF_GRID);
}

/// First and last pixel whose centre is in the bounds.
ivec4 bounds_of(ivec2 low, ivec2 high) {
    return ivec4(max(low - GRID / 2 + GRID - 1 >> 8, ivec2(0)), min(high - GRID / 2 >> 8, ivec2(size) - 1));
}

uint way_of(ivec2 a, ivec2 b, ivec2 c, out ivec4 bounds) {
    bounds = ivec4(0, 0, -1, -1);
    if (a.x == OFF_GRID || b.x == OFF_GRID || c.x == OFF_GRID) return WAY_TILES;
    ivec2 low = min(a, min(b, c)), high = max(a, max(b, c)), side = high - low;
    bounds = bounds_of(low, high);
    ivec2 pixels = bounds.zw - bounds.xy + 1;
    if (pixels.x <= 0 || pixels.y <= 0) return WAY_NONE;
    if (max(side.x, side.y) >= NARROW * GRID) return WAY_TILES;
    return pixels.x * pixels.y <= LANE_MOST ? WAY_LANE : WAY_LANES;
}

/// Over a pixel to the right and down, divided by GRID. Positive to the right of the edge, y down.
ivec2 edge_of(ivec2 a, ivec2 b) { return ivec2(a.y - b.y, b.x - a.x); }

/// 0 if a centre on the edge belongs to the triangle on its right.
int bias_of(ivec2 edge) { return edge.x > 0 || edge.x == 0 && edge.y > 0 ? 0 : -1; }

struct Slope {
    float first;
    vec2 by_step;
    float low, high;
};

Slope slope_of(vec2 ab, vec2 ac, float area, vec3 depths) {
    precise float to_b = depths.y - depths.x, to_c = depths.z - depths.x;
    precise float x = (to_b * ac.y - to_c * ab.y) / area, y = (to_c * ab.x - to_b * ac.x) / area;
    return Slope(depths.x, vec2(x, y), min(depths.x, min(depths.y, depths.z)), max(depths.x, max(depths.y, depths.z)));
}

float depth_at(Slope slope, ivec2 from_first) {
    precise float depth = slope.first + slope.by_step.x * float(from_first.x) + slope.by_step.y * float(from_first.y);
    return clamp(depth, slope.low, slope.high);
}

/// a b + c d + e in two words.
void sum_of(int a, int b, int c, int d, int e, out int high, out uint low) {
    int high1, low1, high2, low2;
    imulExtended(a, b, high1, low1);
    imulExtended(c, d, high2, low2);
    uint carry1, carry2;
    low = uaddCarry(uaddCarry(uint(low1), uint(low2), carry1), uint(e), carry2);
    high = high1 + high2 + int(carry1) + int(carry2) + (e >> 31);
}

bool is_turned(ivec2 a, ivec2 b, ivec2 c) {
    ivec2 ab = b - a, ac = c - a;
    int high;
    uint low;
    sum_of(ab.x, ac.y, -ab.y, ac.x, 0, high, low);
    return high >= 0;
}

/// Times w; the corner may be off the grid.
vec3 in_picture(vec4 clip) { return vec3(clip.xy * 0.5 * vec2(size), clip.w); }

/// The distance at (x, y) from the middle is dot(a, normal) / dot((x, y, 1), normal).
vec3 normal_of(vec3 a, vec3 b, vec3 c) {
    precise vec3 ab = b - a, ac = c - a, normal = cross(ab, ac);
    return normal;
}

void grow(vec2 point, inout vec2 low, inout vec2 high) {
    low = min(low, point);
    high = max(high, point);
}

/// By the part of a side beyond the near plane.
void grow_by_side(vec3 a, vec3 b, float least, inout vec2 low, inout vec2 high) {
    if (a.z >= least) grow(a.xy / a.z, low, high);
    if ((a.z >= least) != (b.z >= least)) grow(mix(a.xy, b.xy, clamp((least - a.z) / (b.z - a.z), 0.0, 1.0)) / least, low, high);
}

ivec4 free_bounds(vec3 a, vec3 b, vec3 c) {
    vec2 low = vec2(1e30), high = vec2(-1e30), whole = vec2(size);
    float least = near * 0.999;
    grow_by_side(a, b, least, low, high);
    grow_by_side(b, c, least, low, high);
    grow_by_side(c, a, least, low, high);
    return ivec4(clamp(low + 0.5 * whole - 1.0, vec2(0.0), whole), clamp(high + 0.5 * whole + 1.0, vec2(-1.0), whole - 1.0));
}
