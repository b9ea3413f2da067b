//! A chain as a hint: what it starts from, where it ends, how long it is, and which of two is taken.

use super::nodes::Node;
use crate::level::Tenths;

/// Which implications a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Rules {
    /// Whether what is ruled out on the way counts as gone, so that new singles appear.
    pub(super) dynamic: bool,
    /// Whether only one digit is looked at.
    pub(super) one_digit: bool,
    /// Whether cells and houses with more than two ways out are branched over.
    pub(super) multiple: bool,
    /// 0 for singles alone, 1 with locked candidates, pairs and X-Wings inside, 2 to 5 with chains inside.
    pub(super) level: u8,
}

impl Rules {
    /// One digit, dynamic: Nishio.
    pub(in super::super) const NISHIO: Self = Self { dynamic: true, one_digit: true, multiple: false, level: 0 };
    /// Static chains from the ways out of a cell or house.
    pub(in super::super) const MULTIPLE: Self = Self { dynamic: false, one_digit: false, multiple: true, level: 0 };

    /// Dynamic chains with what `level` adds.
    pub(in super::super) const fn dynamic(level: u8) -> Self {
        Self { dynamic: true, one_digit: false, multiple: true, level }
    }

    /// The rating of the shortest such chain.
    pub(in super::super) fn easiest(self) -> Tenths {
        Tenths(self.base())
    }

    fn base(self) -> u8 {
        match (self.level, self.one_digit, self.dynamic) {
            (0, true, _) => 75,
            (0, _, false) => 80,
            (0, _, true) => 85,
            (level, ..) => 85 + 5 * level,
        }
    }
}

/// A chain, or several, found in a position. `proof.rs` draws it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct ChainHint {
    /// What it is.
    pub(super) kind: Kind,
    /// Its rating.
    pub(super) rating: Tenths,
    /// Nodes of all its chains, those of nested chains included.
    pub(super) nodes: u16,
}

/// The kinds of chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Kind {
    /// A cycle through `start`, closed by leaving `last` from `before`; both ways round it holds.
    Cycle { links: Links, start: Node, before: Node, last: Node },
    /// A statement that implies its contrary.
    Forcing { links: Links, start: Node },
    /// A statement that implies that some candidate is true and false.
    Contradiction { rules: Rules, start: Node },
    /// A candidate that implies the target whether it is true or false.
    Double { rules: Rules, start: Node, target: Node },
    /// Every digit of a cell implies the target.
    Cell { rules: Rules, cell: u8, target: Node },
    /// Every place of a digit in a house implies the target.
    House { rules: Rules, house: u8, digit: u8, target: Node },
}

/// Which links a single chain is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Links {
    /// One digit, places in houses.
    X,
    /// Cells of two digits.
    Y,
    /// Both.
    Xy,
}

impl ChainHint {
    /// A hint with its rating from the number of its nodes.
    pub(super) fn new(kind: Kind, nodes: u16) -> Self {
        let base = match kind {
            Kind::Cycle { links: Links::Xy, .. } | Kind::Forcing { links: Links::Xy, .. } => 70,
            Kind::Cycle { .. } => 65,
            Kind::Forcing { .. } => 66,
            Kind::Contradiction { rules, .. }
            | Kind::Double { rules, .. }
            | Kind::Cell { rules, .. }
            | Kind::House { rules, .. } => rules.base(),
        };
        Self { kind, rating: Tenths(base + length_tenths(nodes)), nodes }
    }

    /// What a hint other than a cycle proves.
    pub(super) fn conclusion(&self) -> Node {
        match self.kind {
            Kind::Cycle { start, .. } | Kind::Forcing { start, .. } | Kind::Contradiction { start, .. } => {
                start.negated()
            }
            Kind::Double { target, .. } | Kind::Cell { target, .. } | Kind::House { target, .. } => target,
        }
    }

    /// What decides between two hints of one search: rating, length, kind. Of equals the first found is taken.
    pub(super) fn order(&self) -> (Tenths, u16, u8) {
        let kind = match self.kind {
            Kind::Double { .. } => 1,
            Kind::Cycle { links, .. } | Kind::Forcing { links, .. } => 2 + links as u8,
            Kind::Cell { .. } => 5,
            Kind::House { .. } => 6,
            Kind::Contradiction { .. } => 7,
        };
        (self.rating, self.nodes, kind)
    }
}

/// What the length of a chain adds to its rating: a tenth for each of the thresholds 4, 6, 8, 12, 16, 24, 32 … that the
/// nodes between its ends exceed.
pub(super) fn length_tenths(nodes: u16) -> u8 {
    let between = nodes.saturating_sub(2);
    thresholds().take_while(|&threshold| between > threshold).map(|_| 1).sum()
}

/// Most nodes of a chain whose length adds at most so many tenths.
pub(super) fn length_limit(tenths: u8) -> u16 {
    thresholds().nth(usize::from(tenths)).map_or(u16::MAX, |threshold| threshold + 2)
}

fn thresholds() -> impl Iterator<Item = u16> {
    (0..12).flat_map(|power| [4 << power, 6 << power])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_gets_a_tenth_harder_at_each_threshold() {
        let cases =
            [(2, 0), (6, 0), (7, 1), (8, 1), (9, 2), (10, 2), (11, 3), (14, 3), (15, 4), (18, 4), (19, 5), (26, 5)];
        let more = [(27, 6), (34, 6), (35, 7), (50, 7), (51, 8), (66, 8), (67, 9), (98, 9), (99, 10), (131, 11)];
        for (nodes, tenths) in cases.into_iter().chain(more) {
            assert_eq!(length_tenths(nodes), tenths, "{nodes} nodes");
        }
    }
}
