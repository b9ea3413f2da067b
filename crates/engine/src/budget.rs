//! Bounds on work: a number of nodes, and a flag that another thread may raise. Time is never a bound, so a result never
//! depends on how fast a machine is.

use std::sync::atomic::{AtomicBool, Ordering};

/// How much work a search may still do. One node is one assignment that the search tries.
#[derive(Debug)]
pub struct Budget<'a> {
    nodes_left: u64,
    nodes_used: u64,
    cancel: &'a AtomicBool,
}

/// Why a search ended without an answer. It says nothing about the puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfBudget {
    /// The nodes ran out.
    Nodes,
    /// The cancel flag was raised.
    Cancelled,
}

impl Budget<'static> {
    /// A budget of `nodes_max` nodes that nobody cancels.
    #[must_use]
    pub fn of_nodes(nodes_max: u64) -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self::new(nodes_max, &NEVER)
    }
}

impl<'a> Budget<'a> {
    /// A budget of `nodes_max` nodes that also ends when `cancel` is raised.
    #[must_use]
    pub fn new(nodes_max: u64, cancel: &'a AtomicBool) -> Self {
        Self { nodes_left: nodes_max, nodes_used: 0, cancel }
    }

    /// Takes one node, or says why there is none.
    ///
    /// # Errors
    /// [`OutOfBudget`] when the nodes are used up or the flag is up.
    pub fn take_node(&mut self) -> Result<(), OutOfBudget> {
        self.take_nodes(1)
    }

    /// Takes so many nodes at once, or says why there are not so many.
    ///
    /// # Errors
    /// [`OutOfBudget`] when fewer are left or the flag is up.
    pub fn take_nodes(&mut self, nodes: u64) -> Result<(), OutOfBudget> {
        if self.nodes_left < nodes {
            return Err(OutOfBudget::Nodes);
        }
        // A node of a large board takes milliseconds, and a look at the flag nothing to speak of.
        self.check_cancelled()?;
        self.nodes_left -= nodes;
        self.nodes_used += nodes;
        Ok(())
    }

    /// Looks at the cancel flag without taking a node.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`] when the flag is up.
    pub fn check_cancelled(&self) -> Result<(), OutOfBudget> {
        if self.cancel.load(Ordering::Relaxed) { Err(OutOfBudget::Cancelled) } else { Ok(()) }
    }

    /// Nodes taken so far.
    #[must_use]
    pub fn nodes_used(&self) -> u64 {
        self.nodes_used
    }

    /// Does a part of the work with at most `nodes_max` of the nodes that are left; what it uses is taken from them.
    /// The work ends with [`OutOfBudget::Nodes`] also if only the part's nodes are used up.
    pub fn within<T>(&mut self, nodes_max: u64, work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
        let mut part = self.renewed(nodes_max.min(self.nodes_left));
        let outcome = work(&mut part);
        self.nodes_left -= part.nodes_used;
        self.nodes_used += part.nodes_used;
        outcome
    }

    /// The same cancel flag under another node limit, for the next search of the same try.
    #[must_use]
    pub fn renewed(&self, nodes_max: u64) -> Budget<'a> {
        Budget::new(nodes_max, self.cancel)
    }
}
