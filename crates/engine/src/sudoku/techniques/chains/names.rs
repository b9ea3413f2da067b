//! The names of chains as techniques, such as Turbot Fish, with their ratings. Also decides which name a chain has.

use super::{
    hint::{ChainHint, Kind, Links, Rules},
    nodes::Node,
};
use crate::sudoku::techniques::{find::Technique, geometry::HOMES};

/// Every name that a chain can have, with the rating of its shortest form.
pub(in crate::sudoku::techniques) const CHAINS: [Technique; 35] = [
    Technique::new("Bidirectional X-Cycle", 65),
    Technique::new("Skyscraper", 66),
    Technique::new("Two-String Kite", 66),
    Technique::new("Turbot Fish", 66),
    Technique::new("Forcing X-Chain", 66),
    Technique::new("Bidirectional Y-Cycle", 65),
    Technique::new("Bidirectional Cycle", 70),
    Technique::new("Forcing Chain", 70),
    Technique::new("Nishio Forcing Chains", 75),
    Technique::new("Cell Forcing Chains", 80),
    Technique::new("Region Forcing Chains", 80),
    Technique::new("Dynamic Contradiction Forcing Chains", 85),
    Technique::new("Dynamic Double Forcing Chains", 85),
    Technique::new("Dynamic Cell Forcing Chains", 85),
    Technique::new("Dynamic Region Forcing Chains", 85),
    Technique::new("Dynamic Contradiction Forcing Chains (+)", 90),
    Technique::new("Dynamic Double Forcing Chains (+)", 90),
    Technique::new("Dynamic Cell Forcing Chains (+)", 90),
    Technique::new("Dynamic Region Forcing Chains (+)", 90),
    Technique::new("Dynamic Contradiction Forcing Chains (+ Forcing Chains)", 95),
    Technique::new("Dynamic Double Forcing Chains (+ Forcing Chains)", 95),
    Technique::new("Dynamic Cell Forcing Chains (+ Forcing Chains)", 95),
    Technique::new("Dynamic Region Forcing Chains (+ Forcing Chains)", 95),
    Technique::new("Dynamic Contradiction Forcing Chains (+ Multiple Forcing Chains)", 100),
    Technique::new("Dynamic Double Forcing Chains (+ Multiple Forcing Chains)", 100),
    Technique::new("Dynamic Cell Forcing Chains (+ Multiple Forcing Chains)", 100),
    Technique::new("Dynamic Region Forcing Chains (+ Multiple Forcing Chains)", 100),
    Technique::new("Dynamic Contradiction Forcing Chains (+ Dynamic Forcing Chains)", 105),
    Technique::new("Dynamic Double Forcing Chains (+ Dynamic Forcing Chains)", 105),
    Technique::new("Dynamic Cell Forcing Chains (+ Dynamic Forcing Chains)", 105),
    Technique::new("Dynamic Region Forcing Chains (+ Dynamic Forcing Chains)", 105),
    Technique::new("Dynamic Contradiction Forcing Chains (+ Nested Dynamic Forcing Chains)", 110),
    Technique::new("Dynamic Double Forcing Chains (+ Nested Dynamic Forcing Chains)", 110),
    Technique::new("Dynamic Cell Forcing Chains (+ Nested Dynamic Forcing Chains)", 110),
    Technique::new("Dynamic Region Forcing Chains (+ Nested Dynamic Forcing Chains)", 110),
];

const X_CYCLE: usize = 0;
const SKYSCRAPER: usize = 1;
const KITE: usize = 2;
const TURBOT_FISH: usize = 3;
const X_CHAIN: usize = 4;
const Y_CYCLE: usize = 5;
const CYCLE: usize = 6;
const FORCING: usize = 7;
const NISHIO: usize = 8;
const CELL: usize = 9;
const REGION: usize = 10;
/// The index of the first dynamic technique of level 0. There are four for each level.
const DYNAMIC: usize = 11;

/// The number of nodes of a turbot fish: its start twice, and two strong links.
const TURBOT_NODES: u16 = 6;

/// The technique of a hint, with the hint's rating. `chain` is used only if the hint is a single chain.
pub(super) fn technique(hint: &ChainHint, chain: &[Node]) -> Technique {
    let at = match hint.kind {
        Kind::Cycle { links: Links::X, .. } => X_CYCLE,
        Kind::Cycle { links: Links::Y, .. } => Y_CYCLE,
        Kind::Cycle { links: Links::Xy, .. } => CYCLE,
        Kind::Forcing { links: Links::Xy, .. } => FORCING,
        Kind::Forcing { .. } if hint.nodes == TURBOT_NODES => turbot(chain),
        Kind::Forcing { .. } => X_CHAIN,
        Kind::Contradiction { rules: Rules { one_digit: true, .. }, .. } => NISHIO,
        Kind::Cell { rules: Rules { dynamic: false, .. }, .. } => CELL,
        Kind::House { rules: Rules { dynamic: false, .. }, .. } => REGION,
        Kind::Contradiction { rules, .. } => dynamic(rules, 0),
        Kind::Double { rules, .. } => dynamic(rules, 1),
        Kind::Cell { rules, .. } => dynamic(rules, 2),
        Kind::House { rules, .. } => dynamic(rules, 3),
    };
    Technique { rating: hint.rating, ..CHAINS[at] }
}

fn dynamic(rules: Rules, sort: usize) -> usize {
    DYNAMIC + 4 * usize::from(rules.level) + sort
}

/// The name of a turbot fish. A skyscraper has two strong links in parallel lines, connected by a third line. A kite
/// has strong links in a row and a column, connected by a box. All others are called Turbot Fish.
fn turbot(chain: &[Node]) -> usize {
    let Some(start) = chain.last().filter(|start| start.is_on()) else { return TURBOT_FISH };
    // Strong links lead from a removal to a true statement.
    let strong = [(chain.get(1), chain.get(2)), (chain.get(3), chain.get(4))];
    let line = |(on, off): (Option<&Node>, Option<&Node>)| -> Option<usize> {
        let (on, off) = (on?, off?);
        (0..2).find(|&way| HOMES[on.cell()][way].0 == HOMES[off.cell()][way].0)
    };
    let joined = [chain.get(2), chain.get(3)].map(|node| node.map_or(start.cell(), |node| node.cell()));
    let same = |way: usize| HOMES[joined[0]][way].0 == HOMES[joined[1]][way].0;
    match strong.map(line) {
        [Some(first), Some(second)] if first == second && same(1 - first) => SKYSCRAPER,
        [Some(first), Some(second)] if first != second && same(2) => KITE,
        _ => TURBOT_FISH,
    }
}
