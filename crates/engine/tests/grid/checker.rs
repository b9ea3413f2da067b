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

use super::{Line, maps::shape};

/// The candidates of each cell, as bits from 1. Bit 0 stands for no star.
#[derive(Debug)]
pub(crate) struct Notes {
    size: usize,
    /// The rows and columns of a box, if the board has boxes.
    boxes: [usize; 2],
    /// The region of each cell, if the board has regions. Its cells hold one star or none.
    regions: Vec<u16>,
    houses: Vec<House>,
    /// The signs of the text, if lines hold as many zeros as ones: each pair of cells, and whether their digits are equal.
    halves: Option<Halves>,
    candidates: Vec<u64>,
}

/// The rules of binairo.
#[derive(Debug)]
struct Halves {
    /// Whether no two rows and no two columns are equal.
    are_unlike: bool,
    /// The cells of each sign, and whether their digits are equal.
    signs: Vec<([Cell; 2], bool)>,
}

impl Notes {
    /// The candidates of a puzzle. `marks` are the digits that a player still has for each cell, as bits; 0 for a cell without marks.
    pub(crate) fn of(line: &Line, marks: &[u32]) -> Self {
        let (size, has_stars) = (line.size(), line.has_stars());
        let has_boxes = !has_stars && !line.has_halves();
        let (height, width, has_diagonals) = if has_boxes { shape(line.variant()) } else { (1, size, false) };
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
        if line.has_halves() {
            // Its lines hold digits several times.
            houses.clear();
        }
        let are_unlike = !line.variant().ends_with("-signs");
        let halves = line.has_halves().then(|| Halves { are_unlike, signs: signs(&line.text, size) });
        let all = if has_stars { 0b11 } else { (2 << line.digits_max()) - 2 };
        let candidates = vec![all; size * size];
        let mut notes = Self { size, boxes: [height, width], regions: regions(&line.text), houses, halves, candidates };
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
            (HouseType::Edge, _) => house.cells.contains(&cell),
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
    /// battle, each of the houses has one star, each cover house has at most one, and no two stars touch.
    fn refutes(&self, step: &Step, cell: Cell, digit: u8) -> bool {
        // The cells of a cover house count if it is a line with halves.
        let lines = step.cover_houses.iter().filter(|_| self.halves.is_some());
        let in_houses = |at: &Cell| step.houses.iter().chain(lines.clone()).any(|house| self.is_in(house, *at));
        let cells = self.cells().filter(|at| *at == cell || step.cells.contains(at) || in_houses(at));
        let mut model = Model::new();
        let domain = |at: Cell| if at == cell { 1 << digit } else { self.candidates[usize::from(at)] };
        let vars: BTreeMap<Cell, Var> = cells.map(|at| (at, model.variable(Domain::from_mask(domain(at))))).collect();
        let named = if step.houses.is_empty() { &self.houses } else { &step.houses };
        let of_house =
            |house: &House| vars.iter().filter(|(at, _)| self.is_in(house, **at)).map(|(_, var)| *var).collect();
        if let Some(halves) = &self.halves {
            let houses = [&step.houses[..], &step.cover_houses].concat();
            halves.post(&houses, &|house| of_house(house), &vars, &mut model);
        } else if self.regions.is_empty() {
            named
                .iter()
                .chain(&step.cover_houses)
                .for_each(|house| model.post(Constraint::AllDifferent(of_house(house))));
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

impl Halves {
    /// Posts the rules of the houses and signs that a step names.
    fn post(
        &self,
        houses: &[House],
        of_house: &dyn Fn(&House) -> Vec<Var>,
        vars: &BTreeMap<Cell, Var>,
        model: &mut Model,
    ) {
        let lines: Vec<_> = houses.iter().filter(|house| house.house_type != HouseType::Edge).collect();
        for (at, house) in lines.iter().enumerate() {
            let cells = of_house(house);
            let half = cells.len() / 2;
            for three in cells.windows(3) {
                model.post(Constraint::Count { vars: three.to_vec(), value: 1, min: 1, max: 2 });
            }
            let beside = lines[..at].iter().filter(|other| other.house_type == house.house_type && self.are_unlike);
            beside.for_each(|other| model.post(Constraint::Unlike { vars: [cells.clone(), of_house(other)].concat() }));
            model.post(Constraint::Count { vars: cells, value: 1, min: half, max: half });
        }
        for edge in houses.iter().filter(|house| house.house_type == HouseType::Edge) {
            let (cells, is_same) =
                self.signs.iter().find(|(cells, _)| edge.cells == *cells).expect("a sign of the text");
            let [one, other] = (if *is_same { [0b010, 0b100] } else { [0b100, 0b010] }).map(Domain::from_mask);
            model.post(Constraint::Pair {
                vars: cells.map(|cell| vars[&cell]),
                allowed: vec![Domain::from_mask(0), one, other],
            });
        }
    }
}

/// The signs between equal and between different digits of a text.
fn signs(text: &str, size: usize) -> Vec<([Cell; 2], bool)> {
    let Some((_, parts)) = text.split_once(" right=") else { return Vec::new() };
    let (right, down) = parts.split_once(" down=").unwrap();
    let cell = |row: usize, column: usize| Cell::try_from(row * size + column).unwrap();
    let of_row = (0..).zip(right.chars()).map(|(at, sign): (usize, char)| {
        let (row, column) = (at / (size - 1), at % (size - 1));
        ([cell(row, column), cell(row, column + 1)], sign)
    });
    let of_column = (0..).zip(down.chars()).map(|(at, sign): (usize, char)| {
        let (row, column) = (at / size, at % size);
        ([cell(row, column), cell(row + 1, column)], sign)
    });
    of_row.chain(of_column).filter(|(_, sign)| *sign != '-').map(|(cells, sign)| (cells, sign == '=')).collect()
}

/// The region of each cell, from 0 in the order of their first cells. Empty if the text has none.
fn regions(text: &str) -> Vec<u16> {
    let letters = text.split_once(" regions=").map_or("", |(_, letters)| letters);
    letters.bytes().map(|letter| u16::from(letter - b'a')).collect()
}
