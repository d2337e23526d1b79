//! Size and shared memory of a workgroup, read from SPIR-V.
use super::shader::instructions;
use spirq::spirv::Op;
use std::collections::HashMap;

const SPEC_ID: u32 = 1;
const BUILT_IN: u32 = 11;
const WORKGROUP_SIZE: u32 = 25;
const WORKGROUP: u32 = 4;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// Set if it depends on specialization constants; otherwise it is the entry point's.
    pub size: Option<[u32; 3]>,
    pub shared_bytes: u64,
}

pub(super) fn needs(words: &[u32], chosen: &[(u32, u32)]) -> Needs {
    let (mut spec_ids, mut constants, mut sizes) = (HashMap::new(), HashMap::new(), HashMap::new());
    let (mut pointers, mut size_id, mut needs) = (HashMap::new(), None, Needs { size: None, shared_bytes: 0 });
    for instruction in instructions(words) {
        let bytes = |id: &u32| sizes.get(id).copied().unwrap_or(0_u64);
        let value = |id: &u32| constants.get(id).copied().unwrap_or(0_u32);
        match instruction {
            (Op::Decorate, [id, SPEC_ID, number]) => drop(spec_ids.insert(*id, *number)),
            (Op::Decorate, [id, BUILT_IN, WORKGROUP_SIZE]) => size_id = Some(*id),
            (Op::Constant, [_, id, low, ..]) => drop(constants.insert(*id, *low)),
            (Op::SpecConstant, [_, id, low, ..]) => {
                let given = chosen.iter().find(|(number, _)| spec_ids.get(id) == Some(number));
                constants.insert(*id, given.map_or(*low, |(_, value)| *value));
            }
            (Op::SpecConstantOp, [_, id, what, a, b]) => {
                let (a, b) = (value(a), value(b));
                let result = match Op::from_u32(*what) {
                    Some(Op::IAdd) => a.wrapping_add(b),
                    Some(Op::ISub) => a.wrapping_sub(b),
                    Some(Op::IMul) => a.wrapping_mul(b),
                    Some(Op::UDiv) => a.checked_div(b).unwrap_or(0),
                    _ => continue,
                };
                constants.insert(*id, result);
            }
            (Op::SpecConstantComposite, [_, id, x, y, z]) if size_id == Some(*id) => {
                needs.size = Some([value(x), value(y), value(z)]);
            }
            (Op::TypeBool, [id]) => drop(sizes.insert(*id, 4)),
            (Op::TypeInt | Op::TypeFloat, [id, bits, ..]) => drop(sizes.insert(*id, u64::from(bits / 8))),
            (Op::TypeVector | Op::TypeMatrix, [id, of, count]) => {
                let all = bytes(of) * u64::from(*count);
                sizes.insert(*id, all);
            }
            (Op::TypeArray, [id, of, count]) => {
                let all = bytes(of) * u64::from(value(count));
                sizes.insert(*id, all);
            }
            (Op::TypeStruct, [id, members @ ..]) => {
                let all = members.iter().map(bytes).sum();
                sizes.insert(*id, all);
            }
            (Op::TypePointer, [id, _, to]) => drop(pointers.insert(*id, *to)),
            (Op::Variable, [pointer, _, WORKGROUP, ..]) => {
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
    use crate::embedded_shaders::spirv;

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
