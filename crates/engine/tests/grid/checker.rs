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
    maps::{Others, cages, shape},
};

/// The candidates of each cell, as bits from 1. Bit 0 stands for no star.
#[derive(Debug, Clone)]
pub(crate) struct Notes {
    size: usize,
    /// The rows and columns of a box, if the board has boxes.
    boxes: [usize; 2],
    /// The region of each cell, if the board has regions.
    regions: Vec<u16>,
    /// The number of stars in each house; 0 if it has digits.
    stars: usize,
    /// Whether equal digits or stars do not touch.
    is_apart: bool,
    /// The cells of each sign, and the sign.
    signs: Vec<([Cell; 2], char)>,
    /// The cages, as the text states them.
    cages: Vec<House>,
    /// The sightlines, as the text states them.
    sightlines: Vec<House>,
    houses: Vec<House>,
    /// Whether cages have operators, and digits may repeat in them.
    has_operators: bool,
    /// What holds if lines have as many zeros as ones.
    halves: Option<Halves>,
    candidates: Vec<u64>,
}

/// The rules of binairo.
#[derive(Debug, Clone, Copy)]
struct Halves {
    /// Whether no two rows and no two columns are equal.
    are_unlike: bool,
}

impl Notes {
    /// The candidates of a puzzle. `marks` are the digits that a player still has for each cell, as bits; 0 for a cell without marks.
    pub(crate) fn of(line: &Line, marks: &[u32]) -> Self {
        let (size, stars, has_regions) = (line.size(), line.stars(), line.has_regions());
        let (is_apart, regions) = (stars > 0 || line.has_small_regions(), line.regions());
        let has_boxes = line.has_boxes();
        let (height, width, others) = if has_boxes { shape(line.variant()) } else { (1, size, Others::None) };
        let house = |house_type, number: usize| House {
            house_type,
            number: Cell::try_from(number).unwrap(),
            cells: Vec::new(),
            sum: None,
            operator: None,
        };
        let lines = [HouseType::Row, HouseType::Column];
        let mut houses: Vec<_> = lines.iter().flat_map(|&of| (1..=size).map(move |number| house(of, number))).collect();
        if line.has_small_regions() {
            houses.clear();
        }
        let regions_end = regions.iter().max().map_or(0, |last| usize::from(*last) + 1);
        houses.extend((0..regions_end).filter(|_| has_regions).map(|at| house(HouseType::Region, at)));
        houses.extend((1..=size).filter(|_| has_boxes).map(|number| house(HouseType::Box, number)));
        houses.extend(match others {
            Others::None => Vec::new(),
            Others::Diagonals => (1..=2).map(|number| house(HouseType::Diagonal, number)).collect(),
            Others::Windows => (1..=4).map(|number| house(HouseType::Window, number)).collect(),
        });
        let cages = cages_of(size, &line.text);
        // Digits may repeat in a cage with an operator.
        houses.extend(cages.iter().filter(|_| !line.has_operators()).cloned());
        if line.has_halves() {
            // Its lines hold digits several times.
            houses.clear();
        }
        let halves = line.has_halves().then(|| Halves { are_unlike: !line.has_signs() });
        let all = if stars > 0 { 0b11 } else { (2 << line.digits_max()) - 2 };
        let in_region = |cell: usize| regions.iter().filter(|region| **region == regions[cell]).count();
        let of_cell = |cell: usize| if line.has_small_regions() { (2 << in_region(cell)) - 2 } else { all };
        let candidates = (0..size * size).map(of_cell).collect();
        let (signs, sightlines) = (signs(&line.text, size), sightlines_of(size, &line.text));
        let boxes = [height, width];
        let has_operators = line.has_operators();
        let mut notes = Self {
            size,
            boxes,
            regions,
            stars,
            is_apart,
            signs,
            cages,
            sightlines,
            houses,
            has_operators,
            halves,
            candidates,
        };
        for (cell, digit) in (0..).zip(line.digits(&line.text)).filter(|(_, digit)| *digit != 0) {
            notes.place(cell, digit);
        }
        for (candidates, marks) in notes.candidates.iter_mut().zip(marks).filter(|(_, marks)| **marks != 0) {
            *candidates &= u64::from(*marks);
        }
        notes
    }

    /// Checks steps, and leaves the candidates after them.
    ///
    /// # Errors
    /// [`Unproven`] names the first step that does not follow or changes nothing.
    pub(crate) fn check(&mut self, steps: &[Step]) -> Result<(), Unproven> {
        for (number, step) in steps.iter().enumerate() {
            self.check_step(step).map_err(|claim| Unproven { step: number, claim })?;
            step.removed.iter().for_each(|&(cell, digit)| self.candidates[usize::from(cell)] &= !(1 << digit));
            step.placed.iter().for_each(|&(cell, digit)| self.place(cell, digit));
        }
        Ok(())
    }

    pub(crate) fn is_in(&self, house: &House, cell: Cell) -> bool {
        let ([height, width], number) = (self.boxes, usize::from(house.number));
        let (row, column) = (usize::from(cell) / self.size, usize::from(cell) % self.size);
        match (house.house_type, number) {
            (HouseType::Row, _) => row + 1 == number,
            (HouseType::Column, _) => column + 1 == number,
            (HouseType::Box, _) => row / height * height + column / width + 1 == number,
            (HouseType::Region, _) => self.regions[usize::from(cell)] == house.number,
            (HouseType::Edge, _) => self.signs[number].0.contains(&cell),
            (HouseType::Sightline, _) => self.sightlines[number].cells.contains(&cell),
            (HouseType::Cage, _) => {
                self.cages.iter().any(|cage| cage.number == house.number && cage.cells.contains(&cell))
            }
            (HouseType::Diagonal, 1) => row == column,
            (HouseType::Diagonal, 2) => row + column + 1 == self.size,
            (HouseType::Window, _) => [(row, (number - 1) / 2), (column, (number - 1) % 2)]
                .iter()
                .all(|(line, window)| line / 4 == *window && line % 4 != 0),
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
        self.candidates[usize::from(cell)] = 1 << digit;
        // A house with several stars excludes others only when it has all of them.
        let is_placed = |at: &Cell| self.candidates[usize::from(*at)] == 1 << digit;
        let placed = |house: &House| self.cells().filter(|at| self.is_in(house, *at) && is_placed(at)).count();
        let full: Vec<_> = self.houses.iter().filter(|house| self.stars < 2 || placed(house) >= self.stars).collect();
        let is_excluded = |other: &Cell| {
            let is_seen = self.touch(cell, *other) || self.share(full.iter().copied(), cell, *other);
            *other != cell && is_seen && !(self.stars > 1 && is_placed(other))
        };
        for other in self.cells().filter(is_excluded).collect::<Vec<_>>() {
            self.candidates[usize::from(other)] &= !(1 << digit);
        }
    }

    /// Whether the cells are both in one of these houses.
    fn share<'h>(&self, houses: impl IntoIterator<Item = &'h House>, cell: Cell, other: Cell) -> bool {
        houses.into_iter().any(|house| self.is_in(house, cell) && self.is_in(house, other))
    }

    /// Whether equal digits or stars in these cells would touch.
    fn touch(&self, cell: Cell, other: Cell) -> bool {
        let place = |cell: Cell| (usize::from(cell) / self.size, usize::from(cell) % self.size);
        let ((row, column), (to, at)) = (place(cell), place(other));
        self.is_apart && row.abs_diff(to).max(column.abs_diff(at)) == 1
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
    /// battle, each of the houses has one or two stars, each cover house has at most as many, and no two stars touch; in a suguru, no
    /// equal digits do. The digits of a cage add up to its sum, and the core derives further sums from the houses and cages of the step. A
    /// sightline shows its number of digits, which differ.
    fn refutes(&self, step: &Step, cell: Cell, digit: u8) -> bool {
        // The cells of a cover house count if it is a line with halves, or if several of its cells have stars.
        let lines = step.cover_houses.iter().filter(|_| self.halves.is_some() || self.stars > 1);
        let in_houses = |at: &Cell| step.houses.iter().chain(lines.clone()).any(|house| self.is_in(house, *at));
        let cells = self.cells().filter(|at| *at == cell || step.cells.contains(at) || in_houses(at));
        let mut model = Model::new();
        let domain = |at: Cell| if at == cell { 1 << digit } else { self.candidates[usize::from(at)] };
        let vars: BTreeMap<Cell, Var> = cells.map(|at| (at, model.variable(Domain::from_mask(domain(at))))).collect();
        let named = if step.houses.is_empty() { &self.houses } else { &step.houses };
        let of_house =
            |house: &House| vars.iter().filter(|(at, _)| self.is_in(house, **at)).map(|(_, var)| *var).collect();
        if let Some(halves) = &self.halves {
            let all = step.houses.iter().chain(&step.cover_houses);
            let (signs, lines): (Vec<_>, Vec<_>) = all.partition(|house| house.house_type == HouseType::Edge);
            halves.post(&lines, &|house| of_house(house), &mut model);
            for sign in signs {
                model.post(self.sign(usize::from(sign.number), &vars));
            }
        } else if self.stars > 0 {
            let max = self.stars;
            let mut post = |house, min| model.post(Constraint::Count { vars: of_house(house), value: 1, min, max });
            step.houses.iter().for_each(|house| post(house, max));
            step.cover_houses.iter().for_each(|house| post(house, 0));
            let pairs = vars.iter().flat_map(|one| vars.range(..one.0).map(move |other| (one, other)));
            for ((&one, &var), (&other, &with)) in pairs {
                let all = named.iter().chain(&step.cover_houses);
                if self.touch(one, other) || self.stars == 1 && self.share(all, one, other) {
                    let allowed = vec![Domain::from_mask(0b11), Domain::from_mask(0b01)];
                    model.post(Constraint::Pair { vars: [var, with], allowed });
                }
            }
        } else {
            for house in named.iter().chain(&step.cover_houses) {
                let of_house: Vec<Var> = of_house(house);
                assert!(house.house_type != HouseType::Cage || self.cages.contains(house), "{house:?}");
                if self.has_operators {
                    if let Some(constraint) = arithmetic(house, of_house, self.size) {
                        model.post(constraint);
                    }
                    continue;
                }
                if house.house_type == HouseType::Sightline {
                    assert!(self.sightlines.contains(house), "{house:?}");
                    let (vars, sum) = (house.cells.iter().map(|cell| vars[cell]).collect(), house.sum.unwrap());
                    model.post(Constraint::Visible { vars, count: usize::try_from(sum).unwrap() });
                }
                model.post(match (house.house_type, house.sum) {
                    (HouseType::Sightline, _) => Constraint::AllDifferent(of_house),
                    (HouseType::Edge, _) => self.sign(usize::from(house.number), &vars),
                    (_, Some(total)) if of_house.len() == house.cells.len() => {
                        Constraint::DifferentSum { vars: of_house, total }
                    }
                    _ => Constraint::AllDifferent(of_house),
                });
            }
            let pairs = vars.iter().flat_map(|one| vars.range(..one.0).map(move |other| (one, other)));
            for ((_, &var), (_, &with)) in pairs.filter(|((one, _), (other, _))| self.touch(**one, **other)) {
                model.post(Constraint::AllDifferent(vec![var, with]));
            }
            model.post_derived_sums();
        }
        matches!(Search::new(&model).next_solution(&mut Budget::of_nodes(u64::MAX)), Ok(None))
    }
}

impl Halves {
    /// Posts the rules of the lines that a step names.
    fn post(self, lines: &[&House], of_house: &dyn Fn(&House) -> Vec<Var>, model: &mut Model) {
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
    }
}

impl Notes {
    /// What a sign says about its cells.
    fn sign(&self, number: usize, vars: &BTreeMap<Cell, Var>) -> Constraint {
        let (cells, sign) = self.signs[number];
        let all: u64 = if self.halves.is_some() { 0b110 } else { (2 << self.size) - 2 };
        let allowed = (0..=self.size).map(|digit| match sign {
            '<' => all & !0_u64 << digit << 1,
            '>' => all & ((1 << digit) - 1),
            '=' => all & 1 << digit,
            _ => all & !(1 << digit),
        });
        Constraint::Pair { vars: cells.map(|cell| vars[&cell]), allowed: allowed.map(Domain::from_mask).collect() }
    }
}

/// The cell of a line at a distance from its clue, by the size of the board, the line, and the distance.
type CellOf = fn(usize, usize, usize) -> usize;

/// The sightlines of a text, each with its cells from the clue on and its number; none if it has none.
pub(crate) fn sightlines_of(size: usize, text: &str) -> Vec<House> {
    let part = |name: &str| text.split(' ').find_map(|part| part.strip_prefix(name)).unwrap_or_default();
    let of_side = |(name, cell): (&str, CellOf)| {
        let clues = part(name).chars().enumerate().filter_map(|(line, sign)| Some((line, sign.to_digit(10)?)));
        clues.map(|(line, sum)| ((0..size).map(|at| cell(size, line, at)).collect(), sum)).collect::<Vec<(Vec<_>, _)>>()
    };
    let sides: [(&str, CellOf); 4] = [
        ("north=", |size, line, at| at * size + line),
        ("east=", |size, line, at| line * size + size - 1 - at),
        ("south=", |size, line, at| (size - 1 - at) * size + line),
        ("west=", |size, line, at| line * size + at),
    ];
    let sightline = |(number, (cells, sum)): (usize, (Vec<usize>, u32))| House {
        house_type: HouseType::Sightline,
        number: Cell::try_from(number).unwrap(),
        cells: cells.into_iter().map(|cell| Cell::try_from(cell).unwrap()).collect(),
        sum: Some(sum),
        operator: None,
    };
    sides.into_iter().flat_map(of_side).enumerate().map(sightline).collect()
}

/// The signs of a text in the order of their cells; none if it has none.
pub(crate) fn signs(text: &str, size: usize) -> Vec<([Cell; 2], char)> {
    let part = |name: &str| text.split(' ').find_map(|part| part.strip_prefix(name)).unwrap_or_default();
    let right =
        part("right=").chars().enumerate().map(|(at, sign)| ([at + at / (size - 1), at + at / (size - 1) + 1], sign));
    let down = part("down=").chars().enumerate().map(|(at, sign)| ([at, at + size], sign));
    let mut signs: Vec<_> = right.chain(down).filter(|(_, sign)| *sign != '-').collect();
    signs.sort_unstable();
    signs.into_iter().map(|(cells, sign)| (cells.map(|cell| Cell::try_from(cell).unwrap()), sign)).collect()
}

/// The rule of a line or of a cage with an operator. A cage of which only some cells are named has none.
fn arithmetic(house: &House, vars: Vec<Var>, size: usize) -> Option<Constraint> {
    let Some(total) = house.sum else { return Some(Constraint::AllDifferent(vars)) };
    if vars.len() < house.cells.len() {
        return None;
    }
    let last = u32::try_from(size).unwrap();
    let pair = |is_made: &dyn Fn(u32, u32) -> bool| {
        let partners =
            |one: u32| (1..=last).filter(|other| is_made(one, *other)).fold(0_u64, |all, other| all | 1 << other);
        let allowed = (0..=last).map(partners).map(Domain::from_mask).collect();
        Constraint::Pair { vars: vars.clone().try_into().unwrap(), allowed }
    };
    Some(match house.operator {
        Some("-") => pair(&|one, other| one + total == other || other + total == one),
        Some("/") => pair(&|one, other| one * total == other || other * total == one),
        Some("x") => Constraint::Product { vars, total },
        _ => Constraint::Sum { vars, total },
    })
}

/// The cages with their numbers and operators. Those without operators are numbered after the boxes. Empty if the text has none.
pub(crate) fn cages_of(size: usize, text: &str) -> Vec<House> {
    let Some((_, clues)) = text.split_once(" cages=") else { return Vec::new() };
    let (letters, numbers) = clues.split_once(' ').unwrap();
    let (name, numbers) = numbers.split_once('=').unwrap();
    let operator_of = |number: &str| ["+", "-", "x", "/"].into_iter().find(|sign| number.ends_with(sign));
    let cage = |(number, (cells, total)): (usize, (Vec<usize>, &str))| House {
        house_type: HouseType::Cage,
        number: Cell::try_from(number).unwrap(),
        cells: cells.into_iter().map(|cell| Cell::try_from(cell).unwrap()).collect(),
        sum: Some(total.trim_end_matches(['+', '-', 'x', '/']).parse().unwrap()),
        operator: operator_of(total),
    };
    let first = if name == "sums" { size } else { 0 };
    (first..).zip(cages(size, letters).into_iter().zip(numbers.split(','))).map(cage).collect()
}
