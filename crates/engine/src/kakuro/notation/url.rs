//! The exchange format of pzpr and puzz.link: `kakuro/columns/rows/body`, where the size excludes the outer row and
//! column.
//!
//! The body lists the inner cells in reading order: `k`–`z` for 1–16 white cells, `.` for a block without clues, and
//! for any other block the clue down and then the clue across. After that come the clues of the outer row, for each
//! white cell below it, and of the outer column, for each white cell to its right. Clues are `0`–`9`, `a`–`j` for
//! 10–19, `A`–`Z` for 20–45, and `-` for none.

use super::text::{Token, sums};
use crate::{
    kakuro::{
        board::Puzzle,
        layout::{Direction, Layout, SIZE_MAX, SIZE_MIN},
    },
    shared::{
        names::quoted,
        text::{TextError, malformed},
    },
};

/// The beginning of an address on puzz.link.
const PUZZ_LINK: &str = "https://puzz.link/p?";

/// The beginning of the part of an address that names the kind.
const KIND: &str = "kakuro/";

/// The maximum number of consecutive white cells that one letter stands for.
const WHITES_MAX: usize = 16;

/// What an address may name besides [`KIND`]: the kind on the page of the editor.
const KIND_EDIT: &str = "kakuro_edit/";

/// The part of an address after the kind, or `None` if the text is not an address.
///
/// # Errors
/// [`TextError::Malformed`] if the address is of another site or kind.
pub(super) fn body(text: &str) -> Result<Option<&str>, TextError> {
    let text = text.trim();
    let named = [KIND, KIND_EDIT].into_iter().find_map(|kind| text.split_once(kind));
    let is_address = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"));
    match named {
        Some((before, body)) if before.is_empty() || is_address => Ok(Some(body.strip_prefix("v:/").unwrap_or(body))),
        _ if is_address => {
            let address = quoted(text);
            Err(malformed(format!(
                "the address {address} cannot be read, and the service opens no links; use one of puzz.link such as {PUZZ_LINK}{KIND}…"
            )))
        }
        _ => Ok(None),
    }
}

/// The address of a puzzle on puzz.link.
#[must_use]
pub fn write(puzzle: &Puzzle) -> String {
    let layout = puzzle.layout();
    let (width, height) = (layout.width(), layout.height());
    let (is_white, clues) = (layout.signs(), puzzle.clues());
    let mut body = format!("{PUZZ_LINK}{KIND}{}/{}/", width - 1, height - 1);
    let mut whites = 0;
    let inner = (1..height).flat_map(|row| (1..width).map(move |column| row * width + column));
    for cell in inner {
        if is_white[cell] && whites < WHITES_MAX {
            whites += 1;
            continue;
        }
        push_whites(&mut body, &mut whites);
        match clues[cell] {
            _ if is_white[cell] => whites = 1,
            [None, None] => body.push('.'),
            [across, down] => body.extend([down, across].map(clue_sign)),
        }
    }
    push_whites(&mut body, &mut whites);
    let top = (1..width).filter(|&column| is_white[width + column]).map(|column| clues[column][1]);
    let left = (1..height).filter(|&row| is_white[row * width + 1]).map(|row| clues[row * width][0]);
    body.extend(top.chain(left).map(clue_sign));
    body
}

fn push_whites(body: &mut String, whites: &mut usize) {
    body.extend((*whites > 0).then(|| ('j'..='z').nth(*whites).unwrap_or('z')));
    *whites = 0;
}

fn clue_sign(clue: Option<u8>) -> char {
    match clue {
        None => '-',
        Some(sum @ 0..10) => char::from(b'0' + sum),
        Some(sum @ 10..20) => char::from(b'a' + sum - 10),
        Some(sum) => char::from(b'A' + sum - 20),
    }
}

/// Reads the part of an address after `kakuro/`.
///
/// # Errors
/// [`TextError::Malformed`] names the fault, the value, and the limit.
pub(super) fn parse(body: &str) -> Result<Puzzle, TextError> {
    let mut parts = body.splitn(3, '/');
    let width = side("columns", parts.next())?;
    let height = side("rows", parts.next())?;
    let mut characters = parts.next().unwrap_or_default().trim_end_matches('/').chars().enumerate();
    let mut tokens = vec![vec![Token::Block([None; 2]); width]; height];
    let mut cells = (1..height).flat_map(|row| (1..width).map(move |column| (row, column)));
    while let Some((row, column)) = cells.next() {
        tokens[row][column] = match characters.next().ok_or_else(ends_early)? {
            (_, '.') => Token::Block([None; 2]),
            (at, character @ 'k'..='z') => {
                for _ in 'k'..character {
                    let (row, column) = cells.next().ok_or_else(|| surplus(at, character))?;
                    tokens[row][column] = Token::White(0);
                }
                Token::White(0)
            }
            (at, character) => {
                let down = read_clue(at, character, (row, column))?;
                let (at, character) = characters.next().ok_or_else(ends_early)?;
                Token::Block([read_clue(at, character, (row, column))?, down])
            }
        };
    }
    let is_white = |token: Token| matches!(token, Token::White(_));
    let top = (1..width).map(|column| (0, column, Direction::Down));
    for (row, column, direction) in top.chain((1..height).map(|row| (row, 0, Direction::Across))) {
        let next = if direction == Direction::Down { tokens[1][column] } else { tokens[row][1] };
        if is_white(next) {
            let (at, character) = characters.next().ok_or_else(ends_early)?;
            let mut clues = [None; 2];
            clues[direction as usize] = read_clue(at, character, (row, column))?;
            tokens[row][column] = Token::Block(clues);
        }
    }
    if let Some((at, character)) = characters.next() {
        return Err(surplus(at, character));
    }
    let whites: Vec<_> = tokens.iter().flatten().map(|&token| is_white(token)).collect();
    let layout = Layout::of_text(width, height, &whites).map_err(|fault| malformed(fault.to_string()))?;
    let sums = sums(&layout, &tokens)?;
    Ok(Puzzle::of_sums(layout, sums))
}

/// Reads a side that excludes the outer row or column, and adds that.
fn side(name: &str, digits: Option<&str>) -> Result<usize, TextError> {
    let digits = digits.unwrap_or_default();
    let (min, max) = (SIZE_MIN - 1, SIZE_MAX - 1);
    digits.parse().ok().filter(|inner| (min..=max).contains(inner)).map(|inner: usize| inner + 1).ok_or_else(|| {
        let shown: String = digits.chars().take(12).collect();
        malformed(format!("kakuro/columns/rows/…: {shown:?} {name} are not allowed; use {min} to {max}"))
    })
}

fn read_clue(at: usize, character: char, (row, column): (usize, usize)) -> Result<Option<u16>, TextError> {
    let offset = |from: char, first: u32| u16::try_from(u32::from(character) - u32::from(from) + first).ok();
    match character {
        // Some programs write a missing clue as 0.
        '-' | '0' => Ok(None),
        '1'..='9' => Ok(offset('1', 1)),
        'a'..='j' => Ok(offset('a', 10)),
        'A'..='Z' => Ok(offset('A', 20)),
        _ => Err(malformed(format!(
            "row {}, column {}: {character:?} at character {} of the body is not allowed; use -, 0 to 9, a to j, or A to Z for a clue",
            row + 1,
            column + 1,
            at + 1
        ))),
    }
}

fn ends_early() -> TextError {
    malformed("kakuro/columns/rows/…: the body ends before the last cell or clue".to_owned())
}

fn surplus(at: usize, found: char) -> TextError {
    malformed(format!(
        "kakuro/columns/rows/…: {found:?} at character {} of the body is beyond the last cell; delete the surplus characters",
        at + 1
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kakuro::notation::text;

    const TEXT: &str = "# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n3\\ . . #";
    const ADDRESS: &str = "https://puzz.link/p?kakuro/3/3/33q.8af3";

    #[test]
    fn address_can_be_written_and_read_again() {
        let puzzle = text::parse(TEXT).unwrap();
        let address = write(&puzzle);
        assert_eq!(address, ADDRESS);
        for address in [
            ADDRESS,
            "http://pzv.jp/p.html?kakuro/3/3/33q.8af3/",
            "kakuro/3/3/33lml.8af3",
            "https://puzz.link/p?kakuro_edit/3/3/33q.8af3",
            "https://puzz.link/p?kakuro/v:/3/3/33q.8af3",
            "HTTPS://puzz.link/p?kakuro_edit/v:/3/3/33q.8af3",
        ] {
            assert_eq!(text::parse(address), Ok(puzzle.clone()), "{address}");
        }
    }

    #[test]
    fn address_of_another_site_or_kind_is_refused() {
        let reason = "the address \"https://puzz.link/p?sudoku/9/9/z\" cannot be read, and the service opens no links; use one of \
                      puzz.link such as https://puzz.link/p?kakuro/…";
        assert_eq!(text::parse("https://puzz.link/p?sudoku/9/9/z"), Err(malformed(reason.to_owned())));
    }

    #[test]
    fn each_fault_is_named() {
        let cases = [
            ("kakuro/1/3/", "kakuro/columns/rows/…: \"1\" columns are not allowed; use 2 to 29"),
            ("kakuro/3/30/", "kakuro/columns/rows/…: \"30\" rows are not allowed; use 2 to 29"),
            ("kakuro/3", "kakuro/columns/rows/…: \"\" rows are not allowed; use 2 to 29"),
            ("kakuro/3/3/33q", "kakuro/columns/rows/…: the body ends before the last cell or clue"),
            (
                "kakuro/3/3/33z",
                "kakuro/columns/rows/…: 'z' at character 3 of the body is beyond the last cell; delete the surplus characters",
            ),
            (
                "kakuro/3/3/3é",
                "row 2, column 2: 'é' at character 2 of the body is not allowed; use -, 0 to 9, a to j, or A to Z for a clue",
            ),
            (
                "kakuro/3/3/33q.8af34",
                "kakuro/columns/rows/…: '4' at character 9 of the body is beyond the last cell; delete the surplus characters",
            ),
            ("kakuro/3/3/33q.-af3", "r2c3: the run down has no clue; add one to r1c3"),
            ("kakuro/3/3/3Zq.8af3", "r2c2: clue 45 across is impossible for 2 cells; use 3 to 17"),
        ];
        for (address, reason) in cases {
            assert_eq!(text::parse(address), Err(malformed(reason.to_owned())), "{address}");
        }
    }
}
