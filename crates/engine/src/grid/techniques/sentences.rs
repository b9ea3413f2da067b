//! Writes the argument of a step in one English sentence, from the step's data alone.

use crate::shared::{
    phrases::{counted, list},
    step::{self, Cell, House, HouseType, Step},
    variant::SYMBOLS,
};

pub(crate) fn last_cell(step: &Step) -> String {
    so(
        step,
        &format!(
            "{} is the last empty cell of {}",
            cell_list(step, &step.cells, "and"),
            house_list(step, &step.houses)
        ),
    )
}

pub(crate) fn hidden_single(step: &Step) -> String {
    so(step, &format!("{} fits only in {}", in_house(step), cell_list(step, &step.cells, "and")))
}

pub(crate) fn naked_single(step: &Step) -> String {
    let (cell, digit) = (cell_list(step, &step.cells, "and"), digit_list(&step.digits, "and"));
    so(step, &format!("In {cell} every digit but {digit} is ruled out"))
}

pub(crate) fn seen_by_all(step: &Step) -> String {
    let fits = format!("{} fits only in {}", in_house(step), cell_list(step, &step.cells, "or"));
    let sees_all = || {
        let cells: Vec<_> = step.removed.iter().map(|&(cell, _)| cell).collect();
        format!("which {} sees", cell_list(step, &cells, "and"))
    };
    let seen = match &step.cover_houses[..] {
        [cover] => format!("all in {}", house_name(step, cover)),
        _ if step.removed.is_empty() => format!("which cells in {} see", house_list(step, &step.cover_houses)),
        _ => sees_all(),
    };
    so(step, &format!("{fits}, {seen}{}", only_place(step)))
}

pub(crate) fn exclusion(step: &Step) -> String {
    let fits = format!("{} fits only in {}", in_house(step), cell_list(step, &step.cells, "or"));
    let removed: Vec<_> = step.removed.iter().map(|&(cell, _)| cell).collect();
    let verb = if removed.len() == 1 { "sees" } else { "see" };
    let seen = match &removed[..] {
        [] => only_place(step),
        cells => format!(", which {} {verb}", cell_list(step, cells, "and")),
    };
    so(step, &format!("{fits}{seen}"))
}

pub(crate) fn naked_set(step: &Step) -> String {
    let (cells, digits) = (cell_list(step, &step.cells, "and"), digit_list(&step.digits, "and"));
    let hold = format!("hold {digits} between them");
    let argument = match &step.houses[..] {
        [] => format!("{cells} see each other and {hold}"),
        houses => format!("In {}, {cells} {hold}", house_list(step, houses)),
    };
    so(step, &argument)
}

pub(crate) fn hidden_set(step: &Step) -> String {
    let cells = cell_list(step, &step.cells, "and");
    so(step, &format!("{} fit only in {cells}{}", in_house(step), only_place(step)))
}

pub(crate) fn fish(step: &Step) -> String {
    let (base, cover) = (same_houses(&step.houses), same_houses(&step.cover_houses));
    so(step, &format!("In {base}, {} fits only in {cover}", digit_list(&step.digits, "and")))
}

pub(crate) fn wing(step: &Step) -> String {
    let target = step.removed.first().map(|&(_, digit)| sign(digit)).unwrap_or_default();
    let pincers = step.secondary_cells.iter().zip(&step.secondary_digits);
    let forced =
        pincers.map(|(&pincer, &digit)| format!("if {}, {} is {target}", sign(digit), cell_name(step, pincer)));
    let pivot: Vec<_> = step.cells.iter().copied().filter(|cell| !step.secondary_cells.contains(cell)).collect();
    let (pivot, digits) = (cell_list(step, &pivot, "and"), digit_list(&step.digits, "or"));
    so(step, &format!("{pivot} is {digits}: {}", forced.collect::<Vec<_>>().join(", and ")))
}

pub(crate) fn refutation(step: &Step) -> String {
    let Some(&(cell, digit)) = step.removed.first() else { return String::new() };
    let (cell, digit) = (cell_name(step, cell), sign(digit));
    let fails = match (&step.secondary_cells[..], &step.secondary_digits[..]) {
        (&[failing], _) => format!("{} would have no candidate", cell_name(step, failing)),
        (_, []) => {
            let last = step.houses.last();
            let name = last.map(|last| edge_name(step, last)).unwrap_or_default();
            let verb = match last {
                Some(House { house_type: HouseType::Sightline, .. }) => "could not be fulfilled",
                Some(House { sum: Some(_), .. }) => "could not be filled",
                _ => "would be broken",
            };
            format!("{name} {verb}")
        }
        (_, digits) => {
            let house = step.houses.last().map(|house| house_name(step, house)).unwrap_or_default();
            format!("{house} would have no place for {}", digit_list(digits, "and"))
        }
    };
    format!("If {cell} were {digit}, {fails} after {}, so {cell} is not {digit}.", rounds(step))
}

/// The number of rounds of a refutation: `1 round`, `2 rounds`.
pub(crate) fn rounds(step: &Step) -> String {
    counted(step.number.and_then(|rounds| u32::try_from(rounds).ok()).unwrap_or_default(), "round")
}

/// The argument with what follows from it.
pub(crate) fn so(step: &Step, argument: &str) -> String {
    format!("{argument}, so {}.", effect(step))
}

fn effect(step: &Step) -> String {
    if let Some(&(cell, digit)) = step.placed.first() {
        return format!("{} is {}", cell_name(step, cell), sign(digit));
    }
    let parts = (1..=SYMBOLS.len()).filter_map(|digit| {
        let of_digit = step.removed.iter().filter(|(_, removed)| usize::from(*removed) == digit);
        let cells: Vec<_> = of_digit.map(|&(cell, _)| cell).collect();
        let (sign, names) = (&SYMBOLS[digit - 1..digit], cell_list(step, &cells, "and"));
        (!cells.is_empty()).then(|| format!("{sign} from {names}"))
    });
    parts.collect::<Vec<_>>().join("; ").replacen(" from", " can be removed from", 1)
}

/// For a step that places a digit, the clause which says that the pattern leaves the digit one place.
fn only_place(step: &Step) -> String {
    let (Some(&(cell, digit)), Some(house)) = (step.placed.first(), step.houses.last()) else { return String::new() };
    format!(", which leaves {} only {} in {}", sign(digit), cell_name(step, cell), house_name(step, house))
}

fn in_house(step: &Step) -> String {
    let house = step.houses.first().map(|house| house_name(step, house)).unwrap_or_default();
    format!("In {house}, {}", digit_list(&step.digits, "and"))
}

fn sign(digit: u8) -> String {
    usize::from(digit).checked_sub(1).and_then(|at| SYMBOLS.get(at..=at)).unwrap_or("?").to_owned()
}

pub(crate) fn digit_list(digits: &[u8], last: &str) -> String {
    list(digits.iter().map(|digit| sign(*digit)), last)
}

pub(crate) fn cell_name(step: &Step, cell: Cell) -> String {
    step::cell_name(cell, step.columns)
}

pub(crate) fn cell_list(step: &Step, cells: &[Cell], last: &str) -> String {
    list(cells.iter().map(|&cell| cell_name(step, cell)), last)
}

pub(crate) fn house_list(step: &Step, houses: &[House]) -> String {
    list(houses.iter().map(|house| house_name(step, house)), "and")
}

/// Houses of one type: `rows 1 and 5`.
pub(crate) fn same_houses(houses: &[House]) -> String {
    let word = houses.first().map(|house| house.house_type.word()).unwrap_or_default();
    let numbers = houses.iter().map(|house| house.house_type.shown(house.number).to_string());
    format!("{word}{} {}", if word.ends_with('x') { "es" } else { "s" }, list(numbers, "and"))
}

/// A sign with its cells: `r1c1 < r1c2`. The name of any other house.
pub(crate) fn edge_name(step: &Step, house: &House) -> String {
    let cells = house.cells.iter().map(|&cell| cell_name(step, cell)).collect::<Vec<_>>();
    match house.operator.filter(|_| house.house_type == HouseType::Edge) {
        Some(operator) => cells.join(&format!(" {operator} ")),
        None => house_name(step, house),
    }
}

pub(crate) fn house_name(step: &Step, house: &House) -> String {
    house.name(step.columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step on a board of 16 columns.
    fn step(cells: &[Cell], digits: &[u8], houses: &[(HouseType, u16)]) -> Step {
        let house = |&(house_type, number): &(HouseType, u16)| House {
            house_type,
            number,
            cells: Vec::new(),
            sum: None,
            operator: None,
        };
        Step {
            columns: 16,
            cells: cells.to_vec(),
            digits: digits.to_vec(),
            houses: houses.iter().map(house).collect(),
            ..Step::default()
        }
    }

    #[test]
    fn digits_above_9_are_letters_and_regions_count_from_1() {
        let pair = step(&[0, 17], &[9, 16], &[(HouseType::Region, 0)]);
        let pair = Step { removed: vec![(2, 16), (18, 9), (19, 16)], ..pair };
        assert_eq!(
            naked_set(&pair),
            "In region 1, r1c1 and r2c2 hold 9 and G between them, so 9 can be removed from r2c3; G from r1c3 and r2c4."
        );
        let single = Step { placed: vec![(255, 10)], ..step(&[255], &[10], &[(HouseType::Diagonal, 1)]) };
        assert_eq!(hidden_single(&single), "In diagonal 1, A fits only in r16c16, so r16c16 is A.");
    }

    #[test]
    fn refutation_may_leave_a_cell_without_candidate() {
        let step = step(&[0], &[5], &[(HouseType::Row, 3)]);
        let cell = Step { number: Some(3), removed: vec![(0, 5)], secondary_cells: vec![1], ..step };
        assert_eq!(refutation(&cell), "If r1c1 were 5, r1c2 would have no candidate after 3 rounds, so r1c1 is not 5.");
    }
}
