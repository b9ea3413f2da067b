//! Addresses of programs on the web that contain the puzzle.

use super::{Found, fields::puzzle_of, fpuzzles, puzz_link, sudokupad};
use crate::{
    shared::{
        names::quoted,
        text::{TextError, malformed},
    },
    sudoku::{VARIANT, board::Grid},
};

/// The sites whose addresses have 81 digits: the host, the path, and the parameter with the digits. Other pages of these sites
/// show puzzles with other rules.
const WITH_81_DIGITS: [(&str, &str, &str); 2] =
    [("sudokuwiki.org", "/sudoku.htm", "bd"), ("sudokuexchange.com", "/play", "s")];

/// The hosts of SudokuPad.
const SUDOKUPAD: [&str; 4] =
    ["sudokupad.app", "beta.sudokupad.app", "app.crackingthecryptic.com", "sudokupad.svencodes.com"];

/// The host of f-puzzles.
const FPUZZLES: &str = "f-puzzles.com";

/// The sites whose addresses are read, as messages list them.
const READ: &str =
    "open it, and copy the long address of SudokuPad, f-puzzles, puzz.link, sudokuwiki, or sudokuexchange";

/// The parts of an address.
struct Address<'a> {
    /// In lower case, without `www.`.
    host: String,
    /// From the first `/`; empty if the address has none.
    path: &'a str,
    /// After `?`.
    query: &'a str,
}

/// Reads a text whose first word is an address.
pub(super) fn read(text: &str) -> Found {
    let mut words = text.split_whitespace();
    let Some(first) = words.next().filter(|first| is_address(first)) else { return Ok(None) };
    if let Some(next) = words.next() {
        let next = quoted(next);
        return Err(malformed(format!("{next} follows the address; send the address alone")));
    }
    let kind = first.split('/').next().unwrap_or_default();
    let grid = if puzz_link::KINDS.contains(&kind) { puzz_link::read(first) } else { of_site(&Address::of(first)) };
    grid.map(Some)
}

/// The text of a puzzle of another variant that an address of f-puzzles states: both diagonals are `9x9-x`, and exactly the four windows
/// are `9x9-windoku`.
pub(super) fn stated(text: &str) -> Option<String> {
    let address = Address::of(text.trim());
    let packed = address.parameter("load").filter(|_| address.host == FPUZZLES)?;
    let (variant, grid) = fpuzzles::read_stated(&unescaped(packed).ok()?).ok()?;
    (variant != VARIANT).then(|| format!("{variant}: {}", grid.dotted()))
}

fn is_address(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let is_of_site = |host: &str| {
        let rest = lower.strip_prefix("www.").unwrap_or(&lower).strip_prefix(host);
        rest.is_some_and(|rest| rest.starts_with(['/', '?']))
    };
    let hosts = WITH_81_DIGITS.iter().map(|(host, ..)| *host).chain(SUDOKUPAD).chain([FPUZZLES, "puzz.link"]);
    let kind = word.split_once('/').map(|(kind, _)| kind);
    lower.contains("://")
        || kind.is_some_and(|kind| puzz_link::KINDS.contains(&kind))
        || hosts.into_iter().any(is_of_site)
}

impl<'a> Address<'a> {
    fn of(address: &'a str) -> Self {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
        let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = before.split_at(before.find('/').unwrap_or(before.len()));
        let host = host.to_ascii_lowercase();
        Self { host: host.strip_prefix("www.").unwrap_or(&host).to_owned(), path, query }
    }

    fn parameter(&self, name: &str) -> Option<&'a str> {
        self.query
            .split('&')
            .find_map(|pair| pair.split_once('=').filter(|(known, _)| *known == name))
            .map(|(_, value)| value)
    }
}

fn of_site(address: &Address<'_>) -> Result<Grid, TextError> {
    let host = address.host.as_str();
    if let Some(&(site, path, name)) = WITH_81_DIGITS.iter().find(|(known, ..)| *known == host) {
        return of_81_digits(address, site, path, name);
    }
    if host == FPUZZLES {
        return match address.parameter("load") {
            Some(packed) => fpuzzles::read(&unescaped(packed)?),
            None => Err(malformed(
                "f-puzzles: an address without load= is a short one that only its site can resolve; export a long one"
                    .to_owned(),
            )),
        };
    }
    if SUDOKUPAD.contains(&host) {
        let path = address.path.trim_matches('/');
        let (folder, below) = path.split_once('/').unwrap_or((path, ""));
        let path = if ["sudoku", "puzzle"].contains(&folder) { below } else { path };
        let id = if path.is_empty() { address.parameter("puzzleid").unwrap_or_default() } else { path };
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

/// Replaces the escapes of an address, such as `%2B`.
fn unescaped(text: &str) -> Result<String, TextError> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let Some(byte) = byte else {
            let part = quoted(&format!("%{part}"));
            return Err(malformed(format!("the escape {part} in the address is broken; copy the whole address")));
        };
        bytes.push(byte);
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes)
        .map_err(|_| malformed("an address with escapes that are not UTF-8; copy it again".to_owned()))
}
