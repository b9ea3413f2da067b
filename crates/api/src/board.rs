//! Converts what concerns the cells of a board to messages: regions, rows, and steps.

use super::{v1 as pb, words::rating};
use puzzled_engine::shared::{
    kind::PuzzleKind,
    record::TechniqueCount,
    step::{Cell, Chain, House, HouseType, Link, SingleIn, Statement, Step},
    text::{
        Region, RegionType,
        judge::{BrokenRule, Judgment},
    },
};

/// The maximum number of cells that a message names: all of a Sudoku 9x9.
const NAMED_MAX: usize = 81;

/// The kind and the variant of a step, which write its sentence.
pub type KindAndVariant<'a> = (&'a dyn PuzzleKind, &'a str);

/// Converts cell numbers to rows and columns.
#[derive(Debug, Clone, Copy)]
pub struct Board {
    width: u16,
}

impl Board {
    /// A board with this many columns, at least one.
    #[must_use]
    pub fn of(width: u16) -> Self {
        Self { width: width.max(1) }
    }

    /// The API's message for a cell, with the digit that it is about, or 0.
    #[must_use]
    pub fn cell(self, cell: Cell, digit: u8) -> pb::Cell {
        let (row, column) = (cell / self.width, cell % self.width);
        pb::Cell { row: u32::from(row) + 1, column: u32::from(column) + 1, digit: digit.into() }
    }

    /// The API's messages for regions.
    #[must_use]
    pub fn regions(self, regions: Vec<Region>) -> Vec<pb::Region> {
        let region = |region: Region| pb::Region {
            r#type: region_type(region.region_type).into(),
            cells: region.cells.into_iter().map(|cell| self.cell(cell, 0)).collect(),
            sum: region.sum,
            operator: region.operator.map(str::to_owned),
        };
        regions.into_iter().map(region).collect()
    }

    /// The API's messages for the digits of a board, row by row.
    #[must_use]
    pub fn rows(self, digits: &[i8]) -> Vec<pb::BoardRow> {
        let row = |cells: &[i8]| pb::BoardRow { cells: cells.iter().map(|&cell| cell.into()).collect() };
        digits.chunks(self.width.into()).map(row).collect()
    }

    /// Cells as people write them: `r1c1, r1c5`. If there are very many cells, the first ones and the number of the
    /// others.
    #[must_use]
    pub fn names(self, cells: &[Cell]) -> String {
        let names = cells.iter().take(NAMED_MAX).map(|&cell| self.cell(cell, 0));
        let names = names.map(|at| format!("r{}c{}", at.row, at.column)).collect::<Vec<_>>().join(", ");
        match cells.len().saturating_sub(NAMED_MAX) {
            0 => names,
            more => format!("{names} and {more} more"),
        }
    }

    /// The API's message for a step, with the other possible steps if requested.
    pub fn step(self, of: KindAndVariant<'_>, step: Step, open: &[TechniqueCount]) -> pb::Step {
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

    /// The API's messages for what a board breaks.
    #[must_use]
    pub fn broken(self, judgment: &Judgment) -> Vec<pb::BrokenRule> {
        let rule = |broken: &BrokenRule| pb::BrokenRule {
            sentence: broken.sentence.clone(),
            cells: broken.cells.iter().map(|(cell, digit)| self.cell(*cell, *digit)).collect(),
        };
        judgment.broken.iter().map(rule).collect()
    }

    /// The API's messages for cells, without a digit.
    #[must_use]
    pub fn cells(self, cells: Vec<Cell>) -> Vec<pb::Cell> {
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
        HouseType::Sightline => pb::HouseType::Sightline,
    };
    pb::House { r#type: house_type.into(), number: house.number.into() }
}

fn region_type(region_type: RegionType) -> pb::RegionType {
    match region_type {
        RegionType::Run => pb::RegionType::Run,
        RegionType::Cage => pb::RegionType::Cage,
        RegionType::Region => pb::RegionType::Region,
        RegionType::Edge => pb::RegionType::Edge,
        RegionType::Sightline => pb::RegionType::Sightline,
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
            (RegionType::Sightline, pb::RegionType::Sightline),
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
}
