//! Forcing chains: conclusions that follow from each of several candidates of which one is true, or from a candidate
//! that contradicts itself.

use super::{
    closure::{Closure, Consequences},
    implications::Implications,
    nodes::single,
    pace::Pace,
    position::Position,
    search::Search,
    step::{Candidate, Effect},
};
use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, HOUSE_CELLS, bits, cells, one},
};

/// The consequences of each candidate, both if it is true and if it is false.
pub(super) struct Tables {
    of: Vec<[Consequences; 2]>,
}

impl Tables {
    pub(super) fn new() -> Self {
        Self { of: vec![[Consequences::default(); 2]; CELLS * 10] }
    }

    pub(super) fn get(&self, (cell, digit): Candidate, is_true: bool) -> &Consequences {
        &self.of[cell * 10 + digit][usize::from(is_true)]
    }

    pub(super) fn set(&mut self, (cell, digit): Candidate, is_true: bool, follows: &Consequences) {
        self.of[cell * 10 + digit][usize::from(is_true)] = *follows;
    }
}

/// A conclusion with its proof.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conclusion<'a> {
    /// The candidate that is placed or removed.
    pub(super) candidate: Candidate,
    /// Whether the candidate is placed.
    pub(super) is_true: bool,
    /// The chains that prove the conclusion.
    pub(super) proof: Proof<'a>,
}

/// The chains of a proof: their starts and ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Proof<'a> {
    /// Chains from one start, true or false, to ends that cannot all hold.
    Contradiction { start: (Candidate, bool), ends: Ends<'a> },
    /// Chains to the conclusion from the candidate `start`, both true and false.
    BothWays { start: Candidate },
    /// Chains to the conclusion from each of these candidates, taken as true.
    Each { starts: &'a [Candidate] },
}

/// The ends of contradictory chains.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ends<'a> {
    /// The opposite of the start.
    Contrary,
    /// One candidate, both true and false.
    Both(Candidate),
    /// All of these candidates true.
    AllTrue(&'a [Candidate]),
    /// All of these candidates false.
    AllFalse(&'a [Candidate]),
}

/// If every place of a digit in a house, or every digit of a cell, implies the same statement about a candidate, the
/// statement is true. If a candidate contradicts itself, its opposite is true: Forcing Chain. Placements come first,
/// then the order of cells.
pub(super) fn forcing_chain(search: &Search<'_>) -> Option<Effect> {
    let position = search.position;
    let implications = Implications::of(position, true);
    let mut closure = Closure::new(implications.nodes.count());
    implications.all_links().for_each(|(from, to)| closure.link(from, to));
    let mut tables = Tables::new();
    for (cell, digit) in position.candidates() {
        for is_true in [true, false] {
            tables.set((cell, digit), is_true, &closure.follow(single(cell, digit, is_true)));
            if search.pace.is_cut(closure.count()) {
                return None;
            }
        }
    }
    best_conclusion(position, &search.pace, &tables, |_| true)
}

/// The conclusion that HoDoKu takes if `holds` accepts several: the first placement by cell, or else the first removal
/// by cell and digit.
pub(super) fn best_conclusion(
    position: &Position,
    pace: &Pace<'_>,
    tables: &Tables,
    mut holds: impl FnMut(Conclusion<'_>) -> bool,
) -> Option<Effect> {
    let rank = |(cell, digit): Candidate, is_true: bool| if is_true { (0, cell, 0) } else { (1, cell, digit) };
    let mut best: Option<((usize, usize, usize), Effect)> = None;
    each_conclusion(position, pace, tables, &mut |conclusion: Conclusion<'_>| {
        let Conclusion { candidate, is_true, .. } = conclusion;
        let rank = rank(candidate, is_true);
        if best.as_ref().is_none_or(|(best, _)| rank < *best) && holds(conclusion) {
            let effect = if is_true { Effect::Place(candidate) } else { Effect::Remove(vec![candidate]) };
            best = Some((rank, effect));
        }
    });
    best.map(|(_, effect)| effect)
}

/// The number of looks of a search for contradictions from one candidate: twice each house by digit, twice.
const LOOKS_FOR_CONTRADICTIONS: usize = 1_000;

type Sink<'s> = dyn FnMut(Conclusion<'_>) + 's;

fn each_conclusion(position: &Position, pace: &Pace<'_>, tables: &Tables, sink: &mut Sink<'_>) {
    let allowed = position.allowed();
    for start in position.candidates() {
        if pace.is_cut(LOOKS_FOR_CONTRADICTIONS) {
            return;
        }
        for is_true in [true, false] {
            contradictions(position, &allowed, tables.get(start, is_true), (start, is_true), sink);
        }
    }
    for start in position.candidates() {
        let (on, off) = (tables.get(start, true), tables.get(start, false));
        for digit in 1..10 {
            let either = |a: Cells, b: Cells| cells(a & b & !one(start.0));
            let proof = Proof::BothWays { start };
            for cell in either(on.on[digit], off.on[digit]) {
                sink(Conclusion { candidate: (cell, digit), is_true: true, proof });
            }
            for cell in either(on.off[digit], off.off[digit]) {
                sink(Conclusion { candidate: (cell, digit), is_true: false, proof });
            }
        }
    }
    for cell in cells(position.empty()) {
        let starts: Vec<_> = bits(position.of_cell(cell)).map(|digit| (cell, digit)).collect();
        common(tables, &starts, sink);
    }
    for house in 0..27 {
        for digit in 1..10 {
            let starts: Vec<_> = cells(position.places(house, digit)).map(|cell| (cell, digit)).collect();
            common(tables, &starts, sink);
        }
    }
}

/// The common consequences of several candidates of which one is true.
fn common(tables: &Tables, starts: &[Candidate], sink: &mut Sink<'_>) {
    let Some((&first, others)) = starts.split_first() else { return };
    let mut all = *tables.get(first, true);
    for &other in others {
        let of_other = tables.get(other, true);
        for digit in 1..10 {
            all.on[digit] &= of_other.on[digit];
            all.off[digit] &= of_other.off[digit];
        }
    }
    let proof = Proof::Each { starts };
    for digit in 1..10 {
        cells(all.on[digit]).for_each(|cell| sink(Conclusion { candidate: (cell, digit), is_true: true, proof }));
        cells(all.off[digit]).for_each(|cell| sink(Conclusion { candidate: (cell, digit), is_true: false, proof }));
    }
}

/// The contradictions among the consequences of a start.
fn contradictions(
    position: &Position,
    allowed: &[Cells; 10],
    follows: &Consequences,
    start: (Candidate, bool),
    sink: &mut Sink<'_>,
) {
    let ((cell, digit), starts_true) = start;
    let mut conclude = |ends: Ends<'_>| {
        let proof = Proof::Contradiction { start, ends };
        sink(Conclusion { candidate: (cell, digit), is_true: !starts_true, proof });
    };
    let contrary = if starts_true { follows.off[digit] } else { follows.on[digit] };
    if contrary & one(cell) != 0 {
        conclude(Ends::Contrary);
    }
    let first = |set: Cells, digit: usize| cells(set).next().map(|cell| (cell, digit));
    for digit in 1..10 {
        if let Some(both) = first(follows.on[digit] & follows.off[digit], digit) {
            conclude(Ends::Both(both));
        }
    }
    for one_digit in 1..10 {
        for other in one_digit + 1..10 {
            if let Some((cell, _)) = first(follows.on[one_digit] & follows.on[other], one_digit) {
                conclude(Ends::AllTrue(&[(cell, one_digit), (cell, other)]));
            }
        }
    }
    let by_digit = |digit: usize, set: Cells| -> Vec<Candidate> { cells(set).map(|cell| (cell, digit)).collect() };
    for digit in 1..10 {
        for house in HOUSE_CELLS {
            let twice = follows.on[digit] & house;
            if twice & twice.wrapping_sub(1) != 0 {
                conclude(Ends::AllTrue(&by_digit(digit, twice)));
            }
        }
    }
    let on = follows.on.iter().fold(0, |all, cells| all | cells);
    let possible = (1..10).fold(on, |all, digit| all | position.of_digit(digit) & !follows.off[digit]);
    for cell in cells(position.empty() & !possible) {
        let all: Vec<_> = bits(position.of_cell(cell)).map(|digit| (cell, digit)).collect();
        conclude(Ends::AllFalse(&all));
    }
    for (digit, allowed) in (0..).zip(allowed).skip(1) {
        for house in HOUSE_CELLS {
            // Like HoDoKu, counts each place that no filled cell sees, even if the candidate was removed there.
            let places = allowed & house;
            if places != 0 && places & !follows.off[digit] == 0 {
                conclude(Ends::AllFalse(&by_digit(digit, places)));
            }
        }
    }
}
