//! Triangles that are drawn tile by tile: large ones, and those with corners off the grid. Include after cover.glsl and pixels.glsl; a
//! workgroup has TILE_LANES lanes.
const int TILE = 1 << TILE_BITS;
const uint TILE_LANES = 128;
/// Within a tile edge functions change by less.
const int MOST = (1 << 30) - 1;

struct Large {
    /// Edge functions are positive inside; x and y are pixels from the middle times w.
    vec3 a, b, c;
    ivec2 grid_a, grid_b, grid_c;
    /// The depth at (x, y) from the middle is dot((x, y, 1), normal) * by_normal: a slope from a far corner would be
    /// too coarse.
    vec3 normal;
    float by_normal;
    float low, high;
    bool is_on_grid, is_seen;
    ivec4 bounds;
};

/// Rounded down, between -MOST and MOST.
int part_of(int a, int b, int c, int d, int e) {
    int high;
    uint low;
    sum_of(a, b, c, d, e, high, low);
    if (high >= 64) return MOST;
    if (high < -64) return -MOST;
    return clamp(int(low >> 8 | uint(high) << 24), -MOST, MOST);
}

float cross_of(vec2 a, vec2 b) {
    precise float turn = a.x * b.y - a.y * b.x;
    return turn;
}

/// Corners off the grid (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates", 1997). From b to
/// a it is the exact negative, so triangles that share an edge share no pixel and leave none out.
float free_edge(vec3 a, vec3 b, vec2 place) {
    precise vec2 to_a = a.xy - place * a.z, to_b = b.xy - place * b.z;
    return cross_of(to_a, to_b);
}

Large large_of(vec4 clip_a, vec4 clip_b, vec4 clip_c) {
    Large t;
    t.a = in_picture(clip_a);
    t.b = in_picture(clip_c);
    t.c = in_picture(clip_b);
    t.grid_a = on_grid(clip_a);
    t.grid_b = on_grid(clip_c);
    t.grid_c = on_grid(clip_b);
    t.is_on_grid = t.grid_a.x != OFF_GRID && t.grid_b.x != OFF_GRID && t.grid_c.x != OFF_GRID;
    t.bounds = ivec4(0, 0, -1, -1);
    t.normal = normal_of(t.a, t.b, t.c);
    precise float volume = dot(t.a, t.normal);
    t.by_normal = clip_a.z / volume;
    t.low = 0.0;
    t.high = 1.0;
    if (t.is_on_grid) {
        t.is_seen = true; // back faces are not passed on
        precise vec3 depths = vec3(clip_a.z, clip_c.z, clip_b.z) * (1.0 / vec3(clip_a.w, clip_c.w, clip_b.w));
        t.low = min(depths.x, min(depths.y, depths.z));
        t.high = max(depths.x, max(depths.y, depths.z));
        t.bounds = bounds_of(min(t.grid_a, min(t.grid_b, t.grid_c)), max(t.grid_a, max(t.grid_b, t.grid_c)));
    } else {
        t.is_seen = volume > 0.0;
        t.bounds = free_bounds(t.a, t.b, t.c);
    }
    t.is_seen = t.is_seen && all(lessThanEqual(t.bounds.xy, t.bounds.zw));
    return t;
}

struct Side {
    bool is_on_grid;
    int first;
    ivec2 by_pixel;
    vec3 a, b;
    bool keeps_edge;
};

Side side_of(vec3 a, vec3 b, ivec2 grid_a, ivec2 grid_b, ivec2 origin) {
    Side s;
    s.is_on_grid = grid_a.x != OFF_GRID && grid_b.x != OFF_GRID;
    s.first = 0;
    s.by_pixel = ivec2(0);
    if (s.is_on_grid) {
        s.by_pixel = edge_of(grid_a, grid_b);
        ivec2 from = origin * GRID + GRID / 2 - grid_a;
        s.first = part_of(s.by_pixel.x, from.x, s.by_pixel.y, from.y, bias_of(s.by_pixel));
    }
    s.a = a;
    s.b = b;
    precise vec2 change = vec2(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z);
    s.keeps_edge = change.x > 0.0 || change.x == 0.0 && change.y > 0.0;
    return s;
}

/// `place`: from the picture's middle; `offset`: from the tile's first pixel.
bool is_inside(Side s, ivec2 offset, vec2 place) {
    if (s.is_on_grid) return s.first + s.by_pixel.x * offset.x + s.by_pixel.y * offset.y >= 0;
    float edge = free_edge(s.a, s.b, place);
    return edge > 0.0 || edge == 0.0 && s.keeps_edge;
}

bool may_cross(Side s, vec2 corner) {
    if (s.is_on_grid) return s.first + max(s.by_pixel.x, 0) * (TILE - 1) + max(s.by_pixel.y, 0) * (TILE - 1) >= 0;
    vec2 low = corner - 1.0, high = corner + float(TILE);
    return max(max(free_edge(s.a, s.b, low), free_edge(s.a, s.b, high)),
        max(free_edge(s.a, s.b, vec2(low.x, high.y)), free_edge(s.a, s.b, vec2(high.x, low.y)))) >= 0.0;
}

/// Tiles are counted from the first pixel of the bounds on.
bool may_reach(Large t, ivec2 origin) {
    vec2 corner = vec2(origin) + 0.5 - 0.5 * vec2(size);
    return may_cross(side_of(t.a, t.b, t.grid_a, t.grid_b, origin), corner) && may_cross(side_of(t.b, t.c, t.grid_b, t.grid_c, origin), corner) &&
        may_cross(side_of(t.c, t.a, t.grid_c, t.grid_a, origin), corner);
}

float depth_of(Large t, vec2 place) {
    precise float depth = (t.normal.x * place.x + t.normal.y * place.y + t.normal.z) * t.by_normal;
    return depth;
}

void draw_tile(Large t, uint id, ivec2 origin) {
    const ivec2 shape = ivec2(16, TILE_LANES / 16);
    ivec2 first = ivec2(gl_LocalInvocationIndex % 16, gl_LocalInvocationIndex / 16), last = min(t.bounds.zw - origin, TILE - 1);
    Side ab = side_of(t.a, t.b, t.grid_a, t.grid_b, origin), bc = side_of(t.b, t.c, t.grid_b, t.grid_c, origin);
    Side ca = side_of(t.c, t.a, t.grid_c, t.grid_a, origin);
    if (t.is_on_grid) {
        ivec3 by_x = ivec3(ab.by_pixel.x, bc.by_pixel.x, ca.by_pixel.x), by_y = ivec3(ab.by_pixel.y, bc.by_pixel.y, ca.by_pixel.y);
        ivec3 edges = ivec3(ab.first, bc.first, ca.first) + by_x * first.x + by_y * first.y;
        for (int y = first.y; y <= last.y; y += shape.y, edges += by_y * shape.y) {
            ivec3 here = edges;
            for (int x = first.x; x <= last.x; x += shape.x, here += by_x * shape.x) {
                ivec2 pixel = origin + ivec2(x, y);
                vec2 place = vec2(pixel) + 0.5 - 0.5 * vec2(size);
                if ((here.x | here.y | here.z) >= 0) plot(pixel, clamp(depth_of(t, place), t.low, t.high), id);
            }
        }
        return;
    }
    for (int y = first.y; y <= last.y; y += shape.y) {
        for (int x = first.x; x <= last.x; x += shape.x) {
            ivec2 offset = ivec2(x, y);
            vec2 place = vec2(origin + offset) + 0.5 - 0.5 * vec2(size);
            if (!is_inside(ab, offset, place) || !is_inside(bc, offset, place) || !is_inside(ca, offset, place)) continue;
            float depth = depth_of(t, place);
            if (depth > 0.0 && depth <= 1.0) plot(origin + offset, depth, id);
        }
    }
}
