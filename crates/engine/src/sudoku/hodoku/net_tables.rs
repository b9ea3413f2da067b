//! Tables of the consequences of each candidate by four rounds of singles, with the causes of each consequence.

use super::{
    implications::Implications,
    nets::group_links,
    nodes::{Node, candidate, is_true, single},
    pace::Pace,
    position::Position,
};
use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, HOMES, SEEN, bits, cells, one},
};

/// The number of rounds of singles from one candidate.
const ROUNDS: usize = 4;

/// The maximum number of causes of one entry.
const CAUSES_MAX: usize = 5;

/// One consequence of the start of its table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) node: Node,
    /// The indices of the entries that this entry depends on: the first one, and each further one that is not 0. Index
    /// 0 is the start.
    pub(super) causes: [u16; CAUSES_MAX],
    /// A measure of the distance from the start.
    pub(super) distance: u16,
}

/// The tables of all candidates, true and false.
pub(super) struct NetTables {
    entries: Vec<Vec<Entry>>,
}

impl NetTables {
    pub(super) fn of(position: &Position, pace: &Pace<'_>, implications: &Implications) -> Self {
        let mut entries = vec![Vec::new(); CELLS * 20];
        let mut spinner = Spinner { before: position, number: vec![NONE; CELLS * 20], entries: Vec::new() };
        for (cell, digit) in position.candidates() {
            for starts_true in [true, false] {
                let start = single(cell, digit, starts_true);
                spinner.spin(start);
                for group in group_links(implications, start) {
                    spinner.push(group, &[]);
                }
                entries[usize::from(start)] = std::mem::take(&mut spinner.entries);
                if pace.is_cut(entries[usize::from(start)].len()) {
                    return Self { entries };
                }
            }
        }
        Self { entries }
    }

    /// The consequences of a candidate, starting with itself. `None` for a group.
    pub(super) fn of_node(&self, start: Node) -> Option<&[Entry]> {
        self.entries.get(usize::from(start)).map(Vec::as_slice)
    }
}

const NONE: u16 = u16::MAX;

const ENTRIES_FIT: &str = "each of 81 cells is filled once, and adds at most 29 entries";

/// Builds the tables one after the other.
struct Spinner<'a> {
    before: &'a Position,
    number: Vec<u16>,
    entries: Vec<Entry>,
}

/// Why a cell takes a digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Start,
    Naked,
    Hidden,
}

impl Spinner<'_> {
    fn spin(&mut self, start: Node) {
        self.number.fill(NONE);
        let Some((cell, digit)) = candidate(start) else { return };
        let mut position = self.before.clone();
        if is_true(start) {
            self.place(&mut position, (cell, digit), Reason::Start);
        } else {
            position.remove(cell, digit);
            self.push(start, &[]);
            let left = position.of_cell(cell);
            if left.is_power_of_two() {
                self.place(&mut position, (cell, left.trailing_zeros() as usize), Reason::Start);
            }
        }
        let mut found = Vec::new();
        for _ in 0..ROUNDS {
            singles(&position, &mut found);
            for &(single, reason) in &found {
                self.place(&mut position, single, reason);
            }
        }
    }

    fn place(&mut self, position: &mut Position, (cell, digit): (usize, usize), reason: Reason) {
        let removed = self.before.of_digit(digit) & SEEN[cell];
        let others = position.of_cell(cell) & !(1 << digit);
        let (mut causes, mut len) = ([0; CAUSES_MAX], 0);
        let mut rests_on = |node: Node| {
            if len < CAUSES_MAX {
                let number = self.number[usize::from(node)];
                causes[len] = if number == NONE { 0 } else { number };
                len += 1;
            }
        };
        match reason {
            Reason::Start => (),
            Reason::Naked => {
                let before = self.before.of_cell(cell) & !(1 << digit);
                bits(before).for_each(|other| rests_on(single(cell, other, false)));
            }
            Reason::Hidden => {
                let house = narrowest(position, cell, digit);
                let places: Cells = self.before.places(house, digit) & !one(cell);
                cells(places).for_each(|other| rests_on(single(other, digit, false)));
            }
        }
        position.place(cell, digit);
        let number = self.entries.len();
        self.push(single(cell, digit, true), &causes);
        let cause = [u16::try_from(number).expect(ENTRIES_FIT)];
        cells(removed).for_each(|peer| self.push(single(peer, digit, false), &cause));
        bits(others).for_each(|other| self.push(single(cell, other, false), &cause));
    }

    /// Adds an entry, if it is new.
    fn push(&mut self, node: Node, causes: &[u16]) {
        if candidate(node).is_some() {
            if self.number[usize::from(node)] != NONE {
                return;
            }
            self.number[usize::from(node)] = u16::try_from(self.entries.len()).expect(ENTRIES_FIT);
        }
        let mut all = [0; CAUSES_MAX];
        all.iter_mut().zip(causes).for_each(|(slot, &cause)| *slot = cause);
        let distance = self.entries.get(usize::from(all[0])).map_or(1, |cause| cause.distance + 1);
        // The latest cause determines the path back.
        for later in 1..CAUSES_MAX {
            if all[later] > all[0] {
                all.swap(0, later);
            }
        }
        self.entries.push(Entry { node, causes: all, distance });
    }
}

/// The house of a cell in which a digit has the fewest places. Of equal houses, the row comes first, then the column.
fn narrowest(position: &Position, cell: usize, digit: usize) -> usize {
    let houses = HOMES[cell].map(|(house, _)| house);
    houses.into_iter().min_by_key(|&house| position.free(house, digit)).unwrap_or(houses[0])
}

/// All singles of the position: first the naked singles, then the hidden singles, one per cell.
fn singles(position: &Position, found: &mut Vec<((usize, usize), Reason)>) {
    found.clear();
    let open = |&(cell, _): &(usize, usize)| position.value(cell) == 0;
    found.extend(position.naked.iter().filter(open).map(|single| (single, Reason::Naked)));
    let mut taken: Cells = 0;
    for (cell, digit) in position.hidden.iter().filter(open) {
        let is_single = HOMES[cell].iter().any(|&(house, _)| position.free(house, digit) == 1);
        if is_single && taken & one(cell) == 0 {
            taken |= one(cell);
            found.push(((cell, digit), Reason::Hidden));
        }
    }
}
