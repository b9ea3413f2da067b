//! Parts of the checker of steps: proofs by chains (each link against its premises, and the step against what all
//! branches imply), and proofs from the rule that the puzzle has one solution.

use super::checker::{Notes, excludes, is_possible, sees};
use crate::{
    shared::step::{Chain, House, HouseType, Link, SingleIn, Statement},
    sudoku::board::HOUSES,
};

/// The statements that hold in a branch.
type Known = Vec<Statement>;

/// The statements that the chains of a step imply in each branch. `None` unless every link holds and one of the assumptions must
/// be true.
pub(super) fn branches(notes: &Notes, chains: &[Chain]) -> Option<Vec<Known>> {
    let mut branches = Vec::new();
    for chain in chains {
        let mut known = vec![chain.assumption];
        for link in &chain.links {
            if !link.premises.iter().all(|premise| known.contains(premise)) || !holds(notes, link) {
                return None;
            }
            known.push(link.then);
        }
        branches.push(known);
    }
    if let [only] = chains {
        branches.push(vec![negated(only.assumption)]);
    }
    is_exhaustive(notes, &branches).then_some(branches)
}

/// Whether every branch implies a claim.
pub(super) fn agree(branches: &[Known], claim: Statement) -> bool {
    branches.iter().all(|known| is_contradictory(known) || follows(known, claim))
}

fn follows(known: &[Statement], claim: Statement) -> bool {
    let rules_out = |other: &Statement| other.holds && excludes(candidate(*other), candidate(claim));
    known.contains(&claim) || !claim.holds && known.iter().any(rules_out)
}

fn is_contradictory(known: &[Statement]) -> bool {
    known.iter().any(|&statement| known.contains(&negated(statement)))
}

/// Whether the first statement of some branch must be true, because the first statements cover both values of a candidate, or all
/// options of a cell or a house.
fn is_exhaustive(notes: &Notes, branches: &[Known]) -> bool {
    let starts: Vec<_> = branches.iter().filter_map(|known| known.first().copied()).collect();
    let covers =
        |all: Vec<(usize, u8)>| !all.is_empty() && all.iter().all(|&(cell, digit)| starts.contains(&on(cell, digit)));
    let Some(&first) = starts.first() else { return false };
    starts.contains(&negated(first))
        || covers(notes.digits_of(usize::from(first.cell)))
        || HOUSES.iter().any(|house| covers(notes.places_in(house, first.digit)))
}

/// Whether a link follows from its premises in this position.
fn holds(notes: &Notes, link: &Link) -> bool {
    let then = candidate(link.then);
    if !link.pattern.is_empty() {
        let mut left = notes.clone();
        link.premises.iter().filter(|premise| !premise.holds).for_each(|&premise| left.remove(candidate(premise)));
        return !link.then.holds && !is_possible(&left.truths(&link.pattern), &[then]);
    }
    if !link.then.holds {
        return link.premises.iter().any(|premise| premise.holds && excludes(candidate(*premise), then));
    }
    let is_gone = |&rival: &(usize, u8)| rival == then || link.premises.contains(&negated(on(rival.0, rival.1)));
    let rivals = match &link.single_in {
        Some(SingleIn::Cell(cell)) if usize::from(*cell) == then.0 => notes.digits_of(then.0),
        Some(SingleIn::House(house)) => notes.places_in(&HOUSES[index(house)], then.1),
        _ => return false,
    };
    notes.has(then) && rivals.contains(&then) && rivals.iter().all(is_gone)
}

/// The index of a house in [`HOUSES`].
fn index(house: &House) -> usize {
    let first = match house.house_type {
        HouseType::Column => 9,
        HouseType::Box => 18,
        _ => 0,
    };
    first + usize::from(house.number.clamp(1, 9)) - 1
}

fn negated(statement: Statement) -> Statement {
    Statement { holds: !statement.holds, ..statement }
}

fn candidate(statement: Statement) -> (usize, u8) {
    (usize::from(statement.cell), statement.digit)
}

#[expect(clippy::cast_possible_truncation, reason = "cells are below 81")]
fn on(cell: usize, digit: u8) -> Statement {
    Statement { cell: cell as u16, digit, holds: true }
}

/// Sets of candidates, each of which contains a true one because the puzzle has one solution: those that keep the cells of a
/// pattern from being filled with two digits in two ways, and those that keep the position from being a grave.
pub(super) fn deadly_truths(notes: &Notes, pattern: &[usize]) -> Vec<Vec<(usize, u8)>> {
    let mut truths = Vec::new();
    for pair in (1..=9).flat_map(|first| (first + 1..=9).map(move |second| [first, second])) {
        let members: Vec<_> =
            pattern.iter().copied().filter(|&cell| pair.iter().all(|&digit| notes.has((cell, digit)))).collect();
        for chosen in (0_u32..1 << members.len().min(MEMBERS_MAX)).filter(|chosen| chosen.count_ones() >= 4) {
            let ring: Vec<_> = (0..members.len()).filter(|at| chosen & 1 << at != 0).map(|at| members[at]).collect();
            if is_ring(&ring) {
                let extra = ring.iter().flat_map(|&cell| notes.digits_of(cell));
                truths.push(extra.filter(|(_, digit)| !pair.contains(digit)).collect());
            }
        }
    }
    let mut left = notes.clone();
    truths.extend(surplus(&mut left, 0, Vec::new()));
    truths
}

/// The maximum number of cells of a pattern that are tried as a ring. No pattern has more.
const MEMBERS_MAX: usize = 14;

/// Whether each house has none or two of these cells, and two colors suffice to give the two cells of each house different ones.
fn is_ring(ring: &[usize]) -> bool {
    let in_house = |house: &[u8; 9]| ring.iter().filter(|&&cell| house.contains(&small(cell))).count();
    if !HOUSES.iter().all(|house| matches!(in_house(house), 0 | 2)) {
        return false;
    }
    let mut color = vec![None; ring.len()];
    for start in 0..ring.len() {
        let mut todo = if color[start].is_none() { vec![(start, false)] } else { Vec::new() };
        while let Some((at, side)) = todo.pop() {
            if let Some(before) = color[at] {
                if before != side {
                    return false;
                }
                continue;
            }
            color[at] = Some(side);
            let seen = (0..ring.len()).filter(|&other| sees(ring[at], ring[other]));
            todo.extend(seen.map(|other| (other, !side)));
        }
    }
    true
}

#[expect(clippy::cast_possible_truncation, reason = "cells are below 81")]
fn small(cell: usize) -> u8 {
    cell as u8
}

/// The candidates whose removal leaves two candidates in every cell, and two places for each digit in every house that lacks it.
fn surplus(left: &mut Notes, from: usize, gone: Vec<(usize, u8)>) -> Option<Vec<(usize, u8)>> {
    let full = (from..81).find(|&cell| left.digits_of(cell).len() > 2);
    let Some(cell) = full else {
        let has_two = |count: usize| matches!(count, 0 | 2);
        let cells = (0..81).all(|cell| has_two(left.digits_of(cell).len()));
        let houses = HOUSES.iter().all(|house| (1..=9).all(|digit| has_two(left.places_in(house, digit).len())));
        return (cells && houses && !gone.is_empty()).then_some(gone);
    };
    if gone.len() > SURPLUS_MAX {
        return None;
    }
    let digits = left.digits_of(cell);
    for kept in
        digits.iter().enumerate().flat_map(|(at, first)| digits[at + 1..].iter().map(move |second| [first, second]))
    {
        let out: Vec<_> = digits.iter().copied().filter(|candidate| !kept.contains(&candidate)).collect();
        let mut next = left.clone();
        for &candidate in &out {
            next.remove(candidate);
        }
        if let Some(found) = surplus(&mut next, cell + 1, [&gone[..], &out].concat()) {
            return Some(found);
        }
    }
    None
}

/// The maximum number of surplus candidates that are tried. No grave that a step uses has more.
const SURPLUS_MAX: usize = 8;
