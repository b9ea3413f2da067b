//! 81 cells in reading order, in one line or several, with separators, or drawn with bars and rulings.

use super::{
    Found,
    fields::SEPARATORS,
    rulings::{Rows, cells_in, check_boxes, rows},
};
use crate::{
    shared::text::{TextError, malformed},
    sudoku::board::{ALLOWED, CELLS, Grid},
};

/// What a character means in a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A digit, or 0 for an empty cell.
    Cell(u8),
    /// A line between two cells of a row.
    Bar,
    /// A character of a ruling, which never occurs in a row of cells.
    Ruling,
    /// A blank, quote, or other separator.
    Separator,
    /// A character that no grid has.
    Other,
}

/// What a character means in a grid. Blanks may also be empty cells, see [`blanks`].
pub(super) fn meaning_of(character: char) -> Meaning {
    match character {
        '1'..='9' => Meaning::Cell(character as u8 - b'0'),
        '.' | '0' | '_' | '*' | 'x' | 'X' | '-' | '?' => Meaning::Cell(0),
        '|' | '│' | '┃' | '║' | '¦' => Meaning::Bar,
        '+' | '=' | ':' | '─'..='╿' => Meaning::Ruling,
        ' ' | '\t' | ',' | ';' | '"' | '\'' => Meaning::Separator,
        _ => Meaning::Other,
    }
}

/// The digit of a character, 0 if it stands for an empty cell; `None` if it stands for no cell.
pub(super) fn cell_of(character: char) -> Option<u8> {
    match meaning_of(character) {
        Meaning::Cell(digit) => Some(digit),
        _ => None,
    }
}

/// Reads any text that no other reader knows, so the result is never `None`.
pub(super) fn read(text: &str) -> Found {
    let lines = without_remarks(text)?;
    if let Some(grid) = fields(&lines) {
        return Ok(Some(grid));
    }
    let rows = rows(&lines);
    let grid = match cells(&rows.lines) {
        Ok(cells) if cells.len() == CELLS => {
            check_boxes(&rows)?;
            Grid(cells.try_into().unwrap_or([0; CELLS]))
        }
        found => match blanks(&rows) {
            Some(grid) => grid,
            None => return Err(refusal(&rows, found)),
        },
    };
    Ok(Some(grid))
}

/// The lines without those that begin with `#`, and without the heading `[Puzzle]`.
fn without_remarks(text: &str) -> Result<Vec<&str>, TextError> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        let heading = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match heading.filter(|word| !word.is_empty() && word.chars().all(char::is_alphabetic)) {
            Some(word) if word.eq_ignore_ascii_case("puzzle") => {}
            Some(_) => {
                return Err(malformed(format!(
                    "the section {trimmed} of a file is not read; use [Puzzle] and its nine lines"
                )));
            }
            None if trimmed.starts_with('#') => {}
            None => lines.push(line),
        }
    }
    Ok(lines)
}

/// The grid of nine lines of nine fields, or one line of 81, in which an empty field is an empty cell.
fn fields(lines: &[&str]) -> Option<Grid> {
    SEPARATORS.into_iter().find_map(|separator| {
        let split = |line: &&str| -> Vec<String> {
            line.split(separator).map(|field| field.trim_matches([' ', '"', '\'']).to_owned()).collect()
        };
        let mut rows: Vec<_> = lines.iter().filter(|line| line.contains(separator)).map(split).collect();
        let len = if rows.len() == 1 { CELLS } else { 9 };
        for row in &mut rows {
            // A separator may end the line.
            if row.len() == len + 1 && row.last().is_some_and(String::is_empty) {
                row.pop();
            }
        }
        let is_whole = rows.len() * len == CELLS && rows.iter().all(|row| row.len() == len);
        let others = lines.iter().filter(|line| !line.contains(separator));
        if !is_whole || others.into_iter().any(|line| !line.trim().is_empty()) {
            return None;
        }
        let digit = |field: String| match field.as_str() {
            "" => Some(0),
            field => Some(field.parse().ok()?).filter(|digit| (1..=9).contains(digit)),
        };
        let digits = rows.into_iter().flatten().map(digit).collect::<Option<Vec<u8>>>()?;
        digits.iter().any(|&digit| digit != 0).then(|| Grid(digits.try_into().unwrap_or([0; CELLS])))
    })
}

/// The cells of lines, in which blanks are separators.
fn cells(lines: &[&str]) -> Result<Vec<u8>, TextError> {
    let mut cells = Vec::new();
    for found in lines.iter().flat_map(|line| line.chars()) {
        match meaning_of(found) {
            Meaning::Cell(digit) => cells.push(digit),
            Meaning::Bar | Meaning::Separator => {}
            Meaning::Ruling | Meaning::Other => {
                let (row, column) = (cells.len() / 9 + 1, cells.len() % 9 + 1);
                return Err(TextError::Character { found, row, column, allowed: ALLOWED });
            }
        }
    }
    Ok(cells)
}

/// Reads spaces as empty cells. `None` if the text has another character for empty cells, or if it has neither 81 characters
/// without line ends nor nine lines of at most nine characters.
fn blanks(rows: &Rows<'_>) -> Option<Grid> {
    let character = |character: char| match meaning_of(character) {
        Meaning::Bar => None,
        Meaning::Cell(digit) if digit != 0 => Some(Some(digit)),
        Meaning::Separator if character == ' ' => Some(Some(0)),
        _ => Some(None),
    };
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for line in &rows.lines {
        lines.push(line.chars().filter_map(character).collect::<Option<_>>()?);
    }
    if lines.iter().map(Vec::len).sum::<usize>() != CELLS {
        if lines.len() != 9 || lines.iter().any(|line| line.len() > 9) {
            return None;
        }
        for line in &mut lines {
            line.resize(9, 0);
        }
    }
    let digits: [u8; CELLS] = lines.concat().try_into().ok()?;
    digits.iter().any(|&digit| digit != 0).then_some(Grid(digits))
}

/// The error for a text without 81 cells. It names the notation that the text resembles, or else the first fault.
fn refusal(rows: &Rows<'_>, found: Result<Vec<u8>, TextError>) -> TextError {
    if has_pencil_marks(&rows.lines) {
        return malformed(
            "a grid of pencil marks cannot be read as a puzzle; use one character for each of the 81 cells, with . for an empty cell".to_owned(),
        );
    }
    let whole = rows.lines.iter().filter(|line| cells_in(line) == CELLS).count();
    match found {
        Err(fault) if whole < 2 => fault,
        Ok(cells) if whole < 2 && (cells.len() <= CELLS || cells.len() % CELLS != 0) => {
            TextError::Length { len: cells.len(), wanted: CELLS }
        }
        found => {
            let len = whole.max(found.map_or(0, |cells| cells.len() / CELLS));
            malformed(format!(
                "{len} puzzles in one text; use one of them, or `puzzled rate` with an empty line between them"
            ))
        }
    }
}

/// Whether nine lines have nine words of digits each, one of them of several.
fn has_pencil_marks(lines: &[&str]) -> bool {
    let is_separator = |character| matches!(meaning_of(character), Meaning::Separator | Meaning::Bar);
    let words =
        |line: &&str| line.split(is_separator).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let with_digits = lines.iter().filter(|line| line.contains(|character: char| character.is_ascii_digit()));
    let rows: Vec<_> = with_digits.map(words).collect();
    let is_number = |word: &String| word.len() > 1 && word.chars().all(|character| character.is_ascii_digit());
    rows.len() == 9 && rows.iter().all(|words| words.len() == 9) && rows.iter().flatten().any(is_number)
}
