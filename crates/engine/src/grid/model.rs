//! Turns a puzzle into a model of the constraint core, for the second proof. This file builds the rules anew from the puzzle and shares
//! nothing with `rules.rs`, so a wrong house in either file fails one of the proofs.

use std::{
    array,
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

use super::{
    clues::{Cage, Operator, Relation, Sightline},
    puzzle::Puzzle,
    variant::{Areas, ClueType, Content, Extra},
};
use crate::{
    csp::{
        Constraint::{self, AllDifferent, Count, DifferentSum, Pair, Product, Sum, Table, Unlike, Visible},
        Domain, Model, Search, Var,
    },
    shared::{
        budget::{Budget, OutOfBudget},
        step::Side,
    },
};

/// The solutions of a puzzle, at most `limit` of them. A puzzle whose digits exclude each other has none.
///
/// # Errors
/// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
pub(crate) fn solutions(puzzle: &Puzzle, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Vec<u8>>, OutOfBudget> {
    Search::new(&model(puzzle)).solutions(limit, budget)
}

/// Whether a complete board contains the digits of the puzzle and breaks none of its rules. It looks at each group of
/// cells, and does not search.
pub(crate) fn holds(puzzle: &Puzzle, solution: &[u8]) -> bool {
    model(puzzle).holds(solution)
}

/// The rules of a puzzle with what follows from them: sums of cells that several houses and cages share, and the ways to fill a line with
/// halves.
fn model(puzzle: &Puzzle) -> Model {
    let mut model = stated(puzzle);
    if puzzle.variant.clues == ClueType::Cages {
        model.post_derived_sums();
    }
    if matches!(puzzle.variant.content, Content::Halves { .. }) {
        let size = usize::from(puzzle.variant.size);
        let rows = &FILLED_HALVES[size / 2];
        let vars: Vec<Var> = model.vars().collect();
        for line in lines(size).concat() {
            model.post(Table { vars: line.into_iter().map(|cell| vars[cell]).collect(), rows: Arc::clone(rows) });
        }
    }
    model
}

/// By half of the size: the ways to fill a line of at most 16 cells.
static FILLED_HALVES: LazyLock<[Arc<[Vec<u8>]>; 9]> = LazyLock::new(|| array::from_fn(|half| filled_halves(2 * half)));

/// All ways to fill a line of this many cells with halves: half of the cells hold 1, the others 2, and no three neighbors are equal.
fn filled_halves(size: usize) -> Arc<[Vec<u8>]> {
    let mut rows = vec![Vec::new()];
    for _ in 0..size {
        let longer = |row: &Vec<u8>| [1, 2].map(|digit| [&row[..], &[digit]].concat());
        rows = rows.iter().flat_map(longer).collect();
        rows.retain(|row| {
            let holds = |digit: u8| row.iter().map(|one| usize::from(*one == digit)).sum::<usize>() <= size / 2;
            holds(1) && holds(2) && !row.ends_with(&[1; 3]) && !row.ends_with(&[2; 3])
        });
    }
    rows.into()
}

/// The rules of a puzzle: one variable for each cell in reading order, whose value is its digit.
pub(crate) fn stated(puzzle: &Puzzle) -> Model {
    let mut model = Model::new();
    let Puzzle { variant, digits, clues, .. } = puzzle;
    let size = usize::from(variant.size);
    let all = match variant.content {
        Content::Digits(last) => Domain::range(1, last),
        Content::Stars(_) => Domain::range(0, 1),
        Content::Halves { .. } => Domain::range(1, 2),
    };
    let domain = |digit: u8| if digit == 0 { all } else { Domain::only(digit) };
    let vars: Vec<Var> = digits.iter().map(|&digit| model.variable(domain(digit))).collect();
    for group in groups(puzzle) {
        let vars = group.into_iter().map(|cell| vars[cell]).collect();
        model.post(match variant.content {
            Content::Digits(_) => AllDifferent(vars),
            Content::Stars(count) => Count { vars, value: 1, min: count.into(), max: count.into() },
            Content::Halves { .. } => Count { vars, value: 1, min: size / 2, max: size / 2 },
        });
    }
    if variant.areas == Areas::SmallRegions {
        small_regions(&puzzle.regions, &vars, &mut model);
    }
    match variant.content {
        Content::Stars(_) if variant.apart => {
            let not_both = vec![Domain::range(0, 1), Domain::only(0)];
            for [one, other] in touching(size) {
                model.post(Pair { vars: [vars[one], vars[other]], allowed: not_both.clone() });
            }
        }
        // Each pair of cells that touch is in a square of four cells.
        _ if variant.apart => {
            let corners = (0..size * (size - 1)).filter(|corner| (corner + 1) % size > 0);
            let squares = corners.map(|corner| rectangle(size, corner, 2, 2));
            squares.for_each(|square| model.post(AllDifferent(square.into_iter().map(|cell| vars[cell]).collect())));
        }
        _ => {}
    }
    if let Content::Halves { unlike } = variant.content {
        halves(size, unlike.is_some(), &vars, &mut model);
    }
    for cage in &clues.cages {
        let vars: Vec<Var> = cage.cells.iter().map(|cell| vars[usize::from(cell)]).collect();
        let total = cage.number;
        model.post(match variant.clues {
            ClueType::Arithmetic => arithmetic(cage, vars, variant.size),
            _ => DifferentSum { vars, total },
        });
    }
    for sign in &clues.signs {
        let partners =
            |first: u8| -> Domain { all.values().filter(|second| is_true(sign.relation, first, *second)).collect() };
        let allowed = (0..=variant.digits()).map(partners).collect();
        model.post(Pair { vars: sign.cells.map(|cell| vars[usize::from(cell)]), allowed });
    }
    for Sightline { side, line, visible } in &clues.sightlines {
        let [rows, columns] = lines(size);
        let mut cells = match side {
            Side::East | Side::West => rows[usize::from(*line)].clone(),
            Side::North | Side::South => columns[usize::from(*line)].clone(),
        };
        if matches!(side, Side::East | Side::South) {
            cells.reverse();
        }
        model.post(Visible { vars: cells.into_iter().map(|cell| vars[cell]).collect(), count: (*visible).into() });
    }
    model
}

/// Posts that a region of k cells has each digit from 1 to k once.
fn small_regions(regions: &[u8], vars: &[Var], model: &mut Model) {
    let mut of_region: BTreeMap<u8, Vec<Var>> = BTreeMap::new();
    regions.iter().zip(vars).for_each(|(region, var)| of_region.entry(*region).or_default().push(*var));
    for vars in of_region.into_values() {
        for (value, _) in (1..).zip(&vars) {
            model.post(Count { vars: vars.clone(), value, min: 1, max: 1 });
        }
    }
}

/// The digits of a cage make its number. A cage of two with a difference or a quotient is a table of pairs.
fn arithmetic(cage: &Cage, vars: Vec<Var>, last: u8) -> Constraint {
    let total = cage.number;
    let is_made = |one: u32, other: u32| match cage.operator {
        Some(Operator::Divide) => one == other * total || other == one * total,
        _ => one.abs_diff(other) == total,
    };
    match (cage.operator, &vars[..]) {
        (Some(Operator::Subtract | Operator::Divide), &[one, other]) => {
            let partners = |first: u8| (1..=last).filter(|second| is_made(first.into(), (*second).into())).collect();
            Pair { vars: [one, other], allowed: (0..=last).map(partners).collect() }
        }
        (Some(Operator::Multiply), _) => Product { vars, total },
        _ => Sum { vars, total },
    }
}

/// Whether the relation of a sign holds for two digits.
const fn is_true(relation: Relation, first: u8, second: u8) -> bool {
    match relation {
        Relation::Less => first < second,
        Relation::Greater => second < first,
        Relation::Same => first == second,
        Relation::Different => first != second,
    }
}

/// Adds a constraint for each three neighbors of a line: they are not all equal. With `unlike`, also adds one for each
/// two rows and each two columns: they are not equal.
fn halves(size: usize, unlike: bool, vars: &[Var], model: &mut Model) {
    for lines in lines(size) {
        let vars_of = |line: &Vec<usize>| line.iter().map(|cell| vars[*cell]).collect::<Vec<_>>();
        let lines: Vec<_> = lines.iter().map(vars_of).collect();
        for three in lines.iter().flat_map(|line| line.windows(3)) {
            model.post(Count { vars: three.to_vec(), value: 1, min: 1, max: 2 });
        }
        for (at, one) in lines.iter().enumerate().filter(|_| unlike) {
            lines[..at].iter().for_each(|other| model.post(Unlike { vars: [one.as_slice(), other].concat() }));
        }
    }
}

/// The pairs of cells that share a side or a corner.
fn touching(size: usize) -> impl Iterator<Item = [usize; 2]> {
    let from = move |row: usize, column: usize| {
        let next = [(row, column + 1), (row + 1, column), (row + 1, column + 1), (row + 1, column.wrapping_sub(1))];
        let on_board = next.into_iter().filter(move |&(row, column)| row < size && column < size);
        on_board.map(move |(next_row, next_column)| [row * size + column, next_row * size + next_column])
    };
    (0..size).flat_map(move |row| (0..size).flat_map(move |column| from(row, column)))
}

/// The groups of cells with a common rule: all digits differ, as many cells as stated have a star, or half of the cells have each
/// digit.
fn groups(puzzle: &Puzzle) -> Vec<Vec<usize>> {
    let variant = puzzle.variant;
    let size = usize::from(variant.size);
    let mut groups = if variant.lines { lines(size).concat() } else { Vec::new() };
    match variant.areas {
        Areas::Boxes { rows, columns } => {
            let corners = rectangles(size, usize::from(rows), usize::from(columns));
            groups.extend(corners.map(|corner| rectangle(size, corner, usize::from(rows), usize::from(columns))));
        }
        Areas::SmallRegions | Areas::None => {}
        Areas::Regions => groups.extend((0..variant.size).map(|number| {
            let numbers = puzzle.regions.iter().enumerate();
            numbers.filter(|(_, region)| **region == number).map(|(cell, _)| cell).collect()
        })),
    }
    for extra in variant.extra {
        match extra {
            Extra::Diagonals => {
                groups.push((0..size).map(|place| place * (size + 1)).collect());
                groups.push((1..=size).map(|place| place * (size - 1)).collect());
            }
            Extra::Windows => groups.extend([10, 14, 46, 50].map(|corner| rectangle(size, corner, 3, 3))),
        }
    }
    groups
}

/// The cells of each row, and of each column.
fn lines(size: usize) -> [Vec<Vec<usize>>; 2] {
    let row = |line: usize| (0..size).map(|place| line * size + place).collect();
    let column = |line: usize| (0..size).map(|place| place * size + line).collect();
    [(0..size).map(row).collect(), (0..size).map(column).collect()]
}

/// The upper left cells of the rectangles that divide a board.
fn rectangles(size: usize, rows: usize, columns: usize) -> impl Iterator<Item = usize> {
    (0..size).step_by(rows).flat_map(move |row| (0..size).step_by(columns).map(move |column| row * size + column))
}

fn rectangle(size: usize, corner: usize, rows: usize, columns: usize) -> Vec<usize> {
    (0..rows).flat_map(|row| (0..columns).map(move |column| corner + row * size + column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        grid::{
            cells::sets_of,
            samples::{SIGHTLINES, SMALL},
            solve, text,
        },
        sudoku::sizes::SIZES,
    };

    #[test]
    fn solution_must_keep_the_givens_and_every_group() {
        let digits = |digits: &str| digits.bytes().map(|digit| digit - b'0').collect();
        let puzzle = |text: &str| Puzzle::new(&SIZES.variants[0], digits(text), Vec::new());
        let holds = |given: &str, solution: &str| holds(&puzzle(given), &puzzle(solution).digits);
        assert!(holds("1000000000000000", "1234341221434321"));
        assert!(!holds("2000000000000000", "1234341221434321"), "another given");
        assert!(!holds("0000000000000000", "1234234134124123"), "boxes");
        assert!(!holds("0000000000000000", "123434122143432"), "too short");
    }

    #[test]
    fn solutions_of_clues_beside_the_grid_are_those_of_both_solvers() {
        let mut count = 0;
        for clues in ["north=4..1", "north=2.2.", "north=..3. east=.2..", "north=3... south=2..."] {
            let parts: Vec<_> = ["north=", "east=", "south=", "west="]
                .iter()
                .map(|name| {
                    clues.split(' ').find(|part| part.starts_with(name)).map_or(format!("{name}...."), str::to_owned)
                })
                .collect();
            let puzzle = text::parse(&SIGHTLINES, "", &format!("4x4: ................ {}", parts.join(" "))).unwrap();
            let mut budget = Budget::of_nodes(1_000_000);
            let [mut found, mut by_solver] =
                [solutions, solve::solutions].map(|all| all(&puzzle, 9_999, &mut budget).unwrap());
            found.sort_unstable();
            by_solver.sort_unstable();
            assert_eq!(found, by_solver, "{clues}");
            assert!(found.iter().all(|solution| holds(&puzzle, solution)));
            count += found.len();
        }
        assert_eq!(count, 184, "as a program of a few lines counts them");
    }

    #[test]
    fn small_region_of_k_cells_has_1_to_k_and_equal_digits_do_not_touch() {
        let text = "6x6: ..2.......4.................1....... regions=aabbbbccbacccccacabbaacabbadcabdddaa";
        let puzzle = text::parse(&SMALL, "", text).unwrap();
        let regions = sets_of(&puzzle.regions);
        let largest = |cell: usize| regions[usize::from(puzzle.regions[cell])].len();
        let mut budget = Budget::of_nodes(1_000_000);
        let [mut found, mut by_solver] =
            [solutions, solve::solutions].map(|all| all(&puzzle, 9_999, &mut budget).unwrap());
        for digits in &found {
            assert!(digits.iter().enumerate().all(|(cell, digit)| (1..=largest(cell)).contains(&usize::from(*digit))));
            assert!(touching(6).all(|[one, other]| digits[one] != digits[other]));
        }
        found.sort_unstable();
        by_solver.sort_unstable();
        assert_eq!(found, by_solver);
        assert_eq!(found.len(), 384, "as a program of a few lines counts them");
    }
}
