//! Workgroup requirements of a compute shader, read from its SPIR-V with specialization constants set: size, and shared memory.
use std::collections::HashMap;

/// Opcodes, decorations and so on, from the SPIR-V specification.
mod is {
    pub const TYPE_BOOL: u32 = 20;
    pub const TYPE_INT: u32 = 21;
    pub const TYPE_FLOAT: u32 = 22;
    pub const TYPE_VECTOR: u32 = 23;
    pub const TYPE_MATRIX: u32 = 24;
    pub const TYPE_ARRAY: u32 = 28;
    pub const TYPE_STRUCT: u32 = 30;
    pub const TYPE_POINTER: u32 = 32;
    pub const CONSTANT: u32 = 43;
    pub const SPEC_CONSTANT: u32 = 50;
    pub const SPEC_CONSTANT_COMPOSITE: u32 = 51;
    pub const SPEC_CONSTANT_OP: u32 = 52;
    pub const VARIABLE: u32 = 59;
    pub const DECORATE: u32 = 71;
    pub const ADD: u32 = 128;
    pub const SUBTRACT: u32 = 130;
    pub const MULTIPLY: u32 = 132;
    pub const DIVIDE: u32 = 134;
    pub const SPEC_ID: u32 = 1;
    pub const BUILT_IN: u32 = 11;
    pub const WORKGROUP_SIZE: u32 = 25;
    pub const WORKGROUP: u32 = 4;
}

/// Workgroup requirements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// The size, if it depends on specialization constants; otherwise it is the entry point's.
    pub size: Option<[u32; 3]>,
    /// Bytes of the variables that a workgroup shares.
    pub shared_bytes: u64,
}

/// Reads `words`; `chosen`: values by the number of their specialization constant.
pub(super) fn needs(words: &[u32], chosen: &[(u32, u32)]) -> Needs {
    let (mut spec_ids, mut constants, mut sizes) = (HashMap::new(), HashMap::new(), HashMap::new());
    let (mut pointers, mut size_id, mut needs) = (HashMap::new(), None, Needs { size: None, shared_bytes: 0 });
    let mut rest = words.get(5..).unwrap_or_default();
    while let [first, ..] = rest {
        let count = (first >> 16).clamp(1, rest.len() as u32) as usize;
        let (instruction, next) = rest.split_at(count);
        rest = next;
        let bytes = |id: &u32| sizes.get(id).copied().unwrap_or(0_u64);
        let value = |id: &u32| constants.get(id).copied().unwrap_or(0_u32);
        match (first & 0xFFFF, &instruction[1..]) {
            (is::DECORATE, [id, is::SPEC_ID, number]) => drop(spec_ids.insert(*id, *number)),
            (is::DECORATE, [id, is::BUILT_IN, is::WORKGROUP_SIZE]) => size_id = Some(*id),
            (is::CONSTANT, [_, id, low, ..]) => drop(constants.insert(*id, *low)),
            (is::SPEC_CONSTANT, [_, id, low, ..]) => {
                let given = chosen.iter().find(|(number, _)| spec_ids.get(id) == Some(number));
                constants.insert(*id, given.map_or(*low, |(_, value)| *value));
            }
            (is::SPEC_CONSTANT_OP, [_, id, what, a, b]) => {
                let (a, b) = (value(a), value(b));
                let result = match *what {
                    is::ADD => a.wrapping_add(b),
                    is::SUBTRACT => a.wrapping_sub(b),
                    is::MULTIPLY => a.wrapping_mul(b),
                    is::DIVIDE => a.checked_div(b).unwrap_or(0),
                    _ => continue,
                };
                constants.insert(*id, result);
            }
            (is::SPEC_CONSTANT_COMPOSITE, [_, id, x, y, z]) if size_id == Some(*id) => {
                needs.size = Some([value(x), value(y), value(z)]);
            }
            (is::TYPE_BOOL, [id]) => drop(sizes.insert(*id, 4)),
            (is::TYPE_INT | is::TYPE_FLOAT, [id, bits, ..]) => drop(sizes.insert(*id, u64::from(bits / 8))),
            (is::TYPE_VECTOR | is::TYPE_MATRIX, [id, of, count]) => {
                let all = bytes(of) * u64::from(*count);
                sizes.insert(*id, all);
            }
            (is::TYPE_ARRAY, [id, of, count]) => {
                let all = bytes(of) * u64::from(value(count));
                sizes.insert(*id, all);
            }
            (is::TYPE_STRUCT, [id, members @ ..]) => {
                let all = members.iter().map(bytes).sum();
                sizes.insert(*id, all);
            }
            (is::TYPE_POINTER, [id, _, to]) => drop(pointers.insert(*id, *to)),
            (is::VARIABLE, [pointer, _, is::WORKGROUP, ..]) => {
                needs.shared_bytes += pointers.get(pointer).map_or(0, bytes);
            }
            _ => {}
        }
    }
    needs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::embedded_shaders::spirv;

    #[test]
    fn sizes_and_shared_memory_follow_constants() {
        let place = spirv("gpu/place.comp").unwrap();
        assert_eq!(needs(&place, &[]), Needs { size: Some([64, 1, 1]), shared_bytes: 0 });
        assert_eq!(needs(&place, &[(1, 300)]).size, Some([300, 1, 1]));
        let gather = spirv("gpu/gather.comp").unwrap();
        assert_eq!(needs(&gather, &[]), Needs { size: Some([64, 1, 1]), shared_bytes: 64 * 16 + 12 });
        assert_eq!(needs(&gather, &[(0, 96)]), Needs { size: Some([96, 1, 1]), shared_bytes: 96 * 16 + 12 });
        assert_eq!(needs(&[], &[]), Needs { size: None, shared_bytes: 0 });
        assert_eq!(needs(&place[..40], &[]).shared_bytes, 0, "what is cut off is no reason to fail");
    }
}
