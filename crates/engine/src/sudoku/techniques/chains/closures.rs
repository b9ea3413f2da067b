//! The consequences of an assumption as sets, without order, parents, or lengths. A net has no more consequences than these. So if
//! the sets show that branches have nothing in common, no nets are built. A closure is kept for the next position as long as no
//! lost candidate adds to it.

use super::{
    Ground,
    hint::Rules,
    nodes::{NODES, Node, Notes, WAYS},
    spread::Layout,
};
use crate::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::techniques::geometry::{Cells, HOMES, HOUSE_CELLS, Mask, bits, cells, has_several, one},
};

/// The closures under some rules, computed when first needed.
#[derive(Debug, Default)]
pub(super) struct Closures {
    made: Vec<Closure>,
    /// Whether each closure is still valid.
    holds: Vec<bool>,
    /// The index of each node's closure, or [`NONE`] if there is none yet.
    places: Vec<u16>,
    /// The position for which the closures are valid.
    notes: Option<(Rules, Notes)>,
    /// The preprocessed form of that position.
    layout: Layout,
}

impl Closures {
    /// Moves to another position. Keeps the closures if the position only lost candidates, and none of the lost
    /// candidates adds a consequence.
    pub(super) fn resume(&mut self, ground: &Ground, rules: Rules) {
        let now = &ground.notes;
        let before = self.notes.replace((rules, *now)).filter(|(before, _)| *before == rules).map(|(_, notes)| notes);
        self.layout.lay_out(now, rules);
        let Some(gone) = before.and_then(|before| Gone::between(&before, now, rules)) else {
            self.made.clear();
            self.holds.clear();
            self.places.clear();
            self.places.resize(NODES, NONE);
            return;
        };
        for (holds, closure) in self.holds.iter_mut().zip(&self.made).filter(|(holds, _)| **holds) {
            *holds = !closure.is_moved(&gone);
        }
    }

    /// Whether a candidate may lead to a contradiction if taken as true or as false, or both may have a common
    /// consequence.
    pub(super) fn may_decide(
        &mut self,
        ground: &Ground,
        rules: Rules,
        start: Node,
        budget: &mut Budget<'_>,
    ) -> Result<bool, OutOfBudget> {
        let both = [start, start.negated()];
        for start in both {
            self.learn(ground, rules, start, budget)?;
        }
        let has_clash = both.iter().any(|start| self.of(*start).has_clash);
        Ok(has_clash || !rules.one_digit && self.meet(&ground.notes, both.into_iter()))
    }

    /// Whether all of these assumptions may have a common consequence.
    pub(super) fn may_meet(
        &mut self,
        ground: &Ground,
        rules: Rules,
        starts: impl Iterator<Item = Node> + Clone,
        budget: &mut Budget<'_>,
    ) -> Result<bool, OutOfBudget> {
        for start in starts.clone() {
            self.learn(ground, rules, start, budget)?;
        }
        Ok(self.meet(&ground.notes, starts))
    }

    fn meet(&self, notes: &Notes, starts: impl Iterator<Item = Node>) -> bool {
        let (mut complete, mut len) = ([&Closure::EMPTY; 9], 0);
        for closure in starts.map(|start| self.of(start)).filter(|closure| !closure.has_clash) {
            complete[len] = closure;
            len += 1;
        }
        Closure::meet(notes, &complete[..len])
    }

    fn learn(
        &mut self,
        ground: &Ground,
        rules: Rules,
        start: Node,
        budget: &mut Budget<'_>,
    ) -> Result<(), OutOfBudget> {
        let place = &mut self.places[start.index()];
        if *place == NONE {
            *place = u16::try_from(self.made.len()).expect("each of NODES nodes has one closure");
            self.made.push(Closure::EMPTY);
            self.holds.push(false);
        }
        let place = usize::from(*place);
        if !self.holds[place] {
            self.holds[place] = true;
            let arrivals = self.layout.close(&ground.notes, rules, start, &mut self.made[place]);
            budget.take_nodes(1 + arrivals as u64)?;
        }
        Ok(())
    }

    fn of(&self, node: Node) -> &Closure {
        &self.made[usize::from(self.places[node.index()])]
    }
}

/// Marks a node without a closure. There are fewer nodes than this.
const NONE: u16 = u16::MAX;

/// A superset of the consequences of an assumption by singles.
#[derive(Debug, Clone)]
pub(super) struct Closure {
    /// For each digit, the cells in which it is true.
    pub(super) on: [Cells; 10],
    /// For each digit, the cells in which it is ruled out.
    pub(super) off: [Cells; 10],
    /// Whether some candidate is both true and false. If so, the sets are incomplete.
    pub(super) has_clash: bool,
}

impl Closure {
    pub(super) const EMPTY: Self = Self { on: [0; 10], off: [0; 10], has_clash: false };

    /// Whether these closures, which must be complete, have a common consequence for the candidates of a position.
    pub(super) fn meet(notes: &Notes, complete: &[&Self]) -> bool {
        (1..10).any(|digit| {
            let all = notes.of_digit[digit];
            let [on, off] = complete
                .iter()
                .fold([all, all], |[on, off], closure| [on & closure.on[digit], off & closure.off[digit]]);
            on | off != 0
        })
    }

    /// Whether the removal of some candidates may add consequences.
    pub(super) fn is_moved(&self, gone: &Gone) -> bool {
        !self.has_clash
            && match gone {
                Gone::Static(ways) => ways.iter().zip(&self.off).any(|(ways, off)| ways & off != 0),
                Gone::Dynamic(spots) => spots.iter().any(|spot| self.is_moved_at(spot)),
            }
    }

    /// Whether a removal leaves a cell or house with at most one option that is not known to be true.
    fn is_moved_at(&self, spot: &Spot) -> bool {
        let (on, off) = (self.on[spot.digit], self.off[spot.digit]);
        let is_one = |places: Cells| places != 0 && places & on == 0 && has_one_at_most(places & !off);
        off & one(spot.cell) == 0 && (spot.places.into_iter().any(is_one) || self.is_cell_moved(spot))
    }

    fn is_cell_moved(&self, spot: &Spot) -> bool {
        let is_true = |of: &[Cells; 10], digit: usize| of[digit] & one(spot.cell) != 0;
        let mut left = spot.digits;
        for digit in bits(spot.digits) {
            if is_true(&self.on, digit) {
                return false;
            }
            left &= !(Mask::from(is_true(&self.off, digit)) << digit);
        }
        spot.digits != 0 && !has_several(left)
    }
}

/// The possible effects of the candidates that a position has lost.
#[derive(Debug)]
pub(super) enum Gone {
    /// For each digit, the options of the cells and houses in which two options are left.
    Static([Cells; 10]),
    /// Each lost candidate with the options around it.
    Dynamic(Vec<Spot>),
}

/// The location of a lost candidate, and the options left around it.
#[derive(Debug)]
pub(super) struct Spot {
    cell: usize,
    digit: usize,
    /// The other places of the digit in its three houses.
    places: [Cells; 3],
    /// The other digits of the cell. Empty if only one digit counts.
    digits: Mask,
}

impl Gone {
    /// The candidates lost between two positions. `None` if the second has candidates that the first does not have.
    pub(super) fn between(before: &Notes, now: &Notes, rules: Rules) -> Option<Self> {
        if before.of_digit.iter().zip(now.of_digit).any(|(before, now)| now & !before != 0) {
            return None;
        }
        let gone = |digit: usize| before.of_digit[digit] & !now.of_digit[digit];
        let spots = (1..10).flat_map(|digit| cells(gone(digit)).map(move |cell| Spot::at(now, rules, cell, digit)));
        Some(if rules.dynamic { Self::Dynamic(spots.collect()) } else { Self::Static(ways(spots)) })
    }
}

impl Spot {
    fn at(now: &Notes, rules: Rules, cell: usize, digit: usize) -> Self {
        let places = WAYS.map(|way| now.of_digit[digit] & HOUSE_CELLS[HOMES[cell][way].0]);
        Self { cell, digit, places, digits: if rules.one_digit { 0 } else { now.of_cell[cell] } }
    }
}

/// For each digit, the options of the cells and houses in which two options are left.
fn ways(spots: impl Iterator<Item = Spot>) -> [Cells; 10] {
    let mut ways = [0; 10];
    for spot in spots {
        for places in spot.places.into_iter().filter(|places| places.count_ones() == 2) {
            ways[spot.digit] |= places;
        }
        if spot.digits.count_ones() == 2 {
            bits(spot.digits).for_each(|digit| ways[digit] |= one(spot.cell));
        }
    }
    ways
}

/// Whether a set has at most one member.
const fn has_one_at_most(set: Cells) -> bool {
    set & set.wrapping_sub(1) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::level::Tenths,
        sudoku::{
            board::Grid,
            techniques::{Candidates, climb, geometry::bits},
        },
    };

    #[test]
    fn cached_closures_contain_all_of_new_ones() {
        for line in [
            "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
            "000040060700000003900003001600008020000002090052310000000800004000001030078020900",
        ] {
            let mut position = Candidates::of(&Grid::parse(line).unwrap()).unwrap();
            let mut kept = [(); 3].map(|()| Closures::default());
            climb(&mut position, Tenths::MAX, &mut Budget::of_nodes(1_000_000), |position, _| {
                let rules = [Rules::MULTIPLE, Rules::NISHIO, Rules::dynamic(0)];
                for (kept, rules) in kept.iter_mut().zip(rules) {
                    check(kept, &Ground::of(position), rules);
                }
            });
        }
    }

    fn check(kept: &mut Closures, ground: &Ground, rules: Rules) {
        let mut made = Closures::default();
        kept.resume(ground, rules);
        made.resume(ground, rules);
        let budget = &mut Budget::of_nodes(10_000_000);
        for cell in 0..81 {
            let starts = bits(ground.notes.of_cell[cell]).map(|digit| Node::on(cell, digit));
            for start in starts.clone() {
                let new = made.may_decide(ground, rules, start, budget).unwrap();
                assert!(!new || kept.may_decide(ground, rules, start, budget).unwrap(), "{start:?} by {rules:?}");
            }
            let new = made.may_meet(ground, rules, starts.clone(), budget).unwrap();
            assert!(!new || kept.may_meet(ground, rules, starts, budget).unwrap(), "cell {cell} by {rules:?}");
        }
    }
}
