//! `ChainHint`: one or several chains that a search found, with start, end, and length. Also decides which of two hints
//! is easier, and computes how much a chain's length adds to its rating.

use super::nodes::Node;
use crate::{
    shared::level::Tenths,
    sudoku::techniques::{candidates::Candidates, geometry::Mask},
};

/// The implications that a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku::techniques) struct Rules {
    /// Whether candidates removed along the chain count as removed, so that new singles can appear.
    pub(super) dynamic: bool,
    /// Whether the search uses only one digit.
    pub(super) one_digit: bool,
    /// Whether the search branches over cells and houses with more than two options.
    pub(super) multiple: bool,
    /// 0: singles alone. 1: also locked candidates, pairs, and X-Wings. 2 to 5: also nested chains.
    pub(super) level: u8,
}

impl Rules {
    /// One digit, dynamic: Nishio.
    pub(in crate::sudoku::techniques) const NISHIO: Self =
        Self { dynamic: true, one_digit: true, multiple: false, level: 0 };
    /// Static chains from all options of a cell or house.
    pub(in crate::sudoku::techniques) const MULTIPLE: Self =
        Self { dynamic: false, one_digit: false, multiple: true, level: 0 };

    /// Dynamic chains with the additions of `level`.
    pub(in crate::sudoku::techniques) const fn dynamic(level: u8) -> Self {
        Self { dynamic: true, one_digit: false, multiple: true, level }
    }

    /// The rating of the shortest chain under these rules.
    pub(in crate::sudoku::techniques) fn easiest(self) -> Tenths {
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

/// One or several chains found in a position. `proof.rs` computes their links again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku::techniques) struct ChainHint {
    /// The kind of the chain, with its start and end.
    pub(super) kind: Kind,
    /// The rating of the step.
    pub(super) rating: Tenths,
    /// The number of nodes of all its chains, including nested chains.
    pub(super) nodes: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A cycle through `start`, closed from `before` through `last`. It holds in both directions.
    Cycle { links: Links, start: Node, before: Node, last: Node },
    /// A statement that implies its opposite.
    Forcing { links: Links, start: Node },
    /// A statement that implies that some candidate is both true and false.
    Contradiction { rules: Rules, start: Node },
    /// A candidate that implies the target both if it is true and if it is false.
    Double { rules: Rules, start: Node, target: Node },
    /// Every digit of a cell implies the target.
    Cell { rules: Rules, cell: u8, target: Node },
    /// Every place of a digit in a house implies the target.
    House { rules: Rules, house: u8, digit: u8, target: Node },
}

/// The links of a single chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Links {
    /// Places of one digit in houses.
    X,
    /// Cells with two digits.
    Y,
    /// Both.
    Xy,
}

impl ChainHint {
    /// A hint whose rating follows from its number of nodes.
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

    /// The conclusion of a hint other than a cycle.
    pub(super) fn conclusion(&self) -> Node {
        match self.kind {
            Kind::Cycle { start, .. } | Kind::Forcing { start, .. } | Kind::Contradiction { start, .. } => {
                start.negated()
            }
            Kind::Double { target, .. } | Kind::Cell { target, .. } | Kind::House { target, .. } => target,
        }
    }

    /// The options that the chains cover: the house with its digit, or the digits of a cell. `None` and no digit for any other
    /// chain.
    pub(in crate::sudoku::techniques) fn options(&self, candidates: &Candidates) -> (Option<usize>, Mask) {
        match self.kind {
            Kind::House { house, digit, .. } => (Some(house.into()), 1 << digit),
            Kind::Cell { cell, .. } => (None, candidates.of_cell(cell.into())),
            _ => (None, 0),
        }
    }

    /// The key by which a search compares hints: rating, length, kind. Of equal hints, the first one found is taken.
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

/// The tenths that the length of a chain adds to its rating: one for each of the thresholds 4, 6, 8, 12, 16, 24, 32 …
/// that the nodes between its ends exceed.
pub(super) fn length_tenths(nodes: u16) -> u8 {
    let between = nodes.saturating_sub(2);
    thresholds().take_while(|&threshold| between > threshold).map(|_| 1).sum()
}

/// The maximum number of nodes of a chain whose length adds at most this many tenths.
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
    fn chain_gets_a_tenth_harder_at_each_threshold() {
        let cases =
            [(2, 0), (6, 0), (7, 1), (8, 1), (9, 2), (10, 2), (11, 3), (14, 3), (15, 4), (18, 4), (19, 5), (26, 5)];
        let more = [(27, 6), (34, 6), (35, 7), (50, 7), (51, 8), (66, 8), (67, 9), (98, 9), (99, 10), (131, 11)];
        for (nodes, tenths) in cases.into_iter().chain(more) {
            assert_eq!(length_tenths(nodes), tenths, "{nodes} nodes");
        }
    }
}
