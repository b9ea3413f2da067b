//! Converts what concerns the cells of a board to messages of the API: regions, steps, hints, and verdicts. Converts
//! verdicts without a unique solution to errors.

use crate::calls::errors::ServiceError;
use puzzled_api::{v1 as pb, words::rating};
use puzzled_engine::shared::{
    budget::OutOfBudget,
    kind::PuzzleKind,
    record::TechniqueCount,
    step::{Cell, Chain, House, HouseType, Link, SingleIn, Statement, Step},
    text::{Hint, Region, RegionType, Verdict, compare::BoardState},
};

/// The maximum number of cells that a message names: all of a Sudoku 9x9.
const NAMED_MAX: usize = 81;

/// The maximum number of wrong digits in the message of a hint; the fields have all of them.
const WRONG_NAMED_MAX: usize = 9;

/// The kind and the variant of a step, which write its sentence.
pub(crate) type KindAndVariant<'a> = (&'a dyn PuzzleKind, &'a str);

/// Converts cell numbers to rows and columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Board {
    width: u16,
}

impl Board {
    /// A board with this many columns, at least one.
    pub(crate) fn of(width: u16) -> Self {
        Self { width: width.max(1) }
    }

    /// The API's message for a cell, with the digit that it is about, or 0.
    pub(super) fn cell(self, cell: Cell, digit: u8) -> pb::Cell {
        let (row, column) = (cell / self.width, cell % self.width);
        pb::Cell { row: u32::from(row) + 1, column: u32::from(column) + 1, digit: digit.into() }
    }

    /// The API's messages for regions.
    pub(super) fn regions(self, regions: Vec<Region>) -> Vec<pb::Region> {
        let region = |region: Region| pb::Region {
            r#type: region_type(region.region_type).into(),
            cells: region.cells.into_iter().map(|cell| self.cell(cell, 0)).collect(),
            sum: region.sum,
            operator: region.operator.map(str::to_owned),
        };
        regions.into_iter().map(region).collect()
    }

    /// The API's messages for the digits of a board, row by row.
    pub(super) fn rows(self, digits: &[i8]) -> Vec<pb::BoardRow> {
        let row = |cells: &[i8]| pb::BoardRow { cells: cells.iter().map(|&cell| cell.into()).collect() };
        digits.chunks(self.width.into()).map(row).collect()
    }

    /// Cells as people write them: `r1c1, r1c5`. If there are very many cells, the first ones and the number of the
    /// others.
    pub(crate) fn names(self, cells: &[Cell]) -> String {
        let names = cells.iter().take(NAMED_MAX).map(|&cell| self.cell(cell, 0));
        let names = names.map(|at| format!("r{}c{}", at.row, at.column)).collect::<Vec<_>>().join(", ");
        match cells.len().saturating_sub(NAMED_MAX) {
            0 => names,
            more => format!("{names} and {more} more"),
        }
    }

    /// The API's message for the state of a player's board.
    pub(crate) fn checked(self, state: BoardState) -> pb::CheckBoardResponse {
        let (state, cells) = match state {
            BoardState::GivensDiffer(cells) => (pb::BoardState::GivensDiffer, self.cells(cells)),
            BoardState::Wrong(cells) => {
                (pb::BoardState::Wrong, cells.into_iter().map(|(cell, digit)| self.cell(cell, digit)).collect())
            }
            BoardState::CorrectSoFar => (pb::BoardState::CorrectSoFar, Vec::new()),
            BoardState::Complete => (pb::BoardState::Complete, Vec::new()),
        };
        pb::CheckBoardResponse { state: state.into(), cells }
    }

    /// The API's message for a step, with the other possible steps if requested.
    pub(crate) fn step(self, of: KindAndVariant<'_>, step: Step, open: &[TechniqueCount]) -> pb::Step {
        let digits = |cells: Vec<(Cell, u8)>| cells.into_iter().map(|(cell, digit)| self.cell(cell, digit)).collect();
        let numbers = |digits: Vec<u8>| digits.into_iter().map(u32::from).collect();
        pb::Step {
            sentence: of.0.sentence(of.1, &step),
            technique: step.technique.to_owned(),
            rating: rating(step.rating),
            cells: self.cells(step.cells),
            placed: digits(step.placed),
            removed: digits(step.removed),
            chains: step.chains.into_iter().map(|chain| self.chain(chain)).collect(),
            open_steps: open.iter().map(technique_count).collect(),
            digits: numbers(step.digits),
            houses: step.houses.iter().map(house).collect(),
            cover_houses: step.cover_houses.iter().map(house).collect(),
            secondary_cells: self.cells(step.secondary_cells),
            secondary_digits: numbers(step.secondary_digits),
            number: step.number,
        }
    }

    fn cells(self, cells: Vec<Cell>) -> Vec<pb::Cell> {
        cells.into_iter().map(|cell| self.cell(cell, 0)).collect()
    }

    fn chain(self, chain: Chain) -> pb::Chain {
        let implication = |link: Link| pb::Implication {
            premises: link.premises.into_iter().map(|premise| self.statement(premise)).collect(),
            conclusion: Some(self.statement(link.then)),
            pattern: self.cells(link.pattern),
            single_in: link.single_in.map(|single_in| match single_in {
                SingleIn::Cell(cell) => pb::implication::SingleIn::Cell(self.cell(cell, 0)),
                SingleIn::House(of_digit) => pb::implication::SingleIn::House(house(&of_digit)),
            }),
        };
        pb::Chain {
            assumption: Some(self.statement(chain.assumption)),
            implications: chain.links.into_iter().map(implication).collect(),
        }
    }

    fn statement(self, statement: Statement) -> pb::Statement {
        pb::Statement { cell: Some(self.cell(statement.cell, statement.digit)), holds: statement.holds }
    }

    /// `rule` is that of [`PuzzleKind::under_rule`](puzzled_engine::shared::kind::PuzzleKind::under_rule), here and below.
    pub(crate) fn verdict(
        self,
        verdict: Verdict,
        rule: &str,
        nodes_max: u64,
    ) -> Result<pb::ValidateResponse, ServiceError> {
        let answer = |verdict: pb::Verdict, message: String, solutions, cells: &[Cell]| pb::ValidateResponse {
            verdict: verdict.into(),
            message,
            solutions,
            drawing: String::new(),
            links: Vec::new(),
            cells: cells.iter().map(|&cell| self.cell(cell, 0)).collect(),
        };
        Ok(match verdict {
            Verdict::Unique { solution } => {
                answer(pb::Verdict::Unique, "exactly one solution".to_owned(), vec![solution], &[])
            }
            Verdict::NoSolution => answer(pb::Verdict::None, format!("no solution{rule}"), vec![], &[]),
            Verdict::Several { solutions, differ, .. } => {
                let message = format!("more than one solution{rule}; two of them differ in {}", self.names(&differ));
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
    pub(crate) fn unique(self, verdict: Verdict, rule: String, nodes_max: u64) -> Result<String, ServiceError> {
        match verdict {
            Verdict::Unique { solution } => Ok(solution),
            Verdict::NoSolution => Err(ServiceError::NoSolution { rule }),
            Verdict::Several { solutions, differ, .. } => {
                Err(ServiceError::NotUnique { solutions, rule, cells: self.names(&differ) })
            }
            Verdict::Contradiction { cells, reason } => {
                Err(ServiceError::Contradiction { reason, cells: self.names(&cells) })
            }
            Verdict::SolversDisagree(disagreement) => Err(ServiceError::SolversDisagree(disagreement)),
            Verdict::Unknown(OutOfBudget::Nodes) => Err(ServiceError::OutOfBudget { nodes_max }),
            Verdict::Unknown(OutOfBudget::Cancelled) => Err(ServiceError::CallerGone),
        }
    }

    pub(crate) fn hint(
        self,
        of: KindAndVariant<'_>,
        hint: Hint,
        nodes_max: u64,
    ) -> Result<pb::HintResponse, ServiceError> {
        let only = |outcome: pb::HintOutcome, message: &str| pb::HintResponse {
            outcome: outcome.into(),
            message: message.to_owned(),
            ..Default::default()
        };
        match hint {
            Hint::Steps(steps) => self.next_steps(of, steps),
            Hint::Wrong(cells) => Ok(self.wrong(&cells)),
            Hint::Solved => Ok(only(pb::HintOutcome::Solved, "the board is full, and every digit is right")),
            Hint::Stuck => Ok(only(pb::HintOutcome::Stuck, "the techniques that are known here find no step")),
            Hint::Unknown(OutOfBudget::Nodes) => Err(ServiceError::OutOfBudget { nodes_max }),
            Hint::Unknown(OutOfBudget::Cancelled) => Err(ServiceError::CallerGone),
        }
    }

    fn next_steps(self, of: KindAndVariant<'_>, steps: Vec<Step>) -> Result<pb::HintResponse, ServiceError> {
        let mut steps = steps.into_iter().map(|step| self.step(of, step, &[]));
        let step = steps.next().ok_or_else(|| ServiceError::Internal("a hint of no steps".to_owned()))?;
        Ok(pb::HintResponse {
            outcome: pb::HintOutcome::Step.into(),
            message: step.sentence.clone(),
            step: Some(step),
            following: steps.collect(),
            wrong: Vec::new(),
        })
    }

    fn wrong(self, cells: &[(Cell, u8)]) -> pb::HintResponse {
        let named = cells.iter().take(WRONG_NAMED_MAX);
        let name = |&(cell, digit): &(Cell, u8)| match digit {
            0 => format!("the candidates of {}", self.names(&[cell])),
            _ => format!("{digit} in {}", self.names(&[cell])),
        };
        let named: Vec<_> = named.map(name).collect();
        let more = match cells.len().saturating_sub(WRONG_NAMED_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let contradict = if matches!(cells, [(_, 1..)]) { "contradicts" } else { "contradict" };
        pb::HintResponse {
            outcome: pb::HintOutcome::Wrong.into(),
            message: format!("{}{more} {contradict} the solution", named.join(", ")),
            wrong: cells.iter().map(|&(cell, digit)| self.cell(cell, digit)).collect(),
            ..Default::default()
        }
    }
}

fn technique_count(counted: &TechniqueCount) -> pb::TechniqueCount {
    pb::TechniqueCount { technique: counted.technique.to_owned(), rating: rating(counted.rating), count: counted.count }
}

fn house(house: &House) -> pb::House {
    let house_type = match house.house_type {
        HouseType::Row => pb::HouseType::Row,
        HouseType::Column => pb::HouseType::Column,
        HouseType::Box => pb::HouseType::Box,
        HouseType::Run => pb::HouseType::Run,
        HouseType::Diagonal => pb::HouseType::Diagonal,
        HouseType::Window => pb::HouseType::Window,
        HouseType::Region => pb::HouseType::Region,
        HouseType::Cage => pb::HouseType::Cage,
        HouseType::Edge => pb::HouseType::Edge,
    };
    pb::House { r#type: house_type.into(), number: house.number.into() }
}

fn region_type(region_type: RegionType) -> pb::RegionType {
    match region_type {
        RegionType::Run => pb::RegionType::Run,
        RegionType::Cage => pb::RegionType::Cage,
        RegionType::Region => pb::RegionType::Region,
        RegionType::Edge => pb::RegionType::Edge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::{registry, shared::level::Tenths};

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

    #[test]
    fn every_field_of_a_region_reaches_its_field() {
        for (ours, wire) in [
            (RegionType::Run, pb::RegionType::Run),
            (RegionType::Cage, pb::RegionType::Cage),
            (RegionType::Region, pb::RegionType::Region),
            (RegionType::Edge, pb::RegionType::Edge),
        ] {
            let region = Region { region_type: ours, cells: vec![3, 4], sum: Some(7), operator: Some("-") };
            let expected = pb::Region {
                r#type: wire.into(),
                cells: vec![pb::Cell { row: 1, column: 4, digit: 0 }, pb::Cell { row: 2, column: 1, digit: 0 }],
                sum: Some(7),
                operator: Some("-".to_owned()),
            };
            assert_eq!(Board::of(4).regions(vec![region]), [expected]);
        }
    }

    #[test]
    fn a_board_has_a_message_for_each_row() {
        let rows = [vec![-1, 0, 9], vec![1, -1, -1]].map(|cells| pb::BoardRow { cells });
        assert_eq!(Board::of(3).rows(&[-1, 0, 9, 1, -1, -1]), rows);
    }

    #[test]
    fn every_field_of_a_step_reaches_its_field() {
        let kind = registry::kind("sudoku").unwrap();
        let house = |house_type, number| House { house_type, number, cells: vec![], sum: None, operator: None };
        let step = Step {
            technique: "X-Wing",
            rating: Tenths(32),
            columns: 9,
            cells: vec![0, 10],
            secondary_cells: vec![10],
            digits: vec![4],
            secondary_digits: vec![5],
            houses: vec![house(HouseType::Row, 1), house(HouseType::Run, 0)],
            cover_houses: vec![house(HouseType::Column, 2), house(HouseType::Box, 3)],
            number: Some(-7),
            placed: vec![],
            removed: vec![(11, 4)],
            chains: vec![],
        };
        let [first, second, removed] = [(1, 1, 0), (2, 2, 0), (2, 3, 4)];
        let cell = |(row, column, digit)| pb::Cell { row, column, digit };
        let house = |house_type: pb::HouseType, number| pb::House { r#type: house_type.into(), number };
        let expected = pb::Step {
            technique: "X-Wing".to_owned(),
            rating: 3.2,
            cells: vec![cell(first), cell(second)],
            removed: vec![cell(removed)],
            sentence: kind.sentence("9x9", &step),
            digits: vec![4],
            houses: vec![house(pb::HouseType::Row, 1), house(pb::HouseType::Run, 0)],
            cover_houses: vec![house(pb::HouseType::Column, 2), house(pb::HouseType::Box, 3)],
            secondary_cells: vec![cell(second)],
            secondary_digits: vec![5],
            number: Some(-7),
            ..pb::Step::default()
        };
        assert_eq!(Board::of(9).step((kind, "9x9"), step, &[]), expected);
    }

    #[test]
    fn wrong_digits_are_named_with_their_cells_up_to_a_limit() {
        let (board, kind) = (Board::of(9), (registry::kind("sudoku").unwrap(), "9x9"));
        let one = board.hint(kind, Hint::Wrong(vec![(10, 5)]), 0).unwrap();
        assert_eq!(one.message, "5 in r2c2 contradicts the solution");
        let without = board.hint(kind, Hint::Wrong(vec![(10, 0)]), 0).unwrap();
        assert_eq!(without.message, "the candidates of r2c2 contradict the solution");
        let many = board.hint(kind, Hint::Wrong((0..11).map(|cell| (cell, 1)).collect()), 0).unwrap();
        assert!(many.message.starts_with("1 in r1c1, 1 in r1c2, "), "{}", many.message);
        assert!(many.message.ends_with(", 1 in r1c9 and 2 more contradict the solution"), "{}", many.message);
        assert_eq!((many.wrong.len(), many.wrong[10]), (11, pb::Cell { row: 2, column: 2, digit: 1 }));
    }
}
