//! The closures of the assumptions in a position, kept from one position of a climb to the next as long as nothing that is
//! gone adds to them.

use super::{
    super::geometry::Cells,
    Ground,
    closure::Closure,
    hint::Rules,
    nodes::{NODES, Node, Notes},
};
use crate::engine::budget::{Budget, OutOfBudget};

/// The closures by some rules, made when first needed.
#[derive(Debug, Default)]
pub(super) struct Closures {
    closures: Vec<Closure>,
    /// Whether each of them holds.
    holds: Vec<bool>,
    /// By node, the place of its closure, [`NONE`] if there is none yet.
    places: Vec<u16>,
    /// The position that they hold in.
    notes: Option<(Rules, Notes)>,
    arrivals: Vec<Node>,
}

impl Closures {
    /// Goes on to another position. What is known stays if all that differs is that candidates are gone, and none of these
    /// made anything follow.
    pub(super) fn go_on(&mut self, ground: &Ground, rules: Rules) {
        let now = &ground.notes;
        let before = self.notes.replace((rules, *now)).filter(|(before, _)| *before == rules).map(|(_, notes)| notes);
        let gone = before.and_then(|before| gone(&before, now));
        let Some(gone) = gone else {
            self.closures.clear();
            self.holds.clear();
            self.places.clear();
            self.places.resize(NODES, NONE);
            return;
        };
        for (holds, closure) in self.holds.iter_mut().zip(&self.closures).filter(|(holds, _)| **holds) {
            *holds = !closure.is_moved(now, rules, &gone);
        }
    }

    /// Whether a candidate, taken as true or as false, may lead to a contradiction, or both to something in common.
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

    /// Whether all of these assumptions may lead to something in common.
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

    fn meet(&self, notes: &Notes, starts: impl Iterator<Item = Node> + Clone) -> bool {
        Closure::meet(notes, starts.map(|start| self.of(start)))
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
            *place = u16::try_from(self.closures.len()).unwrap_or(NONE);
            self.closures.push(Closure::EMPTY);
            self.holds.push(false);
        }
        let place = usize::from(*place);
        if !self.holds[place] {
            self.holds[place] = true;
            self.closures[place].become_of(ground, rules, start, &mut self.arrivals);
            budget.take_nodes(1 + self.arrivals.len() as u64)?;
        }
        Ok(())
    }

    fn of(&self, node: Node) -> &Closure {
        &self.closures[usize::from(self.places[node.index()])]
    }
}

/// No place; there are fewer nodes than this.
const NONE: u16 = u16::MAX;

/// By digit, the cells where it was a candidate and no longer is; none if there are new candidates.
fn gone(before: &Notes, now: &Notes) -> Option<[Cells; 10]> {
    let is_within = before.of_digit.iter().zip(now.of_digit).all(|(before, now)| now & !before == 0);
    is_within.then(|| std::array::from_fn(|digit| before.of_digit[digit] & !now.of_digit[digit]))
}
