//! Judges a player's board by the givens and the rules alone: no search, and no solution. A kind states its rules as a [`Model`], of which
//! each constraint is looked at by itself.

use std::collections::BTreeMap;

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
pub(crate) struct Board<'b> {
    /// The rules, with a variable for each entry of `cells`. The domains are not looked at.
    pub(crate) model: &'b Model,
    /// The cell, the given, and the digit on the board; a given that the board leaves out counts as filled in.
    pub(crate) cells: Vec<(Cell, u8, u8)>,
    pub(crate) columns: u16,
    /// The symbols of the digits from 1. Only stars have the symbol `*`, and only they leave cells empty.
    pub(crate) symbols: &'static str,
}

impl Board<'_> {
    /// Judges the board. If it is `whole`, nothing will be added to it; an empty cell breaks nothing, but is told.
    pub(crate) fn judge(&self, whole: bool) -> Judgment {
        let mut broken: Vec<_> = self.cells.iter().filter_map(|cell| self.changed_given(*cell)).collect();
        let values: Vec<u8> =
            self.cells.iter().map(|&(_, given, digit)| if digit == 0 { given } else { digit }).collect();
        let empty = self.cells.iter().zip(&values).filter(|(_, value)| **value == 0 && !self.has_stars());
        let empty: Vec<_> = empty.map(|((cell, ..), _)| *cell).collect();
        for constraint in self.model.constraints() {
            let of_rule = constraint.vars().iter().map(|var| (self.cells[var.index()].0, values[var.index()]));
            self.look_at(constraint, &of_rule.collect::<Vec<_>>(), whole, &mut broken);
        }
        broken.sort();
        broken.dedup();
        Judgment { empty, broken }
    }

    fn has_stars(&self) -> bool {
        self.symbols == "*"
    }

    fn changed_given(&self, (cell, given, digit): (Cell, u8, u8)) -> Option<BrokenRule> {
        let is_changed = given != 0 && digit != 0 && digit != given;
        let name = cell_name(cell, self.columns);
        let sentence = || format!("{name} is {}, but the given is {}", self.symbol(digit), self.symbol(given));
        is_changed.then(|| BrokenRule { cells: vec![(cell, digit)], sentence: sentence() })
    }

    /// Adds what a constraint finds wrong with the values of its cells.
    fn look_at(&self, rule: &Constraint, of: &[(Cell, u8)], whole: bool, broken: &mut Vec<BrokenRule>) {
        let is_full = self.has_stars() && whole || of.iter().all(|(_, value)| *value != 0);
        let values: Vec<u8> = of.iter().map(|(_, value)| *value).collect();
        let mut add = |cells: Vec<(Cell, u8)>, sentence: String| broken.push(BrokenRule { cells, sentence });
        if let Constraint::AllDifferent(_) | Constraint::DifferentSum { .. } = rule {
            let mut with: BTreeMap<u8, Vec<(Cell, u8)>> = BTreeMap::new();
            of.iter().filter(|(_, value)| *value != 0).for_each(|at| with.entry(at.1).or_default().push(*at));
            for (value, cells) in with.into_iter().filter(|(_, cells)| cells.len() > 1) {
                let sentence = format!("{} repeats in {}", self.symbol(value), self.names(&cells));
                add(cells, sentence);
            }
        }
        let names = || self.names(of);
        let sum = || values.iter().map(|value| u32::from(*value)).sum::<u32>();
        let sentence = match rule {
            Constraint::Count { value, min, max, .. } => {
                let with: Vec<_> = of.iter().copied().filter(|(_, found)| found == value).collect();
                if with.len() > *max {
                    let sentence = self.too_many(*value, &with, *max);
                    return add(with, sentence);
                }
                if !is_full || with.len() >= *min {
                    return;
                }
                format!("{} is {} times in {}, but {min} are needed", self.noun(*value), with.len(), names())
            }
            _ if !is_full || rule.holds(&values) => return,
            Constraint::AllDifferent(_) => return,
            Constraint::Sum { total, .. } | Constraint::DifferentSum { total, .. } => {
                if sum() == *total {
                    return;
                }
                format!("{} add up to {}, not {total}", names(), sum())
            }
            Constraint::Product { total, .. } => {
                let product = values.iter().fold(1_u64, |product, value| product.saturating_mul(u64::from(*value)));
                format!("{} multiply to {product}, not {total}", names())
            }
            Constraint::Unlike { .. } => format!("two lines are equal: {}", names()),
            Constraint::Pair { .. } if self.has_stars() => format!("stars touch in {}", names()),
            Constraint::Pair { .. } => format!("{} break the clue that they share", names()),
        };
        add(of.to_vec(), sentence);
    }

    fn too_many(&self, value: u8, cells: &[(Cell, u8)], max: usize) -> String {
        format!("{} is {} times in {}, but at most {max} may be", self.noun(value), cells.len(), self.names(cells))
    }

    fn noun(&self, value: u8) -> String {
        if self.has_stars() { "a star".to_owned() } else { self.symbol(value) }
    }

    fn symbol(&self, digit: u8) -> String {
        let symbol = usize::from(digit).checked_sub(1).and_then(|at| self.symbols.chars().nth(at));
        symbol.map_or_else(|| digit.to_string(), String::from)
    }

    fn names(&self, cells: &[(Cell, u8)]) -> String {
        cells.iter().map(|(cell, _)| cell_name(*cell, self.columns)).collect::<Vec<_>>().join(", ")
    }
}
