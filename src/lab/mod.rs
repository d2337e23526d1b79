//! CPU against GPU.
