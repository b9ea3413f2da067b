//! Converts cells, steps, and verdicts to messages of the API, and verdicts without a unique solution to errors.

use super::rating;
use crate::{proto::v1 as pb, service::errors::ServiceError};
use puzzled_engine::shared::{
    budget::OutOfBudget,
    record::TechniqueCount,
    step::{Cell, Chain, Link, Statement, Step},
    text::Verdict,
};

/// The maximum number of cells that a message names: all of a Sudoku.
const NAMED_MAX: usize = 81;

/// Converts cell numbers to rows and columns.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct Board {
    width: u16,
}

impl Board {
    /// A board with this many columns, at least one.
    pub(in crate::service) fn of(width: u16) -> Self {
        Self { width: width.max(1) }
    }

    /// The API's message for a cell, with the digit that it is about, or 0.
    pub(super) fn cell(self, cell: Cell, digit: u8) -> pb::Cell {
        let (row, column) = (cell / self.width, cell % self.width);
        pb::Cell { row: u32::from(row) + 1, column: u32::from(column) + 1, digit: digit.into() }
    }

    /// Cells as people write them: `r1c1, r1c5`. If there are very many cells, the first ones and the number of the
    /// others.
    pub(in crate::service) fn names(self, cells: &[Cell]) -> String {
        let names = cells.iter().take(NAMED_MAX).map(|&cell| self.cell(cell, 0));
        let names = names.map(|at| format!("r{}c{}", at.row, at.column)).collect::<Vec<_>>().join(", ");
        match cells.len().saturating_sub(NAMED_MAX) {
            0 => names,
            more => format!("{names} and {more} more"),
        }
    }

    /// The API's message for a step, with the other possible steps if requested.
    pub(in crate::service) fn step(self, step: Step, open: &[TechniqueCount]) -> pb::Step {
        let digits = |cells: Vec<(Cell, u8)>| cells.into_iter().map(|(cell, digit)| self.cell(cell, digit)).collect();
        pb::Step {
            technique: step.technique.to_owned(),
            rating: rating(step.rating),
            cells: step.cells.into_iter().map(|cell| self.cell(cell, 0)).collect(),
            placed: digits(step.placed),
            removed: digits(step.removed),
            sentence: step.sentence,
            chains: step.chains.into_iter().map(|chain| self.chain(chain)).collect(),
            open_steps: open.iter().map(technique_count).collect(),
        }
    }

    fn chain(self, chain: Chain) -> pb::Chain {
        let implication = |link: Link| pb::Implication {
            premises: link.premises.into_iter().map(|premise| self.statement(premise)).collect(),
            conclusion: Some(self.statement(link.then)),
            pattern: link.pattern.into_iter().map(|cell| self.cell(cell, 0)).collect(),
        };
        pb::Chain {
            assumption: Some(self.statement(chain.assumption)),
            implications: chain.links.into_iter().map(implication).collect(),
        }
    }

    fn statement(self, statement: Statement) -> pb::Statement {
        pb::Statement { cell: Some(self.cell(statement.cell, statement.digit)), holds: statement.holds }
    }

    pub(in crate::service) fn verdict(
        self,
        verdict: Verdict,
        nodes_max: u64,
    ) -> Result<pb::ValidateResponse, ServiceError> {
        let answer = |verdict: pb::Verdict, message: String, solutions, cells: &[Cell]| pb::ValidateResponse {
            verdict: verdict.into(),
            message,
            solutions,
            drawing: String::new(),
            cells: cells.iter().map(|&cell| self.cell(cell, 0)).collect(),
        };
        Ok(match verdict {
            Verdict::Unique { solution } => {
                answer(pb::Verdict::Unique, "exactly one solution".to_owned(), vec![solution], &[])
            }
            Verdict::NoSolution => answer(pb::Verdict::None, "no solution".to_owned(), vec![], &[]),
            Verdict::Several { solutions, differ, .. } => {
                let message = format!("more than one solution; two of them differ in {}", self.names(&differ));
                answer(pb::Verdict::Several, message, solutions.into(), &differ)
            }
            Verdict::Contradiction { cells, reason } => {
                let message = format!("the givens contradict each other: {reason}");
                answer(pb::Verdict::Contradiction, message, vec![], &cells)
            }
            Verdict::SolversDisagree(disagreement) => return Err(ServiceError::SolversDisagree(disagreement)),
            Verdict::Unknown(OutOfBudget::Nodes) => {
                let message = format!("no verdict within {nodes_max} nodes of search");
                answer(pb::Verdict::Unknown, message, vec![], &[])
            }
            Verdict::Unknown(OutOfBudget::Cancelled) => return Err(ServiceError::CallerGone),
        })
    }

    /// The solution, if there is exactly one. Every other verdict is an error.
    pub(in crate::service) fn unique(self, verdict: Verdict, nodes_max: u64) -> Result<String, ServiceError> {
        match verdict {
            Verdict::Unique { solution } => Ok(solution),
            Verdict::NoSolution => Err(ServiceError::NoSolution),
            Verdict::Several { solutions, differ, .. } => {
                Err(ServiceError::NotUnique { solutions, cells: self.names(&differ) })
            }
            Verdict::Contradiction { cells, reason } => {
                Err(ServiceError::Contradiction { reason, cells: self.names(&cells) })
            }
            Verdict::SolversDisagree(disagreement) => Err(ServiceError::SolversDisagree(disagreement)),
            Verdict::Unknown(OutOfBudget::Nodes) => Err(ServiceError::OutOfBudget { nodes_max }),
            Verdict::Unknown(OutOfBudget::Cancelled) => Err(ServiceError::CallerGone),
        }
    }
}

fn technique_count(counted: &TechniqueCount) -> pb::TechniqueCount {
    pb::TechniqueCount { technique: counted.technique.to_owned(), rating: rating(counted.rating), count: counted.count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_row_by_row_from_1() {
        for (width, cell, name) in [(9, 0, "r1c1"), (9, 10, "r2c2"), (9, 80, "r9c9"), (8, 8, "r2c1"), (8, 79, "r10c8")]
        {
            assert_eq!(Board::of(width).names(&[cell]), name, "{width} {cell}");
        }
    }

    #[test]
    fn of_very_many_cells_the_first_ones_are_named() {
        let all: Vec<Cell> = (0..900).collect();
        let names = Board::of(30).names(&all);
        assert!(names.starts_with("r1c1, r1c2, ") && names.ends_with(", r3c21 and 819 more"), "{names}");
        assert!(!Board::of(9).names(&all[..NAMED_MAX]).contains("more"));
    }
}
