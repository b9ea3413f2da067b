//! Limits the work of a search by a number of nodes, and by a cancel flag that another thread may raise. Time is never a limit,
//! so no result depends on the speed of the machine.

use std::sync::atomic::{AtomicBool, Ordering};

/// The work that a search may still do, in nodes. One node is one assignment that the search tries.
#[derive(Debug)]
pub struct Budget<'a> {
    nodes_left: u64,
    nodes_used: u64,
    cancel: &'a AtomicBool,
}

/// Why a search ended without an answer. It says nothing about the puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfBudget {
    /// Fewer nodes were left than the next piece of work takes.
    Nodes,
    /// The cancel flag was raised.
    Cancelled,
}

impl Budget<'static> {
    /// A budget of `nodes_max` nodes that cannot be cancelled.
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

    /// Takes one node.
    ///
    /// # Errors
    /// [`OutOfBudget`] if no node is left or the cancel flag is raised. In both cases, it takes nothing.
    pub fn take_node(&mut self) -> Result<(), OutOfBudget> {
        self.take_nodes(1)
    }

    /// Takes several nodes at once.
    ///
    /// # Errors
    /// [`OutOfBudget`] if fewer nodes are left or the cancel flag is raised. In both cases, it takes nothing.
    pub fn take_nodes(&mut self, nodes: u64) -> Result<(), OutOfBudget> {
        if self.nodes_left < nodes {
            return Err(OutOfBudget::Nodes);
        }
        // A node of a large board can take milliseconds. Compared with that, the cost of reading the flag each time is
        // negligible.
        self.check_cancelled()?;
        self.nodes_left -= nodes;
        self.nodes_used += nodes;
        Ok(())
    }

    /// Reads the cancel flag without taking a node.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`] if the flag is raised.
    pub fn check_cancelled(&self) -> Result<(), OutOfBudget> {
        if self.cancel.load(Ordering::Relaxed) { Err(OutOfBudget::Cancelled) } else { Ok(()) }
    }

    /// The number of nodes taken so far.
    #[must_use]
    pub fn nodes_used(&self) -> u64 {
        self.nodes_used
    }

    /// Runs `work` with at most `nodes_max` of the nodes that are left, and deducts what it uses. If `work` uses up its part,
    /// it ends with [`OutOfBudget::Nodes`], even if the whole budget has nodes left.
    pub fn within<T>(&mut self, nodes_max: u64, work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
        let mut part = self.renewed(nodes_max.min(self.nodes_left));
        let outcome = work(&mut part);
        self.nodes_left -= part.nodes_used;
        self.nodes_used += part.nodes_used;
        outcome
    }

    /// As [`Self::within`]. `None` if `work` ends because it uses up its part.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(crate) fn try_within<T>(
        &mut self,
        nodes_max: u64,
        work: impl FnOnce(&mut Budget<'_>) -> Result<T, OutOfBudget>,
    ) -> Result<Option<T>, OutOfBudget> {
        match self.within(nodes_max, work) {
            Err(OutOfBudget::Nodes) => Ok(None),
            outcome => outcome.map(Some),
        }
    }

    /// A budget with the same cancel flag and `nodes_max` nodes, for the next search of the same try. Its nodes are not taken
    /// from this budget.
    #[must_use]
    pub fn renewed(&self, nodes_max: u64) -> Budget<'a> {
        Budget::new(nodes_max, self.cancel)
    }
}
