//! Checks steps independently of the ladder, and knows no technique. From the houses and cells that a step names and the candidates
//! before it, the constraint core derives every placement and elimination again by trying the opposite. The cells of a house are computed
//! here from its type and number; those of a region are the letters of the text.

use std::collections::BTreeMap;

use puzzled_engine::{
    csp::{Constraint, Domain, Model, Search, Var},
    shared::{
        budget::Budget,
        step::{Cell, House, HouseType, Step, Unproven},
    },
};

use super::{
    Line,
    maps::{cages, shape},
};

/// The candidates of each cell, as bits from 1. Bit 0 stands for no star.
#[derive(Debug)]
pub(crate) struct Notes {
    size: usize,
    /// The rows and columns of a box, if the board has boxes.
    boxes: [usize; 2],
    /// The region of each cell, if the board has regions. Its cells hold one star or none.
    regions: Vec<u16>,
    /// The cages, as the text states them.
    cages: Vec<House>,
    houses: Vec<House>,
    candidates: Vec<u64>,
}

impl Notes {
    /// The candidates of a puzzle. `marks` are the digits that a player still has for each cell, as bits; 0 for a cell without marks.
    pub(crate) fn of(line: &Line, marks: &[u32]) -> Self {
        let (size, has_stars) = (line.size(), line.has_stars());
        let (height, width, has_diagonals) = if has_stars { (1, size, false) } else { shape(line.variant()) };
        let house = |house_type, number: usize| House {
            house_type,
            number: Cell::try_from(number).unwrap(),
            cells: Vec::new(),
            sum: None,
            operator: None,
        };
        let lines = [HouseType::Row, HouseType::Column];
        let mut houses: Vec<_> = lines.iter().flat_map(|&of| (1..=size).map(move |number| house(of, number))).collect();
        houses.extend(
            (0..size).map(|at| if has_stars { house(HouseType::Region, at) } else { house(HouseType::Box, at + 1) }),
        );
        houses.extend((1..=2).filter(|_| has_diagonals).map(|number| house(HouseType::Diagonal, number)));
        let cages = cages_of(size, &line.text);
        houses.extend(cages.iter().cloned());
        let all = if has_stars { 0b11 } else { (2 << size) - 2 };
        let candidates = vec![all; size * size];
        let mut notes = Self { size, boxes: [height, width], regions: regions(&line.text), cages, houses, candidates };
        for (cell, digit) in (0..).zip(line.digits(&line.text)).filter(|(_, digit)| *digit != 0) {
            notes.place(cell, digit);
        }
        for (candidates, marks) in notes.candidates.iter_mut().zip(marks).filter(|(_, marks)| **marks != 0) {
            *candidates &= u64::from(*marks);
        }
        notes
    }

    /// # Errors
    /// [`Unproven`] names the first step that does not follow or changes nothing.
    pub(crate) fn check(mut self, steps: &[Step]) -> Result<(), Unproven> {
        for (number, step) in steps.iter().enumerate() {
            self.check_step(step).map_err(|claim| Unproven { step: number, claim })?;
            step.removed.iter().for_each(|&(cell, digit)| self.candidates[usize::from(cell)] &= !(1 << digit));
            step.placed.iter().for_each(|&(cell, digit)| self.place(cell, digit));
        }
        Ok(())
    }

    fn is_in(&self, house: &House, cell: Cell) -> bool {
        let ([height, width], number) = (self.boxes, usize::from(house.number));
        let (row, column) = (usize::from(cell) / self.size, usize::from(cell) % self.size);
        match (house.house_type, number) {
            (HouseType::Row, _) => row + 1 == number,
            (HouseType::Column, _) => column + 1 == number,
            (HouseType::Box, _) => row / height * height + column / width + 1 == number,
            (HouseType::Region, _) => self.regions[usize::from(cell)] == house.number,
            (HouseType::Cage, _) => self.cages[number - self.size].cells.contains(&cell),
            (HouseType::Diagonal, 1) => row == column,
            (HouseType::Diagonal, 2) => row + column + 1 == self.size,
            _ => panic!("{house:?}"),
        }
    }

    fn has(&self, cell: Cell, digit: u8) -> bool {
        self.candidates[usize::from(cell)] & 1 << digit != 0
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        0..Cell::try_from(self.size * self.size).unwrap()
    }

    fn place(&mut self, cell: Cell, digit: u8) {
        for other in self
            .cells()
            .filter(|other| self.touch(cell, *other) || self.share(&self.houses, cell, *other))
            .collect::<Vec<_>>()
        {
            self.candidates[usize::from(other)] &= !(1 << digit);
        }
        self.candidates[usize::from(cell)] = 1 << digit;
    }

    /// Whether the cells are both in one of these houses.
    fn share<'h>(&self, houses: impl IntoIterator<Item = &'h House>, cell: Cell, other: Cell) -> bool {
        houses.into_iter().any(|house| self.is_in(house, cell) && self.is_in(house, other))
    }

    /// Whether stars in these cells would touch.
    fn touch(&self, cell: Cell, other: Cell) -> bool {
        let place = |cell: Cell| (usize::from(cell) / self.size, usize::from(cell) % self.size);
        let ((row, column), (to, at)) = (place(cell), place(other));
        !self.regions.is_empty() && row.abs_diff(to).max(column.abs_diff(at)) == 1
    }

    /// # Errors
    /// The claim of the step that does not follow.
    fn check_step(&self, step: &Step) -> Result<(), String> {
        if step.placed.is_empty() && step.removed.is_empty() {
            return Err("nothing".to_owned());
        }
        for &(cell, digit) in &step.removed {
            if !self.has(cell, digit) || !self.refutes(step, cell, digit) {
                return Err(format!("cell {cell} is not {digit}"));
            }
        }
        for &(cell, digit) in &step.placed {
            let mut others = (0..=16).filter(|&other| other != digit && self.has(cell, other));
            if !self.has(cell, digit) || !others.all(|other| self.refutes(step, cell, other)) {
                return Err(format!("cell {cell} is {digit}"));
            }
        }
        Ok(())
    }

    /// Whether the core proves that the cells of the step's pattern and houses cannot be filled with this digit in this cell, if no
    /// digit is twice in one of the step's houses. A step without houses stands for all houses that its cells share. In a star
    /// battle, each of the houses has one star, each cover house has at most one, and no two stars touch. The digits of a cage add up to
    /// its sum, and the core derives further sums from the houses and cages of the step.
    fn refutes(&self, step: &Step, cell: Cell, digit: u8) -> bool {
        let in_houses = |at: &Cell| step.houses.iter().any(|house| self.is_in(house, *at));
        let cells = self.cells().filter(|at| *at == cell || step.cells.contains(at) || in_houses(at));
        let mut model = Model::new();
        let domain = |at: Cell| if at == cell { 1 << digit } else { self.candidates[usize::from(at)] };
        let vars: BTreeMap<Cell, Var> = cells.map(|at| (at, model.variable(Domain::from_mask(domain(at))))).collect();
        let named = if step.houses.is_empty() { &self.houses } else { &step.houses };
        let of_house =
            |house: &House| vars.iter().filter(|(at, _)| self.is_in(house, **at)).map(|(_, var)| *var).collect();
        if self.regions.is_empty() {
            for house in named.iter().chain(&step.cover_houses) {
                let vars: Vec<Var> = of_house(house);
                assert!(house.house_type != HouseType::Cage || self.cages.contains(house), "{house:?}");
                model.post(match house.sum.filter(|_| vars.len() == house.cells.len()) {
                    Some(total) => Constraint::DifferentSum { vars, total },
                    None => Constraint::AllDifferent(vars),
                });
            }
            model.post_derived_sums();
        } else {
            step.houses
                .iter()
                .for_each(|house| model.post(Constraint::Count { vars: of_house(house), value: 1, min: 1, max: 1 }));
            let pairs = vars.iter().flat_map(|one| vars.range(..one.0).map(move |other| (one, other)));
            for ((&one, &var), (&other, &with)) in pairs {
                if self.touch(one, other) || self.share(named.iter().chain(&step.cover_houses), one, other) {
                    let allowed = vec![Domain::from_mask(0b11), Domain::from_mask(0b01)];
                    model.post(Constraint::Pair { vars: [var, with], allowed });
                }
            }
        }
        matches!(Search::new(&model).next_solution(&mut Budget::of_nodes(u64::MAX)), Ok(None))
    }
}

/// The cages with their sums, numbered after the boxes. Empty if the text has none.
fn cages_of(size: usize, text: &str) -> Vec<House> {
    let Some((_, clues)) = text.split_once(" cages=") else { return Vec::new() };
    let (letters, sums) = clues.split_once(" sums=").unwrap();
    let sums = sums.split(',').map(|sum| sum.parse().unwrap());
    let cage = |(number, (cells, sum)): (usize, (Vec<usize>, u32))| House {
        house_type: HouseType::Cage,
        number: Cell::try_from(number).unwrap(),
        cells: cells.into_iter().map(|cell| Cell::try_from(cell).unwrap()).collect(),
        sum: Some(sum),
        operator: None,
    };
    (size..).zip(cages(size, letters).into_iter().zip(sums)).map(cage).collect()
}

/// The region of each cell, from 0 in the order of their first cells. Empty if the text has none.
fn regions(text: &str) -> Vec<u16> {
    let letters = text.split_once(" regions=").map_or("", |(_, letters)| letters);
    letters.bytes().map(|letter| u16::from(letter - b'a')).collect()
}
