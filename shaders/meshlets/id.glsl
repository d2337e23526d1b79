//! Visibility value from vertices (MESH=0) or from a mesh shader.
#if MESH
#extension GL_EXT_mesh_shader : require
layout(location = 0) perprimitiveEXT flat in uint id;
#else
layout(location = 0) flat in uint id;
#endif
