//! Nested chains: finds chains in the position that an assumption leaves, to use them as links of another chain. Counts
//! their nodes as nodes of that chain. Also holds the buffers that searches reuse.

use std::collections::HashSet;

use super::{
    Ground,
    advanced::Advanced,
    closures::Closures,
    grow::Growth,
    hint::{ChainHint, Kind, Rules},
    multiple::{Nets, Search, Sink},
    net::{Ancestry, Net, Target},
    nodes::{Cause, Node, Notes},
    paths,
    single::Single,
};
use crate::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::techniques::geometry::{Cells, HOMES, bits, cells, one},
};

/// The buffers of a search: nets, and separate buffers for nested chains. They are allocated once and reused.
#[derive(Debug, Default)]
pub(super) struct Shop {
    pub(super) nets: Nets,
    /// The closures for static chains, for Nishio, and for dynamic chains.
    closures: [Closures; 3],
    ancestry: Ancestry,
    inner: Option<Box<Shop>>,
}

impl Shop {
    /// The closures under rules of level 0.
    pub(super) fn closures_by(&mut self, rules: Rules) -> &mut Closures {
        &mut self.closures[usize::from(rules.dynamic) + usize::from(rules.dynamic && !rules.one_digit)]
    }

    /// Builds the net of a candidate.
    pub(super) fn grow(
        &mut self,
        ground: &Ground,
        rules: Rules,
        bound: u16,
        start: Node,
        budget: &mut Budget<'_>,
    ) -> Result<(), OutOfBudget> {
        let net = self.nets.net_of(start);
        let (ancestry, inner) = (&mut self.ancestry, &mut self.inner);
        Growth { ground, rules, bound, net, ancestry, inner, budget }.run(start)
    }
}

/// A pattern or a chain that is one link of another chain.
#[derive(Debug, Clone)]
pub(super) struct Nested {
    /// The cells of the pattern or of the chain.
    pub(super) cells: Cells,
    /// The parts of a chain, each from its end. Empty for a pattern.
    pub(super) chains: Vec<Vec<Node>>,
    /// The number of nodes of a chain, including chains nested in it. 0 for a pattern.
    pub(super) nodes: u16,
}

impl Nested {
    /// A pattern without chains.
    pub(super) fn pattern(cells: Cells) -> Self {
        Self { cells, chains: Vec::new(), nodes: 0 }
    }

    /// A chain with these parts.
    fn chain(chains: Vec<Vec<Node>>, nodes: u16) -> Self {
        let cells = chains.iter().flatten().fold(0, |all, node| all | one(node.cell()));
        Self { cells, chains, nodes }
    }
}

/// The removals by chains that `level` allows, in the position that the assumption leaves.
pub(super) fn nested(
    ground: &Ground,
    left: &Notes,
    level: u8,
    shop: &mut Shop,
    budget: &mut Budget<'_>,
) -> Result<Vec<Advanced>, OutOfBudget> {
    let inside = Ground { notes: *left, ..*ground };
    let sorts: &[Option<Rules>] = match level {
        2 => &[None],
        3 => &[None, Some(Rules::MULTIPLE)],
        4 => &[Some(Rules::dynamic(0))],
        _ => &[Some(Rules::dynamic(0)), Some(Rules::dynamic(2))],
    };
    for &sort in sorts {
        let mut collected = Collected { ground, inside: &inside, found: Vec::new() };
        match sort {
            None => paths::all(&inside, budget, &mut |hint, chains| collected.add_single(hint, chains))?,
            Some(rules) => Search { ground: &inside, rules, shop, budget }.run(&mut collected)?,
        }
        let mut found = collected.found;
        found.sort_by_key(|(hint, _)| hint.order());
        if !found.is_empty() {
            return Ok(found.into_iter().map(|(_, advanced)| advanced).collect());
        }
    }
    Ok(Vec::new())
}

/// All hints of a search, each with the removals by the outer assumption that it depends on.
struct Collected<'a> {
    ground: &'a Ground,
    inside: &'a Ground,
    found: Vec<(ChainHint, Advanced)>,
}

impl Collected<'_> {
    fn add_single(&mut self, hint: ChainHint, single: &Single) {
        let mut parents = Parents::default();
        for &(node, cause) in single.causes() {
            self.blame(node, cause, &mut parents);
        }
        let chains = single.chains();
        self.keep(hint, single.removed(self.inside), parents, Nested::chain(chains, hint.nodes));
    }

    /// Adds the removals that were necessary to derive a node.
    fn blame(&self, node: Node, cause: Cause, parents: &mut Parents) {
        if !node.is_on() {
            return;
        }
        let (before, now) = (&self.ground.notes, &self.inside.notes);
        let (cell, digit) = (node.cell(), node.digit());
        match cause {
            Cause::None => {}
            Cause::Cell => {
                let gone = before.of_cell[cell] & !now.of_cell[cell];
                bits(gone).for_each(|digit| parents.add(Node::off(cell, digit)));
            }
            Cause::House(way) => {
                let house = HOMES[cell][usize::from(way)].0;
                let gone = before.places(house, digit) & !now.places(house, digit);
                cells(gone).for_each(|place| parents.add(Node::off(place, digit)));
            }
        }
    }

    fn keep(&mut self, hint: ChainHint, removed: Vec<(usize, usize)>, parents: Parents, nested: Nested) {
        if !parents.list.is_empty() && !removed.is_empty() {
            self.found.push((hint, Advanced { removed, parents: parents.list, nested }));
        }
    }
}

/// Nodes without repeats, in order.
#[derive(Default)]
struct Parents {
    list: Vec<Node>,
    seen: HashSet<Node>,
}

impl Parents {
    fn add(&mut self, node: Node) {
        if self.seen.insert(node) {
            self.list.push(node);
        }
    }
}

impl Sink for Collected<'_> {
    fn bound(&self) -> u16 {
        u16::MAX
    }

    fn offer(&mut self, hint: ChainHint, branches: &[&Net]) {
        let targets = targets(&hint, branches);
        let first_cause = match hint.kind {
            Kind::Cell { .. } => Cause::Cell,
            Kind::House { house, .. } => Cause::house(usize::from(house) / 9),
            _ => Cause::None,
        };
        let mut parents = Parents::default();
        let mut chains = Vec::new();
        for &(net, target) in &targets {
            let chain = net.chain(target);
            for &node in &chain {
                let origin = if node == target.node { target.origin } else { *net.origin(node) };
                let is_start = net.parents(origin.parents).is_empty();
                self.blame(node, if is_start { first_cause } else { origin.cause }, &mut parents);
            }
            chains.push(chain);
        }
        let hint = with_nested(hint, branches);
        let nested = Nested::chain(chains, hint.nodes);
        let removed = removed(self.inside, &hint);
        let inner = branches.iter().flat_map(|net| &net.nested);
        let nested = Nested { cells: inner.fold(nested.cells, |all, nested| all | nested.cells), ..nested };
        self.keep(hint, removed, parents, nested);
    }
}

/// The ends of a hint's chains, each with its net.
pub(super) fn targets<'a>(hint: &ChainHint, branches: &[&'a Net]) -> Vec<(&'a Net, Target)> {
    match hint.kind {
        Kind::Double { target, .. } | Kind::Cell { target, .. } | Kind::House { target, .. } => {
            branches.iter().map(|net| (*net, net.target(target))).collect()
        }
        _ => branches
            .iter()
            .flat_map(|net| net.clash_targets().into_iter().flatten().map(move |end| (*net, end)))
            .collect(),
    }
}

/// The hint with the nodes of its nested chains included, each chain counted once.
pub(super) fn with_nested(hint: ChainHint, branches: &[&Net]) -> ChainHint {
    let mut counted: Vec<&Nested> = Vec::new();
    for (net, target) in targets(&hint, branches) {
        for node in net.chain(target) {
            let origin = if node == target.node { target.origin } else { *net.origin(node) };
            if let Some(nested) = usize::from(origin.nested).checked_sub(1).map(|at| &net.nested[at])
                && nested.nodes > 0
                && !counted.iter().any(|counted| counted.chains == nested.chains)
            {
                counted.push(nested);
            }
        }
    }
    ChainHint::new(hint.kind, hint.nodes + counted.iter().map(|nested| nested.nodes).sum::<u16>())
}

/// The candidates that a hint with several branches removes.
fn removed(ground: &Ground, hint: &ChainHint) -> Vec<(usize, usize)> {
    let target = hint.conclusion();
    let (cell, digit) = (target.cell(), target.digit());
    if !target.is_on() {
        return vec![(cell, digit)];
    }
    bits(ground.notes.of_cell[cell] & !(1 << digit)).map(|other| (cell, other)).collect()
}
