//! What an assumption leads to, as sets alone: no order, no parents, no lengths. A net holds no more than this, so where
//! the sets show that branches cannot meet, no nets need to be grown.

use super::{
    super::geometry::{Cells, HOMES, SEEN, bits, cells, one},
    Ground,
    hint::Rules,
    nodes::{Node, Notes, WAYS, other_digit, other_of_two},
};

/// All that an assumption leads to by singles, or more.
#[derive(Debug, Clone)]
pub(super) struct Closure {
    /// By digit, the cells that it is true in.
    on: [Cells; 10],
    /// By digit, the cells that it is ruled out in.
    off: [Cells; 10],
    /// Whether some candidate comes out both true and false. The sets are not complete then.
    pub(super) has_clash: bool,
}

impl Closure {
    pub(super) const EMPTY: Self = Self { on: [0; 10], off: [0; 10], has_clash: false };

    /// Makes this all that the assumption leads to; `arrivals` is a buffer, which is left with what is true.
    pub(super) fn become_of(&mut self, ground: &Ground, rules: Rules, start: Node, arrivals: &mut Vec<Node>) {
        *self = Self::EMPTY;
        Spread { ground, rules, left: ground.notes, arrivals, closure: self }.run(start);
    }

    /// Whether all of these lead to something in common about the candidates of a position, or may.
    pub(super) fn meet<'a>(notes: &Notes, closures: impl Iterator<Item = &'a Self> + Clone) -> bool {
        let complete = closures.filter(|closure| !closure.has_clash);
        let common = |of: fn(&Self) -> &[Cells; 10]| {
            (1..10)
                .any(|digit| complete.clone().fold(notes.of_digit[digit], |all, closure| all & of(closure)[digit]) != 0)
        };
        common(|closure| &closure.on) || common(|closure| &closure.off)
    }

    /// Whether more may follow in a position than did before these candidates, by digit, went.
    pub(super) fn is_moved(&self, now: &Notes, rules: Rules, gone: &[Cells; 10]) -> bool {
        let counts = |digit: usize| if rules.dynamic { gone[digit] & !self.off[digit] } else { gone[digit] };
        !self.has_clash
            && (1..10).any(|digit| cells(counts(digit)).any(|cell| self.is_moved_at(now, rules, cell, digit)))
    }

    fn is_moved_at(&self, now: &Notes, rules: Rules, cell: usize, digit: usize) -> bool {
        let in_house = |way: usize| {
            let places = now.places(HOMES[cell][way].0, digit);
            let [on, off] = [places & self.on[digit], places & self.off[digit]].map(Cells::count_ones);
            follows(rules, places.count_ones(), on, off)
        };
        let in_cell = || {
            let digits = now.of_cell[cell];
            let among = |of: &[Cells; 10]| bits(digits).map(|digit| u32::from(of[digit] & one(cell) != 0)).sum();
            follows(rules, digits.count_ones(), among(&self.on), among(&self.off))
        };
        WAYS.into_iter().any(in_house) || !rules.one_digit && in_cell()
    }
}

/// Whether something true follows for a cell or house with so many ways out, of which so many are true and ruled out.
fn follows(rules: Rules, ways: u32, on: u32, off: u32) -> bool {
    if rules.dynamic { ways > 0 && on == 0 && off + 1 >= ways } else { ways == 2 && off > 0 }
}

/// A closure on its way.
struct Spread<'a> {
    ground: &'a Ground,
    rules: Rules,
    left: Notes,
    /// What is true, first derived first.
    arrivals: &'a mut Vec<Node>,
    closure: &'a mut Closure,
}

impl Spread<'_> {
    fn run(&mut self, start: Node) {
        self.arrivals.clear();
        if start.is_on() {
            self.arrive(start.cell(), start.digit());
        } else {
            self.rule_out(start.digit(), one(start.cell()));
        }
        let mut at = 0;
        while at < self.arrivals.len() && !self.closure.has_clash {
            let (cell, digit) = (self.arrivals[at].cell(), self.arrivals[at].digit());
            if !self.rules.one_digit {
                for other in bits(self.ground.notes.of_cell[cell] & !(1 << digit)) {
                    self.rule_out(other, one(cell));
                }
            }
            self.rule_out(digit, SEEN[cell] & self.ground.notes.of_digit[digit]);
            at += 1;
        }
    }

    /// Rules a digit out in some cells, and makes true what that leaves.
    fn rule_out(&mut self, digit: usize, places: Cells) {
        let fresh = places & !self.closure.off[digit];
        self.closure.off[digit] |= fresh;
        self.closure.has_clash |= self.rules.dynamic && fresh & self.closure.on[digit] != 0;
        if self.rules.dynamic {
            self.left.of_digit[digit] &= !fresh;
            cells(fresh).for_each(|cell| self.left.of_cell[cell] &= !(1 << digit));
        }
        for cell in cells(fresh) {
            if !self.rules.one_digit
                && let Some(other) = other_digit(self.left.of_cell[cell], digit)
            {
                self.arrive(cell, other);
            }
            self.closure.has_clash |= self.left.of_cell[cell] == 0;
            for way in WAYS {
                let places = self.left.places(HOMES[cell][way].0, digit);
                if let Some(other) = other_of_two(places, cell) {
                    self.arrive(other, digit);
                }
                self.closure.has_clash |= places == 0;
            }
        }
    }

    fn arrive(&mut self, cell: usize, digit: usize) {
        if self.closure.on[digit] & one(cell) == 0 {
            self.closure.on[digit] |= one(cell);
            self.closure.has_clash |= self.rules.dynamic && self.closure.off[digit] & one(cell) != 0;
            self.arrivals.push(Node::on(cell, digit));
        }
    }
}
