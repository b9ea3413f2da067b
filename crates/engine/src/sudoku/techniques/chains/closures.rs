//! Caches the closures of the assumptions in a position. A closure is kept for the next position as long as no lost
//! candidate adds to it.

use super::{
    Ground,
    closure::{Closure, Gone},
    hint::Rules,
    nodes::{NODES, Node, Notes},
    spread::Layout,
};
use crate::shared::budget::{Budget, OutOfBudget};

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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::sudoku::{
        board::Grid,
        techniques::{Bounds, Candidates, climb, geometry::bits},
    };

    #[test]
    fn cached_closures_contain_all_of_new_ones() {
        for line in [
            "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
            "000040060700000003900003001600008020000002090052310000000800004000001030078020900",
        ] {
            let mut position = Candidates::of(&Grid::parse(line).unwrap()).unwrap();
            let never = AtomicBool::new(false);
            let mut kept = [(); 3].map(|()| Closures::default());
            climb(&mut position, Bounds::NONE, &mut Budget::new(1_000_000, &never), |position, _| {
                let rules = [Rules::MULTIPLE, Rules::NISHIO, Rules::dynamic(0)];
                for (kept, rules) in kept.iter_mut().zip(rules) {
                    check(kept, &Ground::of(position), rules);
                }
            });
        }
    }

    fn check(kept: &mut Closures, ground: &Ground, rules: Rules) {
        let (never, mut made) = (AtomicBool::new(false), Closures::default());
        kept.resume(ground, rules);
        made.resume(ground, rules);
        let budget = &mut Budget::new(10_000_000, &never);
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
