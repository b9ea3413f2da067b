//! Writes the argument of a Sudoku step in one English sentence, from the step's data alone.

use crate::{
    shared::{
        phrases::list,
        step::{Cell, Chain, House, Statement, Step},
    },
    sudoku::board::cell_name,
};

/// The argument of a step in one English sentence.
#[must_use]
pub fn sentence(step: &Step) -> String {
    format!("{}, so {}.", argument(step), effect(step))
}

fn argument(step: &Step) -> String {
    let Step { cells, digits, houses, .. } = step;
    let in_house =
        || format!("In {}, {}", houses.first().map(house_name).unwrap_or_default(), digit_list(digits, "and"));
    match step.technique {
        "Last Cell" => format!("{} is the last empty cell of {}", cell_list(cells, "and"), house_list(houses)),
        "Hidden Single in Box" | "Hidden Single in Line" => {
            format!("{} fits only in {}", in_house(), cell_list(cells, "and"))
        }
        "Naked Single" => {
            format!("In {} every digit but {} is ruled out", cell_list(cells, "and"), digit_list(digits, "and"))
        }
        "Pointing" | "Claiming" | "Direct Pointing" | "Direct Claiming" => {
            let fits = format!("{} fits only in {}", in_house(), cell_list(cells, "or"));
            format!("{fits}, all in {}{}", house_list(&step.cover_houses), only_place(step))
        }
        "Naked Pair" | "Naked Triplet" | "Naked Quad" => {
            let (of_cells, of_digits) = (cell_list(cells, "and"), digit_list(digits, "and"));
            format!("In {}, {of_cells} hold {of_digits} between them", house_list(houses))
        }
        "Hidden Pair" | "Hidden Triplet" | "Hidden Quad" | "Direct Hidden Pair" | "Direct Hidden Triplet" => {
            format!("{} fit only in {}{}", in_house(), cell_list(cells, "and"), only_place(step))
        }
        "X-Wing" | "Swordfish" | "Jellyfish" => {
            let (base, cover) = (line_list(houses), line_list(&step.cover_houses));
            format!("In {base}, {} fits only in {cover}", digit_list(digits, "and"))
        }
        "XY-Wing" | "XYZ-Wing" => wing(step),
        "Aligned Pair Exclusion" | "Aligned Triplet Exclusion" => {
            let (base, seen) = (cell_list(&primary_cells(step), "and"), cell_list(&step.secondary_cells, "and"));
            format!("Every other way to fill {base} repeats a digit or leaves none for one of {seen}")
        }
        loops if loops.starts_with("Unique") => unique_loop(step),
        grave if grave.starts_with("Bivalue") => bivalue_grave(step),
        _ => chain_sentence(&step.chains),
    }
}

/// For a step that places a digit, the clause which says that the pattern leaves the digit one place.
fn only_place(step: &Step) -> String {
    let (Some(&(cell, digit)), Some(house)) = (step.placed.first(), step.houses.last()) else { return String::new() };
    format!(", which leaves {digit} only {} in {}", cell_name(cell.into()), house_name(house))
}

fn wing(step: &Step) -> String {
    let target = step.removed.first().map(|&(_, digit)| digit).unwrap_or_default();
    let pincers = step.secondary_cells.iter().zip(&step.secondary_digits);
    let forced = pincers.map(|(&pincer, forcing)| format!("if {forcing}, {} is {target}", cell_name(pincer.into())));
    let (pivot, digits) = (cell_list(&primary_cells(step), "and"), digit_list(&step.digits, "or"));
    format!("{pivot} is {digits}: {}", forced.collect::<Vec<_>>().join(", and "))
}

/// The last character of the technique's name is the type, 1–4.
fn unique_loop(step: &Step) -> String {
    let (set, digits) = (cell_list(&step.secondary_cells, "or"), digit_list(&step.secondary_digits, "and"));
    let (ring, with_set) = match step.technique.as_bytes().last() {
        Some(b'1') => (step.cells.clone(), format!(": {set} holds another digit")),
        Some(b'2') => (step.cells.clone(), format!(": {set} is {digits}")),
        Some(b'3') => {
            let set = cell_list(&step.secondary_cells, "and");
            (primary_cells(step), format!(": with {set} that leaves {digits} no other place there"))
        }
        _ => (step.cells.clone(), format!(", and {digits} has no place in their house but {set}")),
    };
    let (ring, pair) = (cell_list(&ring, "and"), digit_list(&step.digits, "and"));
    format!("{ring} must not hold {pair} alone, or the two could change places{with_set}")
}

/// The last character of the technique's name is the type, 1–4.
fn bivalue_grave(step: &Step) -> String {
    let (cells, surplus) = (cell_list(&primary_cells(step), "or"), digit_list(&step.digits, "or"));
    let (set, digits) = (cell_list(&step.secondary_cells, "and"), digit_list(&step.secondary_digits, "and"));
    let only = format!("Without {surplus} in {cells}, every cell would have two digits and every digit two places");
    match step.technique.as_bytes().last() {
        Some(b'1') => format!("{only}, of {} candidates", step.number.unwrap_or_default()),
        Some(b'2') => format!("{only}, and one of them is {surplus}"),
        Some(b'3') => format!("{only}, and with {set} that uses up {digits}"),
        _ => format!("{only}, and {digits} is in one of the two"),
    }
}

/// A single chain link by link. If there are several chains, only the start and end of each.
fn chain_sentence(chains: &[Chain]) -> String {
    match chains {
        [only] if only.links.iter().all(|link| link.premises.len() == 1) && is_path(only) => {
            let links: Vec<_> = only.links.iter().map(|link| stated(link.then)).collect();
            format!("If {}, then {}", stated(only.assumption), links.join(", then "))
        }
        [only] => {
            let clash = only.links.iter().map(|link| link.then).find(|then| is_contradicted(only, *then));
            let (cell, digit) = clash.map_or((String::new(), 0), |then| (cell_name(then.cell.into()), then.digit));
            let count = only.links.len();
            format!("If {}, {count} implications make {cell} both {digit} and not {digit}", stated(only.assumption))
        }
        [around, back] if around.links.last().is_some_and(|link| link.then == around.assumption) => {
            let links: Vec<_> = around.links.iter().map(|link| stated(link.then)).collect();
            let start = stated(around.assumption);
            format!("If {start}, then {}, and if {}, the same way back", links.join(", then "), stated(back.assumption))
        }
        _ => {
            let starts = list(chains.iter().map(|chain| stated(chain.assumption)), "or");
            let count: usize = chains.iter().map(|chain| chain.links.len()).sum();
            format!("Whether {starts}, the same follows, by {count} implications in all")
        }
    }
}

fn is_path(chain: &Chain) -> bool {
    let before = std::iter::once(chain.assumption).chain(chain.links.iter().map(|link| link.then));
    chain.links.iter().zip(before).all(|(link, before)| link.premises == [before])
}

fn is_contradicted(chain: &Chain, statement: Statement) -> bool {
    let contrary = Statement { holds: !statement.holds, ..statement };
    chain.assumption == contrary || chain.links.iter().any(|link| link.then == contrary)
}

fn stated(statement: Statement) -> String {
    let is = if statement.holds { "is" } else { "is not" };
    format!("{} {is} {}", cell_name(statement.cell.into()), statement.digit)
}

fn effect(step: &Step) -> String {
    if let Some(&(cell, digit)) = step.placed.first() {
        return format!("{} is {digit}", cell_name(cell.into()));
    }
    let parts = (1..=9).filter_map(|digit| {
        let of_digit = step.removed.iter().filter(|(_, removed)| *removed == digit).map(|&(cell, _)| cell);
        let cells = cell_list(&of_digit.collect::<Vec<_>>(), "and");
        (!cells.is_empty()).then(|| format!("{digit} from {cells}"))
    });
    parts.collect::<Vec<_>>().join("; ").replacen(" from", " can be removed from", 1)
}

/// The cells of the pattern without the secondary ones.
fn primary_cells(step: &Step) -> Vec<Cell> {
    step.cells.iter().copied().filter(|cell| !step.secondary_cells.contains(cell)).collect()
}

fn cell_list(cells: &[Cell], last: &str) -> String {
    list(cells.iter().map(|&cell| cell_name(cell.into())), last)
}

fn digit_list(digits: &[u8], last: &str) -> String {
    list(digits.iter().map(u8::to_string), last)
}

fn house_list(houses: &[House]) -> String {
    list(houses.iter().map(house_name), "and")
}

fn house_name(house: &House) -> String {
    format!("{} {}", house.house_type.word(), house.number)
}

/// Names of parallel lines: `rows 1 and 5`.
fn line_list(lines: &[House]) -> String {
    let word = lines.first().map(|line| line.house_type.word()).unwrap_or_default();
    format!("{word}s {}", list(lines.iter().map(|line| line.number.to_string()), "and"))
}
