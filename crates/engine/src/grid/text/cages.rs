//! Reads and writes the cages of a board: a letter for each cell, and the sums. Connected cells with the same letter are a cage.

use super::{
    parts::{self, Parts},
    place,
};
use crate::{
    grid::{
        cells::Cells,
        clues::{Cage, Clues},
        variant::GridVariant,
    },
    shared::{
        names::quoted,
        phrases::{counted, range},
        text::{TextError, malformed},
    },
};

/// The names of the parts with the cages and their sums.
pub(crate) const CAGES: &str = "cages=";
pub(crate) const SUMS: &str = "sums=";

/// The cages that the parts of a text state, in the order of their first cells.
///
/// # Errors
/// [`TextError::Malformed`] if the number of letters or of sums is wrong, if a character is not allowed, if a cage has
/// too many cells, or if no digits have its sum.
pub(crate) fn parse(variant: &GridVariant, parts: &Parts<'_>) -> Result<Clues, TextError> {
    let cage = |cells, number: &str| cage(variant, cells, number);
    Ok(Clues { cages: numbered(variant, parts, (SUMS, "sum", "a number for each cage"), cage)?, ..Clues::default() })
}

/// The cages that the parts of a text state, in the order of their first cells. `name` is the part with their numbers. For messages,
/// `noun` is the word for a number, and `what` says what the part has. `cage` reads the number of a cage.
///
/// # Errors
/// As [`parse`].
pub(super) fn numbered(
    variant: &GridVariant,
    parts: &Parts<'_>,
    (name, noun, what): (&'static str, &str, &str),
    cage: impl Fn(Cells, &str) -> Result<Cage, TextError>,
) -> Result<Vec<Cage>, TextError> {
    let stated =
        |name: &str, what| parts.part(name).ok_or_else(|| malformed(format!("{name} is missing; add it with {what}")));
    let letters = stated(CAGES, "a letter for each cell")?;
    let sums = stated(name, what)?;
    let letters = parts::letters(variant, (CAGES, letters), ".", "a to z, or . for a cell without a cage")?;
    let cages = pieces(variant, &letters);
    let numbers: Vec<&str> = sums.split(',').map(str::trim).filter(|number| !number.is_empty()).collect();
    if numbers.len() != cages.len() {
        let firsts: Vec<usize> = cages.iter().filter_map(|cage| cage.first()).map(usize::from).collect();
        return Err(uncounted(variant, &letters, &firsts, (name, noun, numbers.len())));
    }
    cages.into_iter().zip(numbers).map(|(cells, number)| cage(cells, number)).collect()
}

/// The connected cells with equal letters, in the order of their first cells. A cell with `.` belongs to none.
pub(super) fn pieces(variant: &GridVariant, letters: &[char]) -> Vec<Cells> {
    let all = Cells::first_of_board(variant.cells());
    let mut pieces: Vec<Cells> = Vec::new();
    for cell in all.iter().filter(|cell| letters[usize::from(*cell)] != '.') {
        if !pieces.iter().any(|piece| piece.contains(cell)) {
            let is_like = |other: &u16| letters[usize::from(*other)] == letters[usize::from(cell)];
            let alike = all.iter().filter(is_like).collect();
            pieces.push(Cells::only(cell).connected(alike, variant.size));
        }
    }
    pieces
}

/// The error if there are not as many numbers as cages. `firsts` has the first cell of each cage. If there is one number for
/// each letter, the error names a letter whose cells are not connected.
fn uncounted(
    variant: &GridVariant,
    letters: &[char],
    firsts: &[usize],
    (name, noun, count): (&str, &str, usize),
) -> TextError {
    let is_again = |at: usize| firsts[..at].iter().any(|before| letters[*before] == letters[firsts[at]]);
    let mut again = (0..firsts.len()).filter(|at| is_again(*at));
    let what = match (again.clone().count() + count == firsts.len(), again.next(), firsts.get(count)) {
        (true, Some(apart), _) => {
            let (letter, at) = (letters[firsts[apart]], place(variant, firsts[apart]));
            format!(
                "the cells of {letter} at {at} do not touch the first cage {letter}; add their {noun}, or connect them"
            )
        }
        (_, _, Some(first)) => format!("the cage at {} has no {noun}", place(variant, *first)),
        _ => "use one for each cage".to_owned(),
    };
    let (stated, cages) = (counted(count, "number"), counted(firsts.len(), "cage"));
    malformed(format!("{name} has {stated} for {cages}; {what}"))
}

/// A cage with a sum.
///
/// # Errors
/// As [`parse`].
pub(crate) fn cage(variant: &GridVariant, cells: Cells, sum: &str) -> Result<Cage, TextError> {
    let size = u32::from(variant.size);
    let (count, first) = (sized(variant, cells, size)?, place(variant, cells.first().unwrap_or_default().into()));
    let least: u32 = (1..=count).sum();
    let most: u32 = (size + 1 - count..=size).sum();
    let number = sum.parse().ok().filter(|number| (least..=most).contains(number));
    let impossible = || {
        let (cells, sum) = (counted(count, "cell"), quoted(sum));
        malformed(format!("the cage at {first} has {cells} and the sum {sum}; use {}", range(least, most)))
    };
    Ok(Cage::of_sum(cells, number.ok_or_else(impossible)?))
}

/// The number of cells of a cage.
///
/// # Errors
/// [`TextError::Malformed`] if it has more than `count_max`.
pub(super) fn sized(variant: &GridVariant, cells: Cells, count_max: u32) -> Result<u32, TextError> {
    let count = u32::try_from(cells.len()).expect("a board has at most 256 cells");
    if count > count_max {
        let first = place(variant, cells.first().unwrap_or_default().into());
        return Err(malformed(format!("the cage at {first} has {count} cells; it must have at most {count_max}")));
    }
    Ok(count)
}

/// The two named parts, each after a space.
pub(crate) fn write(variant: &GridVariant, clues: &Clues) -> String {
    let letters = letters_of(variant, clues.cages.iter().map(|cage| cage.cells));
    let sums: Vec<_> = clues.cages.iter().map(|cage| cage.number.to_string()).collect();
    format!(" {CAGES}{letters} {SUMS}{}", sums.join(","))
}

/// A letter for each cell, `.` for a cell in none of the pieces. Each piece gets the first letter that no earlier piece beside it has.
pub(super) fn letters_of(variant: &GridVariant, pieces: impl Iterator<Item = Cells>) -> String {
    let mut letters = vec!['.'; variant.cells()];
    for cells in pieces {
        let near: Vec<char> = cells.beside(variant.size).iter().map(|cell| letters[usize::from(cell)]).collect();
        let letter = ('a'..='z')
            .find(|letter| !near.contains(letter))
            .expect("a piece of at most 9 cells has at most 20 neighbors");
        cells.iter().for_each(|cell| letters[usize::from(cell)] = letter);
    }
    letters.into_iter().collect()
}
