//! Judges a player's board by the givens and the rules alone: no search, and no solution. A kind states its rules as a [`Model`]. `judge`
//! checks each constraint on its own.

use crate::{
    csp::{Constraint, Model},
    shared::step::{Cell, cell_name},
};

/// What the givens and the rules say about a board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judgment {
    /// The cells that must have a digit and have none.
    pub empty: Vec<Cell>,
    /// What is broken; empty if the filled cells keep the givens and the rules.
    pub broken: Vec<BrokenRule>,
}

/// A given or a rule that a board breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BrokenRule {
    /// The cells that break it, each with its digit on the board, or 0.
    pub cells: Vec<(Cell, u8)>,
    /// What is broken, in one sentence without a full stop: `5 repeats in r1c1, r1c4`.
    pub sentence: String,
}

/// A board to judge. Digits are 0 if there is none.
pub(crate) struct Judged<'b> {
    /// The rules, with a variable for each entry of `cells`. Its domains are ignored, so each rule must be a constraint.
    pub(crate) model: &'b Model,
    /// The cell, the given, and the digit on the board. If the board omits a given, the given counts.
    pub(crate) cells: Vec<(Cell, u8, u8)>,
    pub(crate) columns: u16,
    /// The symbols of the digits from 1.
    pub(crate) symbols: &'static str,
    /// Whether the only digit is a star, and the other cells stay empty.
    pub(crate) has_stars: bool,
}

/// Cells of a constraint, each with its digit.
type Cells = Vec<(Cell, u8)>;

impl Judged<'_> {
    /// Judges the board. `finished`: the player will add nothing, so that missing stars break a rule. An empty cell that must have a digit
    /// breaks none.
    pub(crate) fn judgment(&self, finished: bool) -> Judgment {
        let mut broken: Vec<_> = self.cells.iter().filter_map(|cell| self.changed_given(*cell)).collect();
        let on_board = |&(cell, given, digit): &(Cell, u8, u8)| (cell, if digit == 0 { given } else { digit });
        let all: Cells = self.cells.iter().map(on_board).collect();
        let empty = all.iter().filter(|(_, digit)| *digit == 0 && !self.has_stars).map(|(cell, _)| *cell);
        for constraint in self.model.constraints() {
            let of_rule: Cells = constraint.vars().iter().map(|var| all[var.index()]).collect();
            let is_full = self.has_stars && finished || of_rule.iter().all(|(_, digit)| *digit != 0);
            let (repeats, other) =
                (self.repeats(constraint, &of_rule), self.other_fault(constraint, &of_rule, is_full));
            let faults = repeats.into_iter().chain(other);
            broken.extend(faults.map(|(cells, sentence)| BrokenRule { cells, sentence }));
        }
        broken.sort();
        broken.dedup();
        Judgment { empty: empty.collect(), broken }
    }

    fn changed_given(&self, (cell, given, digit): (Cell, u8, u8)) -> Option<BrokenRule> {
        let is_changed = given != 0 && digit != 0 && digit != given;
        is_changed.then(|| {
            let [name, found, given] = [cell_name(cell, self.columns), self.symbol(digit), self.symbol(given)];
            let sentence = format!("{name} is {found}, but the given is {given}");
            BrokenRule { cells: vec![(cell, digit)], sentence }
        })
    }

    /// The digits that stand several times among cells which must differ.
    fn repeats(&self, rule: &Constraint, cells: &Cells) -> Vec<(Cells, String)> {
        if !matches!(rule, Constraint::AllDifferent(_) | Constraint::DifferentSum { .. }) {
            return Vec::new();
        }
        let mut filled: Cells = cells.iter().copied().filter(|(_, digit)| *digit != 0).collect();
        // Keeps the order of the cells with one digit.
        filled.sort_by_key(|(_, digit)| *digit);
        let alike = filled.chunk_by(|(_, one), (_, other)| one == other).filter(|alike| alike.len() > 1);
        let told = alike.map(|alike| {
            let sentence = format!("{} repeats in {}", self.symbol(alike[0].1), self.names(alike));
            (alike.to_vec(), sentence)
        });
        told.collect()
    }

    /// What else the cells of a constraint break.
    fn other_fault(&self, rule: &Constraint, cells: &Cells, is_full: bool) -> Option<(Cells, String)> {
        if let Constraint::Count { value, min, max, .. } = rule {
            return self.wrong_count(*value, [*min, *max], cells, is_full);
        }
        let digits: Vec<u8> = cells.iter().map(|(_, digit)| *digit).collect();
        if !is_full || rule.holds(&digits) {
            return None;
        }
        let names = self.names(cells);
        let sum = digits.iter().map(|digit| u32::from(*digit)).sum::<u32>();
        let sentence = match rule {
            Constraint::AllDifferent(_) | Constraint::Count { .. } => return None,
            // Only a digit repeats.
            Constraint::DifferentSum { total, .. } if sum == *total => return None,
            Constraint::Sum { total, .. } | Constraint::DifferentSum { total, .. } => {
                format!("{names} add up to {sum}, not {total}")
            }
            Constraint::Product { total, .. } => {
                let product = digits.iter().fold(1_u64, |product, digit| product.saturating_mul(u64::from(*digit)));
                format!("{names} multiply to {product}, not {total}")
            }
            Constraint::Visible { count, .. } => {
                let highest = |at: &usize| digits[..*at].iter().all(|before| *before < digits[*at]);
                let visible = (0..digits.len()).filter(highest).count();
                // Only a digit repeats.
                if visible == *count {
                    return None;
                }
                format!("{visible} digits are visible along {names}, not {count}")
            }
            Constraint::Unlike { .. } => format!("two lines are equal: {names}"),
            Constraint::Table { .. } => format!("{names} hold what no row of the table allows"),
            Constraint::Pair { .. } if self.has_stars => format!("stars touch in {names}"),
            Constraint::Pair { .. } => format!("{names} break the clue between them"),
        };
        Some((cells.clone(), sentence))
    }

    /// A digit that stands too often among cells, or too rarely among full cells.
    fn wrong_count(&self, digit: u8, [min, max]: [usize; 2], cells: &Cells, is_full: bool) -> Option<(Cells, String)> {
        let with: Cells = cells.iter().copied().filter(|(_, found)| *found == digit).collect();
        let noun = if self.has_stars { "the star".to_owned() } else { self.symbol(digit) };
        let times = |count: usize| if count == 1 { "once".to_owned() } else { format!("{count} times") };
        if with.len() > max {
            let (found, names) = (times(with.len()), self.names(&with));
            return Some((with, format!("{noun} is {found} in {names}, but may be there {}", times(max))));
        }
        // If a digit repeats in a full region, another one is missing there. The verdict names the repeated digit only.
        let repeats = |at: &(Cell, u8)| cells.iter().filter(|(_, digit)| *digit == at.1).count() > 1;
        let is_told = max == 1 && !self.has_stars && cells.iter().any(repeats);
        if with.len() >= min || !is_full || is_told {
            return None;
        }
        let (found, names) = (if with.is_empty() { "not".to_owned() } else { times(with.len()) }, self.names(cells));
        Some((cells.clone(), format!("{noun} is {found} in {names}, but must be there {}", times(min))))
    }

    fn symbol(&self, digit: u8) -> String {
        let symbol = usize::from(digit).checked_sub(1).and_then(|at| self.symbols.chars().nth(at));
        symbol.map_or_else(|| digit.to_string(), String::from)
    }

    fn names(&self, cells: &[(Cell, u8)]) -> String {
        cells.iter().map(|(cell, _)| cell_name(*cell, self.columns)).collect::<Vec<_>>().join(", ")
    }
}
