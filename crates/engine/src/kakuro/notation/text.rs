//! The text format of Kakuro, read leniently and written in one way. A row has tokens separated by blanks: `#` is a
//! block, `.` is a white cell, a digit is a filled white cell, and `across\down` is a block with clues, either of which
//! may be missing.

use super::{draw, url};
use crate::{
    kakuro::{
        board::{Digit, Puzzle},
        digits::sum_limits,
        layout::{Direction, Layout, LayoutFault, Run, SIZE_MAX, SIZE_MIN, name_at},
    },
    shared::{
        phrases::{counted, range},
        text::{TextError, foreign, malformed, uniform::uniform},
    },
};

/// A puzzle with the digits that a text shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The digit of each white cell; 0 if the text has none.
    pub digits: Vec<Digit>,
}

/// Reads a puzzle without digits, from the text format above, a drawing, or a puzz.link address.
///
/// Lines `# word: …` are ignored, except that `# size: rows columns` must be correct. A line `# solution` ends the
/// text.
///
/// # Errors
/// [`TextError::Malformed`] names the cell, the value, and the limit.
pub fn parse(text: &str) -> Result<Puzzle, TextError> {
    let Board { puzzle, digits } = parse_board(text)?;
    match digits.iter().position(|&digit| digit != 0) {
        None => Ok(puzzle),
        Some(white) => {
            let name = puzzle.layout().name(white);
            Err(malformed(format!("{name}: digit {} is not allowed; use . in a puzzle", digits[white])))
        }
    }
}

/// Reads a puzzle that may have digits; otherwise like [`parse`].
///
/// # Errors
/// [`TextError::Malformed`] names the cell, the value, and the limit.
pub fn parse_board(text: &str) -> Result<Board, TextError> {
    let board = if text.is_ascii() { read(text) } else { read(&uniform(text)) };
    board.map_err(|error| foreign::refused("kakuro", text).unwrap_or(error))
}

/// The board with the digits of the section `# solution`, which has a digit for each white cell and any word for a block. `None` if the
/// text has no section of that form.
#[must_use]
pub fn stated_solution(text: &str, puzzle: &Puzzle) -> Option<String> {
    let lines = text.lines().skip_while(|line| header(line.trim()).is_none_or(|(word, _)| word != "solution"));
    let rows: Vec<Vec<&str>> =
        lines.skip(1).map(|line| line.split_whitespace().collect()).filter(|row: &Vec<_>| !row.is_empty()).collect();
    let layout = puzzle.layout();
    let width = layout.width();
    if rows.len() != layout.height() || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let digit = |&cell: &u16| rows[usize::from(cell) / width][usize::from(cell) % width].parse().ok();
    let digits: Vec<Digit> = layout.cells().iter().map(digit).collect::<Option<_>>()?;
    Some(write_board(puzzle, &digits))
}

/// Asks the readers in order: an address, a drawing, a text.
fn read(text: &str) -> Result<Board, TextError> {
    if let Some(body) = url::body(text)? {
        let puzzle = url::parse(body)?;
        let digits = vec![0; puzzle.layout().cells().len()];
        return Ok(Board { puzzle, digits });
    }
    let tokens = match draw::tokens(text)? {
        Some(tokens) => tokens,
        None => tokens(text)?,
    };
    let width = tokens[0].len();
    let layout = layout(&tokens, width)?;
    let sums = sums(&layout, &tokens)?;
    let digit = |&cell: &u16| match tokens[usize::from(cell) / width][usize::from(cell) % width] {
        Token::White(digit) => digit,
        Token::Block(_) => 0,
    };
    let digits = layout.cells().iter().map(digit).collect();
    Ok(Board { puzzle: Puzzle::of_sums(layout, sums), digits })
}

/// Writes a puzzle. A line feed separates the rows; the last row has none.
#[must_use]
pub fn write(puzzle: &Puzzle) -> String {
    write_board(puzzle, &vec![0; puzzle.layout().cells().len()])
}

/// Writes a puzzle with a digit in each white cell, or `.` if the digit is 0.
#[must_use]
pub fn write_board(puzzle: &Puzzle, digits: &[Digit]) -> String {
    let layout = puzzle.layout();
    let mut tokens: Vec<String> = puzzle.clues().into_iter().map(clue_token).collect();
    for (&cell, &digit) in layout.cells().iter().zip(digits) {
        tokens[usize::from(cell)] = if digit == 0 { ".".to_owned() } else { digit.to_string() };
    }
    tokens.chunks(layout.width()).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n")
}

fn clue_token([across, down]: [Option<u8>; 2]) -> String {
    if across.is_none() && down.is_none() {
        return "#".to_owned();
    }
    let side = |clue: Option<u8>| clue.map_or_else(String::new, |sum| sum.to_string());
    format!("{}\\{}", side(across), side(down))
}

/// A cell in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// A block with its clues across and down, of any size.
    Block([Option<u16>; 2]),
    /// A white cell with its digit, or 0 if the text shows none.
    White(Digit),
}

fn tokens(text: &str) -> Result<Vec<Vec<Token>>, TextError> {
    let mut rows: Vec<Vec<Token>> = Vec::new();
    let mut size = None;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some((word, rest)) = header(line) {
            if word == "solution" {
                break;
            }
            if word == "size" {
                size = Some(rest);
            }
            continue;
        }
        let row = rows.len() + 1;
        let tokens = (1..).zip(line.split_whitespace());
        rows.push(tokens.map(|(column, token)| read_token(token, (row, column))).collect::<Result<_, _>>()?);
    }
    check_shape(&rows)?;
    let found = format!("{} {}", rows.len(), rows[0].len());
    match size {
        Some(size) if size.split_whitespace().ne(found.split(' ')) => {
            let size: String = size.chars().take(12).collect();
            Err(malformed(format!("`# size` is {size:?}, but the board is {found:?}")))
        }
        _ => Ok(rows),
    }
}

/// The word and the rest of a line `# word: …` or `# solution`.
fn header(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix('#')?.trim_start();
    if line == "solution" {
        return Some((line, ""));
    }
    let (word, rest) = line.split_once(':')?;
    word.chars().all(char::is_alphanumeric).then(|| (word, rest.trim()))
}

/// Checks that all rows are as wide as the first, and that width and height are allowed.
pub(super) fn check_shape(rows: &[Vec<Token>]) -> Result<(), TextError> {
    let width = rows.first().map_or(SIZE_MIN, Vec::len);
    if let Some((row, cells)) = (1..).zip(rows).find(|(_, cells)| cells.len() != width) {
        let cells = counted(cells.len(), "cell");
        return Err(malformed(format!("row {row} has {cells}, row 1 has {width}")));
    }
    let sides = [("width", width), ("height", rows.len())];
    match sides.into_iter().find(|(_, len)| !(SIZE_MIN..=SIZE_MAX).contains(len)) {
        Some((side, len)) => Err(malformed(LayoutFault::Size { side, len }.to_string())),
        None => Ok(()),
    }
}

fn read_token(token: &str, at: (usize, usize)) -> Result<Token, TextError> {
    match token {
        "#" | "\\" => return Ok(Token::Block([None; 2])),
        "." => return Ok(Token::White(0)),
        _ => {}
    }
    if let &[digit @ b'1'..=b'9'] = token.as_bytes() {
        return Ok(Token::White(digit - b'0'));
    }
    let unknown = || {
        let shown: String = token.chars().take(12).collect();
        let (row, column) = at;
        malformed(format!(
            "row {row}, column {column}: {shown:?} is not allowed; use #, ., 1 to 9, or across\\down such as 16\\9"
        ))
    };
    let (across, down) = token.split_once('\\').ok_or_else(unknown)?;
    let mut clues = [None; 2];
    for (side, direction) in [(across, Direction::Across), (down, Direction::Down)] {
        if !side.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(unknown());
        }
        if !side.is_empty() {
            clues[direction as usize] = Some(read_clue(side).ok_or_else(unknown)?);
        }
    }
    Ok(Token::Block(clues))
}

/// Reads the number of a clue. Whether its run can have this sum shows only when the whole board is read, see [`sums`].
pub(super) fn read_clue(digits: &str) -> Option<u16> {
    digits.parse().ok()
}

fn layout(tokens: &[Vec<Token>], width: usize) -> Result<Layout, TextError> {
    let signs: Vec<_> = tokens.iter().flatten().map(|token| matches!(token, Token::White(_))).collect();
    Layout::of_text(width, tokens.len(), &signs).map_err(|fault| malformed(fault.to_string()))
}

/// Checks the clues, and returns the sum of each run; 0 for a run of one cell without a clue. Every other run needs a clue, and every
/// clue needs a run. These faults come before sums that are impossible.
pub(super) fn sums(layout: &Layout, tokens: &[Vec<Token>]) -> Result<Vec<u8>, TextError> {
    let width = layout.width();
    let mut left: Vec<_> = tokens.iter().flatten().copied().collect();
    let mut clues = Vec::with_capacity(layout.runs().len());
    for run in layout.runs() {
        let clue = match &mut left[usize::from(run.clue_at)] {
            Token::Block(clues) => clues[run.direction as usize].take(),
            Token::White(_) => None,
        };
        if clue.is_none() && run.whites().len() > 1 {
            let (first, name) = (layout.name(usize::from(run.whites()[0])), layout.name_of_cell(run.clue_at));
            return Err(malformed(format!("{first}: the run {} has no clue; add one to {name}", run.direction)));
        }
        clues.push(clue);
    }
    let spare = left.iter().enumerate().find_map(|(cell, token)| match token {
        Token::Block([Some(sum), _]) => Some((cell, sum, Direction::Across)),
        Token::Block([_, Some(sum)]) => Some((cell, sum, Direction::Down)),
        _ => None,
    });
    if let Some((cell, sum, direction)) = spare {
        let name = name_at((cell / width + 1, cell % width + 1));
        return Err(malformed(format!("{name}: clue {sum} {direction} has no white cell after it")));
    }
    let runs = layout.runs().iter().zip(clues);
    runs.map(|(run, clue)| clue.map_or(Ok(0), |sum| possible_sum(layout, run, sum))).collect()
}

/// The sum of a run, if different digits add up to it.
fn possible_sum(layout: &Layout, run: &Run, sum: u16) -> Result<u8, TextError> {
    let (low, high) = sum_limits(run.whites().len());
    let is_possible = |sum: &u8| (low..=high).contains(&usize::from(*sum));
    u8::try_from(sum).ok().filter(is_possible).ok_or_else(|| {
        let (name, direction) = (layout.name_of_cell(run.clue_at), run.direction);
        let (cells, allowed) = (counted(run.whites().len(), "cell"), range(low, high));
        malformed(format!("{name}: clue {sum} {direction} is impossible for {cells}; use {allowed}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n3\\ . . #";

    #[test]
    fn text_is_read_leniently_and_written_in_one_way() {
        let puzzle = parse(PUZZLE).unwrap();
        assert_eq!(puzzle.sums(), [3, 15, 3, 8, 10, 3]);
        assert_eq!(write(&puzzle), PUZZLE);
        let spaced =
            "# name: x\n# size: 4 4\n\n  #  \\ \\8\t\\10 \n# 3\\3 . .\r\n15\\ . . .\n3\\ . . #\n# solution\nno more";
        assert_eq!(parse(spaced).unwrap(), puzzle);
    }

    #[test]
    fn section_of_the_solution_has_a_digit_for_each_white_cell() {
        let puzzle = parse(PUZZLE).unwrap();
        let stated = |section: &str| stated_solution(&format!("{PUZZLE}\n# solution\n{section}"), &puzzle);
        let solved = "# # \\8 \\10\n# 3\\3 1 2\n15\\ 2 5 8\n3\\ 1 2 #";
        assert_eq!(stated("- - - -\n- - 1 2\n\n- 2 5 8\n- 1 2 -\n").as_deref(), Some(solved));
        assert_eq!(stated(solved).as_deref(), Some(solved));
        for other in ["no more", "- - - -\n- - 1 2\n- 2 5 8\n- 1 . -", "- - - -"] {
            assert_eq!(stated(other), None, "{other}");
        }
        assert_eq!(stated_solution(PUZZLE, &puzzle), None);
    }

    #[test]
    fn text_of_a_solution_shows_its_digits() {
        let solved = "# # \\8 \\10\n# 3\\3 1 2\n15\\ 2 5 8\n3\\ 1 2 #";
        let board = parse_board(solved).unwrap();
        assert_eq!(board.digits, [1, 2, 2, 5, 8, 1, 2]);
        assert_eq!(write_board(&board.puzzle, &board.digits), solved);
        assert!(board.puzzle.is_solved_by(&board.digits));
        let reason = "r2c3: digit 1 is not allowed; use . in a puzzle".to_owned();
        assert_eq!(parse(solved), Err(TextError::Malformed { reason }));
    }

    #[test]
    fn each_fault_names_the_cell_the_value_and_the_limit() {
        let cases = [
            ("15\\ . . .", "15\\ . .", "row 3 has 3 cells, row 1 has 4"),
            ("15\\ . . .", "15\\ . . . .", "row 3 has 5 cells, row 1 has 4"),
            ("3\\ . . #", "30\\ . # #", "r4c1: clue 30 across is impossible for 1 cell; use 1 to 9"),
            ("\\10", "\\46", "r1c4: clue 46 down is impossible for 2 cells; use 3 to 17"),
            ("\\10", "\\2", "r1c4: clue 2 down is impossible for 2 cells; use 3 to 17"),
            (
                "\\10",
                "\\65536",
                "row 1, column 4: \"\\\\65536\" is not allowed; use #, ., 1 to 9, or across\\down such as 16\\9",
            ),
            // Where a clue is too large, the shape of the board is wrong as often as the clue.
            ("\\10\n# 3", "\\10\n99\\ 99", "r2c1: clue 99 across has no white cell after it"),
            ("\\10\n# 3\\3 . .", "\\99\n# 3\\3 .", "row 2 has 3 cells, row 1 has 4"),
            ("\\10\n# 3\\3", "\\99\n# \\3", "r2c3: the run across has no clue; add one to r2c2"),
            ("\\10", "\\18", "r1c4: clue 18 down is impossible for 2 cells; use 3 to 17"),
            ("15\\", "5\\", "r3c1: clue 5 across is impossible for 3 cells; use 6 to 24"),
            ("\\10", "#", "r2c4: the run down has no clue; add one to r1c4"),
            ("3\\ ", "# ", "r4c2: the run across has no clue; add one to r4c1"),
            (". . #", ". . 4\\", "r4c4: clue 4 across has no white cell after it"),
            ("# # \\8", "7\\ # \\8", "r1c1: clue 7 across has no white cell after it"),
            (
                "3\\3",
                "x\\3",
                "row 2, column 2: \"x\\\\3\" is not allowed; use #, ., 1 to 9, or across\\down such as 16\\9",
            ),
            ("3\\3", "33", "row 2, column 2: \"33\" is not allowed; use #, ., 1 to 9, or across\\down such as 16\\9"),
            (
                "3\\3",
                "+3\\3",
                "row 2, column 2: \"+3\\\\3\" is not allowed; use #, ., 1 to 9, or across\\down such as 16\\9",
            ),
            ("# # ", "# . ", "r1c2: a white cell in the first row or column has no room for its clue down"),
            ("# # \\8", "# size: 3 4\n# # \\8", "`# size` is \"3 4\", but the board is \"4 4\""),
        ];
        for (old, new, reason) in cases {
            let text = PUZZLE.replacen(old, new, 1);
            assert_eq!(parse(&text), Err(TextError::Malformed { reason: reason.to_owned() }), "{text}");
        }
    }

    #[test]
    fn sizes_have_limits() {
        let square = |size: usize| vec![vec!["#"; size].join(" "); size].join("\n");
        let cases = [
            (String::new(), "a height of 0 is not allowed; use 3 to 30"),
            (square(2), "a width of 2 is not allowed; use 3 to 30"),
            ("# # #\n# # #".to_owned(), "a height of 2 is not allowed; use 3 to 30"),
            // Longer rows were cut before they were counted.
            (square(40), "a width of 40 is not allowed; use 3 to 30"),
            (vec!["# # #"; 40].join("\n"), "a height of 40 is not allowed; use 3 to 30"),
            (format!("{}\n#", square(40)), "row 41 has 1 cell, row 1 has 40"),
            (square(30), "the board has no white cell"),
        ];
        for (text, reason) in cases {
            assert_eq!(parse(&text), Err(TextError::Malformed { reason: reason.to_owned() }));
        }
    }
}
