//! The constraint that values differ and that some of them are visible: those that are larger than all values before them, as a person sees
//! the taller buildings of a row behind the lower ones. The filter is exact if all values are below 10. Otherwise, it filters by
//! all-different, and counts the visible values once all are known.
//!
//! The exact filter visits the sets of values that the first variables can have. A set determines the next variable and whether a further
//! value is visible. A value stays if it leads from such a set to one from which the later variables complete the count.

use super::{Domain, State, Var, Wiped, all_different};

/// The exact filter handles the values 0 to 9. More variables than that cannot have different values.
const VALUES: usize = 10;

/// For each set of values, the possible numbers of visible values as bits.
type Counts = [u16; 1 << VALUES];

/// Whether the values differ and exactly `count` of them are visible.
pub(super) fn holds(values: &[u8], count: usize) -> bool {
    let is_visible = |at: &usize| values[..*at].iter().all(|before| *before < values[*at]);
    all_different::holds(values) && (0..values.len()).filter(is_visible).count() == count
}

/// Removes unsupported values. If all values are below [`VALUES`], no unsupported value remains.
pub(super) fn propagate(vars: &[Var], count: usize, state: &mut State) -> Result<(), Wiped> {
    let is_small = |var: &Var| state.domain(*var).mask() >> VALUES == 0;
    if vars.len() <= VALUES && vars.iter().all(is_small) {
        return exact(vars, count, state);
    }
    all_different::propagate(vars, state)?;
    let known: Vec<u8> = vars.iter().filter_map(|var| state.domain(*var).single()).collect();
    if known.len() < vars.len() || holds(&known, count) { Ok(()) } else { Err(Wiped) }
}

fn exact(vars: &[Var], count: usize, state: &mut State) -> Result<(), Wiped> {
    let wanted = u32::try_from(count).ok().and_then(|count| 1_u16.checked_shl(count)).unwrap_or(0);
    let all = vars.iter().fold(Domain::EMPTY, |all, var| all.union(state.domain(*var)));
    let end = all.max().map_or(1, |max| 2_usize << max);
    let mut reached: Counts = [0; 1 << VALUES];
    reached[0] = 1;
    for set in 0..end {
        let Some(var) = vars.get(set.count_ones() as usize).filter(|_| reached[set] != 0) else { continue };
        for value in bits(state.domain(*var), !set) {
            reached[set | value] |= if value > set { reached[set] << 1 } else { reached[set] };
        }
    }
    let (mut supported, mut completing): (_, Counts) = ([0; VALUES], [0; 1 << VALUES]);
    for set in (1..end).rev().filter(|set| reached[*set] != 0) {
        let at = set.count_ones() as usize - 1;
        if at + 1 == vars.len() {
            completing[set] = reached[set] & wanted;
        }
        for value in bits(state.domain(vars[at]), set) {
            let before = set & !value;
            let counts = if value > before { completing[set] >> 1 } else { completing[set] } & reached[before];
            completing[before] |= counts;
            supported[at] |= if counts == 0 { 0 } else { value as u64 };
        }
    }
    let kept = vars.iter().zip(supported).try_for_each(|(var, values)| state.keep(*var, Domain::from_mask(values)));
    if vars.is_empty() && count > 0 { Err(Wiped) } else { kept }
}

/// The values of a domain that are in a set, each as the set of it alone.
fn bits(domain: Domain, set: usize) -> impl Iterator<Item = usize> {
    domain.values().map(|value| 1 << value).filter(move |value| set & value != 0)
}
