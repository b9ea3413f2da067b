//! Bivalue Universal Grave + 1: a position in which all cells but one have two candidates.

use super::{position::Position, step::Effect};
use crate::sudoku::techniques::geometry::{HOMES, bits, cells};

/// If all cells have two candidates except one with three, and every digit has two places in every house except one
/// digit with three in each house of that cell, then the cell takes that digit, because without it the puzzle would
/// have two solutions or none: Bivalue Universal Grave + 1. The other two candidates can go.
pub(super) fn grave(position: &Position) -> Option<Effect> {
    let mut larger = cells(position.empty() & !position.with_two());
    let (cell, None) = (larger.next()?, larger.next()) else { return None };
    if position.of_cell(cell).count_ones() != 3 {
        return None;
    }
    let mut with_three = [None; 3];
    let mut extra = None;
    for house in 0..27 {
        for digit in 1..10 {
            match position.free(house, digit) {
                0..=2 => (),
                3 if with_three[house / 9].is_none() && extra.is_none_or(|extra| extra == digit) => {
                    (with_three[house / 9], extra) = (Some(house), Some(digit));
                }
                _ => return None,
            }
        }
    }
    let extra = extra.filter(|&extra| position.has(cell, extra))?;
    let is_there = HOMES[cell].iter().zip(with_three).all(|(&(house, _), found)| found == Some(house));
    let others = bits(position.of_cell(cell)).filter(|&digit| digit != extra).map(|digit| (cell, digit));
    if is_there { Effect::remove(others) } else { None }
}
