//! Language extensions of all shaders; included first by each.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
