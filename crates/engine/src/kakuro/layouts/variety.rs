//! Measures how varied the run lengths and the lines of a layout are, so that monotonous layouts can be rejected.

use super::grid::White;
use crate::kakuro::layout::Layout;

/// The minimum variety of a generated layout with at least `RUNS_MIN` runs.
pub const VARIETY_MIN: f64 = 0.5;

/// Layouts with fewer runs than this are not measured, because small boards have little room for variety.
pub(super) const RUNS_MIN: usize = 16;

/// The variety of a layout, 0–1: the mean of two numbers. One is the entropy of its run lengths in units of two bits,
/// at most 1. The other is the share of distinct lines among all rows and columns with a white cell, where mirror
/// images count as equal.
#[must_use]
pub fn variety(layout: &Layout) -> f64 {
    of_white(&White::of_signs(layout.width(), layout.height(), layout.signs()))
}

pub(super) fn of_white(white: &White) -> f64 {
    f64::midpoint((entropy(&white.run_lengths()) / 2.0).min(1.0), different_lines(white))
}

/// The entropy of a distribution, in bits.
fn entropy(lengths: &[usize]) -> f64 {
    let mut counts = [0_u16; 32];
    for &len in lengths {
        counts[len.min(31)] += 1;
    }
    let all = f64::from(counts.iter().sum::<u16>());
    let shares = counts.iter().filter(|count| **count > 0).map(|&count| f64::from(count) / all);
    shares.map(|share| -share * share.log2()).sum()
}

fn different_lines(white: &White) -> f64 {
    let (width, height) = (white.width(), white.height());
    let rows = (1..height).map(|row| line((1..width).map(|column| white.is_white(row * width + column))));
    let columns = (1..width).map(|column| line((1..height).map(|row| white.is_white(row * width + column))));
    let mut different = 0;
    let mut all = 0;
    for mut lines in [rows.collect::<Vec<_>>(), columns.collect()] {
        lines.retain(|&line| line != 0);
        all += lines.len();
        lines.sort_unstable();
        lines.dedup();
        different += lines.len();
    }
    share(different, all)
}

/// A row or a column as a number, or its mirror image if that number is smaller.
fn line(signs: impl DoubleEndedIterator<Item = bool> + Clone) -> u32 {
    let number = |all: u32, white: bool| all << 1 | u32::from(white);
    let forwards = signs.clone().fold(0, number);
    forwards.min(signs.rev().fold(0, number))
}

fn share(part: usize, all: usize) -> f64 {
    let number = |count: usize| f64::from(u16::try_from(count).expect("a board has at most 60 lines"));
    number(part) / number(all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&str]) -> f64 {
        let signs: Vec<_> = rows.concat().chars().map(|sign| sign == '.').collect();
        variety(&Layout::new(rows[0].len(), rows.len(), &signs).unwrap())
    }

    #[test]
    fn repeating_layout_has_less_variety_than_a_mixed_one() {
        let dull = check(&["#######", "#..#..#", "#..#..#", "#######", "#..#..#", "#..#..#"]);
        let mixed = check(&["#######", "##..###", "#.....#", "#..#...", "#...#..", "##.....", "###..##"]);
        assert!(dull < 0.3 && mixed > VARIETY_MIN, "{dull} {mixed}");
    }
}
