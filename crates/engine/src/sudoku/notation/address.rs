//! Addresses of programs on the web that contain the puzzle.

use super::{
    Found,
    fields::puzzle_of,
    fpuzzles::{of_9x9, ordinary},
    puzz_link, sudokupad,
};
use crate::{
    shared::{
        names::quoted,
        text::{
            TextError,
            address::{Address, SUDOKUPAD, unescaped},
            fpuzzles, malformed,
        },
    },
    sudoku::board::Grid,
};

/// The sites whose addresses have 81 digits: the host, the path, and the parameter with the digits. Other pages of these sites
/// show puzzles with other rules.
const WITH_81_DIGITS: [(&str, &str, &str); 2] =
    [("sudokuwiki.org", "/sudoku.htm", "bd"), ("sudokuexchange.com", "/play", "s")];

/// The sites whose addresses are read, as messages list them.
const READ: &str =
    "open it, and copy the long address of SudokuPad, f-puzzles, puzz.link, sudokuwiki, or sudokuexchange";

/// Reads a text whose first word is an address.
pub(super) fn read(text: &str) -> Found {
    let mut words = text.split_whitespace();
    let Some(first) = words.next().filter(|first| is_address(first)) else { return Ok(None) };
    if let Some(next) = words.next() {
        let next = quoted(next);
        return Err(malformed(format!("{next} follows the address; send the address alone")));
    }
    let kind = first.split('/').next().unwrap_or_default();
    let grid = match fpuzzles::read(first)? {
        Some(stated) => ordinary(stated),
        None if puzz_link::KINDS.contains(&kind) => puzz_link::read(first),
        None => of_site(&Address::of(first)),
    };
    grid.map(Some)
}

/// The text of a puzzle, with its variant, that an address with the format of f-puzzles states: both diagonals are `9x9-x`, and exactly the
/// four windows are `9x9-windoku`. `None` if the text is no such address.
///
/// # Errors
/// [`TextError::Malformed`] if the address is damaged, or states a rule that no variant has.
pub(super) fn stated(text: &str) -> Result<Option<String>, TextError> {
    let Some(address) = Some(text.trim()).filter(|text| is_address(text)) else { return Ok(None) };
    let Some(stated) = fpuzzles::read(address)? else { return Ok(None) };
    let (variant, grid) = of_9x9(stated)?;
    Ok(Some(format!("{variant}: {}", grid.dotted())))
}

/// The solution that an address states, as text; empty if it states none.
pub(super) fn solution(text: &str) -> Result<String, TextError> {
    let Some(address) = Some(text.trim()).filter(|text| is_address(text)) else { return Ok(String::new()) };
    match (fpuzzles::solution(address), Address::of(address).of_sudokupad()) {
        (Some(solution), _) => Ok(solution),
        (None, Some(id)) => sudokupad::solution(&unescaped(id)?),
        (None, None) => Ok(String::new()),
    }
}

fn is_address(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let is_of_site = |host: &str| {
        let rest = lower.strip_prefix("www.").unwrap_or(&lower).strip_prefix(host);
        rest.is_some_and(|rest| rest.starts_with(['/', '?']))
    };
    let hosts = WITH_81_DIGITS.iter().map(|(host, ..)| *host).chain(SUDOKUPAD).chain([fpuzzles::HOST, "puzz.link"]);
    let kind = word.split_once('/').map(|(kind, _)| kind);
    lower.contains("://")
        || kind.is_some_and(|kind| puzz_link::KINDS.contains(&kind))
        || hosts.into_iter().any(is_of_site)
}

fn of_site(address: &Address<'_>) -> Result<Grid, TextError> {
    let host = address.host.as_str();
    if let Some(&(site, path, name)) = WITH_81_DIGITS.iter().find(|(known, ..)| *known == host) {
        return of_81_digits(address, site, path, name);
    }
    if let Some(id) = address.of_sudokupad() {
        return sudokupad::read(&unescaped(id)?);
    }
    let kind = address.query.split('/').next().unwrap_or_default();
    if host == "puzz.link" || puzz_link::KINDS.contains(&kind) {
        return puzz_link::read(address.query);
    }
    let host = quoted(host);
    Err(malformed(format!("an address of {host} cannot be read, and the service opens no links; {READ}")))
}

fn of_81_digits(address: &Address<'_>, site: &str, path: &str, name: &str) -> Result<Grid, TextError> {
    if !address.path.trim_end_matches('/').eq_ignore_ascii_case(path) {
        let found = quoted(address.path);
        return Err(malformed(format!(
            "{site}: the page {found} may have other rules; use {path}?{name}= and 81 digits"
        )));
    }
    let digits = unescaped(address.parameter(name).unwrap_or_default())?;
    puzzle_of(&digits).ok_or_else(|| {
        let found = quoted(&digits);
        malformed(format!("{site}: {name} is {found}; use 81 digits, with 0 or . for an empty cell"))
    })
}
