//! The constraint that some of the values are visible: those that are larger than all values before them, as a person sees the taller
//! buildings of a row behind the lower ones. The filter is exact.
//!
//! The filter visits the variables in order. The largest value so far and the number of visible values decide what can follow. A value
//! stays if it leads from such a pair, which the earlier variables reach, to one from which the later variables complete the count.

use super::{Domain, State, Var, Wiped};

/// For each largest value so far, the possible numbers of visible values as bits. Values count from 1; 0 stands for no value. At most 64
/// values can be visible, because they rise.
type Counts = [u128; 65];

/// Whether exactly `count` of the values are visible.
pub(super) fn holds(values: &[u8], count: usize) -> bool {
    let is_visible = |at: &usize| values[..*at].iter().all(|before| *before < values[*at]);
    (0..values.len()).filter(is_visible).count() == count
}

/// Removes every unsupported value.
pub(super) fn propagate(vars: &[Var], count: usize, state: &mut State) -> Result<(), Wiped> {
    let wanted = u32::try_from(count).ok().and_then(|count| 1_u128.checked_shl(count)).unwrap_or(0);
    let mut completes = vec![[wanted; 65]];
    for &var in vars.iter().rev() {
        let later = completes[completes.len() - 1];
        completes.push(std::array::from_fn(|largest| {
            state.domain(var).values().fold(0, |counts, value| counts | completing(&later, largest, value))
        }));
    }
    let mut reached: Counts = [0; 65];
    reached[0] = 1;
    if completes.pop().is_none_or(|counts| counts[0] & 1 == 0) {
        return Err(Wiped);
    }
    for &var in vars {
        let later = completes.pop().unwrap_or([0; 65]);
        let (mut next, mut supported): (Counts, _) = ([0; 65], Domain::EMPTY);
        for value in state.domain(var).values() {
            for (largest, counts) in reached.iter().enumerate() {
                let counts = counts & completing(&later, largest, value);
                let seen = usize::from(value) + 1;
                let is_visible = seen > largest;
                next[largest.max(seen)] |= counts << u32::from(is_visible);
                if counts != 0 {
                    supported = supported.union(Domain::only(value));
                }
            }
        }
        state.keep(var, supported)?;
        reached = next;
    }
    Ok(())
}

/// The numbers of visible values before a variable from which this value of it leads to the count. `later` are those after it.
fn completing(later: &Counts, largest: usize, value: u8) -> u128 {
    let seen = usize::from(value) + 1;
    if seen > largest { later[seen] >> 1 } else { later[largest] }
}
