// Included first by every shader: the language extensions that the whole project uses.
#extension GL_EXT_scalar_block_layout : require
