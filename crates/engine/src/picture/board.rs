//! [`Board`]: the picture of a board whose cells hold digits. It draws the digits, the pencil marks, and a step, which are the same
//! for every kind, and describes them in words. The kind draws the rest.

use super::{Area, Mark, Picture, Point, Shade, Shown, Stroke, TextStyle};
use crate::shared::step::{Cell, Step};

/// Diameters of a star in a cell and as a pencil mark, and half the extent of a cross in a cell without a star, in cells.
const STAR: f32 = 0.7;
const PENCILED_STAR: f32 = 0.3;
const CROSS: f32 = 0.09;

/// Font sizes in cells.
const DIGIT: f32 = 0.65;
const CANDIDATE: f32 = 0.25;
const RULES: f32 = 0.27;

/// Height of a line of the rules, in cells.
const LINE: f32 = 0.42;

/// Characters of the rules that fit into the width of a cell. The average character is about half as wide as its font is high.
const RULES_PER_CELL: usize = 7;

/// Distance between pencil marks, which stand in up to three columns as on a keypad. A fourth column makes them smaller.
const PITCH: f32 = 0.26;

/// The size of pencil marks in four columns, as a share of that in three.
const SMALLER: f32 = 0.85;

/// The size of pencil marks below sums, as a share of that without sums, and how much lower they stand.
const BELOW_SUMS: [f32; 2] = [0.88, 0.08];

/// Distance of the border of a pattern from the borders of its cell.
const INSET: f32 = 0.07;

/// Distance of the border around a pencil mark from its center.
const AROUND: f32 = 0.11;

/// Half the extent of the line through a pencil mark, to the right and down. Its slope differs from the diagonals of 2, 4, and 7, and
/// the lines of neighboring marks do not touch.
const STRIKE: [f32; 2] = [0.09, 0.125];

/// For a cell and the digits of a board, the cells that cannot hold the digit of the cell.
type Excluded<'a> = dyn Fn(Cell, &[u8]) -> Vec<Cell> + 'a;

/// A board, with the parts of its picture that depend on the kind.
pub(crate) struct Board<'a> {
    /// The kind and the variant: `Sudoku 9x9`.
    pub(crate) name: String,
    /// The rules in one sentence.
    pub(crate) rules: &'static str,
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// The symbols of the digits from 1, 1 to 16 of them.
    pub(crate) symbols: &'static str,
    /// Whether the digit 1 is drawn as a star and other cells stay empty. Then a pencil mark is a cross in a cell without a star.
    pub(crate) has_stars: bool,
    /// Whether cells have sums in their upper left corners. Then pencil marks are smaller and lower.
    pub(crate) has_sums: bool,
    /// The digits that the puzzle gives, row by row; 0 for other cells.
    pub(crate) givens: Vec<u8>,
    /// The candidates of each cell on an empty board, as bits; 0 for cells that hold no digit.
    pub(crate) open: Vec<u32>,
    /// The cells that cannot hold the same digit as a cell, on a board with these digits.
    pub(crate) excluded: &'a Excluded<'a>,
    /// The lines, the blocks, and the clues.
    pub(crate) marks: Vec<Mark>,
    /// Width of the space on each side for clues beside the board, in cells.
    pub(crate) beside: f32,
    /// The clues beside the board in words; empty if there are none.
    pub(crate) words_beside: String,
    /// A cell without a digit in words: `blank`, or the clues of a block.
    pub(crate) words: &'a dyn Fn(Cell) -> String,
    /// The argument of a step.
    pub(crate) sentence: &'a dyn Fn(&Step) -> String,
}

impl Board<'_> {
    /// The picture. `solution` has the digits of all cells, if they are shown.
    pub(crate) fn picture(self, shown: Shown<'_>, solution: Option<&[u8]>) -> Picture {
        let step = shown.steps.split_last();
        let position = match (step, solution) {
            (Some((_, before)), _) => self.after(before),
            (None, Some(solution)) => Position { digits: solution.to_vec(), candidates: Vec::new() },
            (None, None) => self.after(&[]),
        };
        let mut marks = Vec::new();
        let pattern = step.map_or(&[][..], |(step, _)| &step.cells);
        marks.extend(pattern.iter().map(|&cell| Mark::Fill(self.area(cell, 0.0), Shade::Pattern)));
        marks.extend_from_slice(&self.marks);
        marks.extend(pattern.iter().map(|&cell| Mark::Border(self.area(cell, INSET), Stroke::Emphasis)));
        self.digits(&position, &mut marks);
        if shown.candidates || step.is_some() {
            self.candidates(&position, shown.steps.last(), &mut marks);
        }
        if let Some((step, _)) = step {
            self.effect(step, &mut marks);
        }
        let rules = if shown.rules { self.rules() } else { Vec::new() };
        let lines = u8::try_from(rules.len()).unwrap_or(u8::MAX);
        let footer = if lines == 0 { 0.0 } else { LINE * (f32::from(lines) + 0.5) };
        marks.extend(rules);
        let (title, description) = self.description(&position, shown, solution.is_some());
        let Self { columns, rows, beside, .. } = self;
        Picture { columns, rows, beside, footer, title, description, marks }
    }

    /// The position after these steps.
    fn after(&self, steps: &[Step]) -> Position {
        let mut position = Position { digits: vec![0; self.open.len()], candidates: self.open.clone() };
        for (cell, &digit) in (0..).zip(&self.givens).filter(|(_, digit)| **digit != 0) {
            position.place(cell, digit, self.excluded);
        }
        for step in steps {
            step.removed.iter().for_each(|&(cell, digit)| position.remove(cell, digit));
            step.placed.iter().for_each(|&(cell, digit)| position.place(cell, digit, self.excluded));
        }
        position
    }

    fn digits(&self, position: &Position, marks: &mut Vec<Mark>) {
        for (cell, (&digit, &given)) in (0..).zip(position.digits.iter().zip(&self.givens)) {
            if digit != 0 && self.has_stars {
                marks.push(Mark::Star(self.area(cell, 0.5).at, STAR));
            } else if digit != 0 {
                let style = if given == 0 { TextStyle::Digit } else { TextStyle::Given };
                marks.push(self.text(self.area(cell, 0.5).at, DIGIT, digit, style));
            }
        }
    }

    /// The pencil marks. Those of a pattern are bold, except those that the step removes.
    fn candidates(&self, position: &Position, step: Option<&Step>, marks: &mut Vec<Mark>) {
        for (cell, &candidates) in (0..).zip(&position.candidates) {
            if self.has_stars {
                let is_crossed = candidates == 0 && position.digits[usize::from(cell)] == 0;
                marks.extend(is_crossed.then(|| self.cross(cell, Stroke::Thin)).into_iter().flatten());
                continue;
            }
            for digit in (1..=self.digits_max()).filter(|digit| candidates & 1 << digit != 0) {
                let proves = |step: &Step| step.concerns(cell, digit) && !step.removed.contains(&(cell, digit));
                let is_of_pattern = step.is_some_and(proves);
                let style = if is_of_pattern { TextStyle::Pattern } else { TextStyle::Candidate };
                marks.push(self.text(self.candidate(cell, digit), CANDIDATE * self.scale(), digit, style));
            }
        }
    }

    /// A border around each pencil mark that the step places, and a line through each that it removes. Of stars, a small one where the
    /// step places one, and a thick cross where it excludes one.
    fn effect(&self, step: &Step, marks: &mut Vec<Mark>) {
        if self.has_stars {
            marks.extend(step.placed.iter().map(|&(cell, _)| Mark::Star(self.area(cell, 0.5).at, PENCILED_STAR)));
            marks.extend(step.removed.iter().flat_map(|&(cell, _)| self.cross(cell, Stroke::Emphasis)));
            return;
        }
        for &(cell, digit) in &step.placed {
            let Point { x, y } = self.candidate(cell, digit);
            let around = if self.has_sums { AROUND } else { AROUND * self.scale() };
            let at = Point { x: x - around, y: y - around };
            marks.push(Mark::Border(Area { at, width: 2.0 * around, height: 2.0 * around }, Stroke::Emphasis));
        }
        for &(cell, digit) in &step.removed {
            let Point { x, y } = self.candidate(cell, digit);
            let [right, down] = STRIKE.map(|extent| extent * self.scale());
            let (from, to) = (Point { x: x - right, y: y - down }, Point { x: x + right, y: y + down });
            marks.push(Mark::Line(from, to, Stroke::Thin));
        }
    }

    fn text(&self, center: Point, size: f32, digit: u8, style: TextStyle) -> Mark {
        Mark::Text { center, size, text: self.sign(digit), style }
    }

    fn sign(&self, digit: u8) -> String {
        self.symbols.chars().nth(usize::from(digit) - 1).map(String::from).unwrap_or_default()
    }

    /// The largest digit.
    fn digits_max(&self) -> u8 {
        u8::try_from(self.symbols.len()).unwrap_or(u8::MAX)
    }

    /// A cross in a cell that has no star.
    fn cross(&self, cell: Cell, stroke: Stroke) -> [Mark; 2] {
        let Point { x, y } = self.area(cell, 0.5).at;
        [CROSS, -CROSS].map(|down| {
            let (from, to) = (Point { x: x - CROSS, y: y - down }, Point { x: x + CROSS, y: y + down });
            Mark::Line(from, to, stroke)
        })
    }

    /// The rules in lines of text below the board.
    fn rules(&self) -> Vec<Mark> {
        let (center, bottom) = (f32::from(self.columns) / 2.0, f32::from(self.rows) + self.beside);
        let line = |(number, text)| {
            let center = Point { x: center, y: bottom + LINE * (f32::from(number) + 1.0) };
            Mark::Text { center, size: RULES, text, style: TextStyle::Rules }
        };
        (0_u16..).zip(wrapped(self.rules, RULES_PER_CELL * usize::from(self.columns))).map(line).collect()
    }

    /// The title and the description.
    fn description(&self, position: &Position, shown: Shown<'_>, is_solved: bool) -> (String, String) {
        let name = &self.name;
        let (title, sentence) = match shown.steps.last() {
            Some(step) => {
                let title = format!("{name}, step {}: {}", shown.steps.len(), step.technique);
                (title, (self.sentence)(step) + " The board before this step: ")
            }
            None if is_solved => (format!("{name}, solution"), String::new()),
            None => (name.clone(), String::new()),
        };
        let cells = (0..).zip(&position.digits).map(|(cell, &digit)| match digit {
            0 => (self.words)(cell),
            _ if self.has_stars => "star".to_owned(),
            _ => self.sign(digit),
        });
        let cells: Vec<_> = cells.collect();
        let rows = (1..).zip(cells.chunks(usize::from(self.columns)));
        let rows: Vec<_> = rows.map(|(row, cells)| format!("Row {row}: {}.", cells.join(", "))).collect();
        (title, sentence + &self.words_beside + &rows.join(" "))
    }

    /// The area of a cell without a border of this width.
    fn area(&self, cell: Cell, inset: f32) -> Area {
        let [x, y] = [cell % self.columns, cell / self.columns].map(|at| f32::from(at) + inset);
        let side = 1.0 - 2.0 * inset;
        Area { at: Point { x, y }, width: side, height: side }
    }

    /// The center of a pencil mark.
    fn candidate(&self, cell: Cell, digit: u8) -> Point {
        let Point { x, y } = self.area(cell, 0.5).at;
        let y = if self.has_sums { y + BELOW_SUMS[1] } else { y };
        let columns = self.mark_columns();
        let rows = self.digits_max().div_ceil(columns);
        let place = digit.saturating_sub(1);
        let from_center = |at: u8, count: u8| PITCH * self.scale() * (f32::from(at) - f32::from(count - 1) / 2.0);
        Point { x: x + from_center(place % columns, columns), y: y + from_center(place / columns, rows) }
    }

    /// The number of columns of pencil marks in a cell, 1 to 4.
    fn mark_columns(&self) -> u8 {
        (1..4).find(|columns| columns * columns >= self.digits_max()).unwrap_or(4)
    }

    /// The size of pencil marks, as a share of that in three columns.
    fn scale(&self) -> f32 {
        let beside = if self.has_sums { BELOW_SUMS[0] } else { 1.0 };
        if self.mark_columns() == 4 { SMALLER * beside } else { beside }
    }
}

/// The digits of a board, 0 for an empty cell, and its pencil marks, as bits.
struct Position {
    digits: Vec<u8>,
    candidates: Vec<u32>,
}

impl Position {
    fn place(&mut self, cell: Cell, digit: u8, excluded: &Excluded<'_>) {
        self.digits[usize::from(cell)] = digit;
        self.candidates[usize::from(cell)] = 0;
        for other in excluded(cell, &self.digits) {
            self.remove(other, digit);
        }
    }

    fn remove(&mut self, cell: Cell, digit: u8) {
        self.candidates[usize::from(cell)] &= !(1 << digit);
    }
}

/// The lines between the cells of a board and around it, thick ones last. `stroke` is the line between two neighbors, the left or
/// upper one first. Beyond the border, there is no cell.
pub(crate) fn lines(
    columns: u16,
    rows: u16,
    stroke: impl Fn(Option<Cell>, Option<Cell>) -> Option<Stroke>,
) -> Vec<Mark> {
    let cell = |x: Option<u16>, y: Option<u16>| Some(y? * columns + x?);
    let sides = |at: u16, end: u16| [at.checked_sub(1), (at < end).then_some(at)];
    let point = |x: u16, y: u16| Point { x: x.into(), y: y.into() };
    let mut lines = Vec::new();
    for y in 0..=rows {
        let [above, below] = sides(y, rows);
        let strokes = (0..columns).map(|x| stroke(cell(Some(x), above), cell(Some(x), below)));
        let joined = joined(strokes).into_iter();
        lines.extend(joined.map(|(from, to, stroke)| Mark::Line(point(from, y), point(to, y), stroke)));
    }
    for x in 0..=columns {
        let [left, right] = sides(x, columns);
        let strokes = (0..rows).map(|y| stroke(cell(left, Some(y)), cell(right, Some(y))));
        let joined = joined(strokes).into_iter();
        lines.extend(joined.map(|(from, to, stroke)| Mark::Line(point(x, from), point(x, to), stroke)));
    }
    lines.sort_by_key(|line| matches!(line, Mark::Line(.., Stroke::Thick)));
    lines
}

/// Joins equal neighbors of a row of strokes of length 1, and returns the start, end, and stroke of each line.
fn joined(strokes: impl Iterator<Item = Option<Stroke>>) -> Vec<(u16, u16, Stroke)> {
    let mut joined: Vec<(u16, u16, Stroke)> = Vec::new();
    for (at, stroke) in (0..).zip(strokes) {
        match (joined.last_mut(), stroke) {
            (Some((_, to, last)), Some(stroke)) if *to == at && *last == stroke => *to += 1,
            (_, Some(stroke)) => joined.push((at, at + 1, stroke)),
            (_, None) => (),
        }
    }
    joined
}

/// Breaks a sentence into as few lines as possible, and these into lines as even as possible.
fn wrapped(sentence: &str, characters_max: usize) -> Vec<String> {
    let within = |characters: usize| {
        let mut lines: Vec<String> = Vec::new();
        for word in sentence.split(' ') {
            match lines.last_mut() {
                Some(line) if line.len() + 1 + word.len() <= characters => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    };
    let widest = within(characters_max);
    (1..characters_max).map(within).find(|lines| lines.len() == widest.len()).unwrap_or(widest)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::shared::variant::SYMBOLS;

    /// The digits and pencil marks of a picture: what a person reads in each cell.
    pub(crate) fn read(picture: &Picture) -> (Vec<u8>, Vec<u32>) {
        let cells = usize::from(picture.columns) * usize::from(picture.rows);
        let (mut digits, mut candidates) = (vec![0; cells], vec![0; cells]);
        for mark in &picture.marks {
            let Mark::Text { center, text, style, .. } = mark else { continue };
            let cell = (0..cells).find(|&cell| {
                let [x, y] = [cell % usize::from(picture.columns), cell / usize::from(picture.columns)];
                let [x, y] = [x, y].map(|at| f32::from(u16::try_from(at).unwrap()));
                (x..x + 1.0).contains(&center.x) && (y..y + 1.0).contains(&center.y)
            });
            let (cell, digit) = (cell.unwrap(), digit_of(text));
            match style {
                TextStyle::Given | TextStyle::Digit => digits[cell] = digit,
                TextStyle::Candidate | TextStyle::Pattern => candidates[cell] |= 1 << digit,
                TextStyle::Clue | TextStyle::Rules => (),
            }
        }
        (digits, candidates)
    }

    fn digit_of(sign: &str) -> u8 {
        SYMBOLS.find(sign).map_or(0, |place| u8::try_from(place + 1).unwrap())
    }

    #[test]
    fn lines_between_the_same_cells_are_joined() {
        let is_left = |cell: Option<Cell>| cell.map(|cell| cell % 4 < 2);
        let stroke = |one, other| (is_left(one) != is_left(other)).then_some(Stroke::Thick);
        let line = |x, y, to_x, to_y| Mark::Line(Point { x, y }, Point { x: to_x, y: to_y }, Stroke::Thick);
        let expected = [
            line(0.0, 0.0, 4.0, 0.0),
            line(0.0, 2.0, 4.0, 2.0),
            line(0.0, 0.0, 0.0, 2.0),
            line(2.0, 0.0, 2.0, 2.0),
            line(4.0, 0.0, 4.0, 2.0),
        ];
        assert_eq!(lines(4, 2, stroke), expected);
    }

    #[test]
    fn rules_are_broken_into_the_most_even_lines() {
        let check = |max, lines: &[&str]| assert_eq!(wrapped("one two three four", max), lines, "{max}");
        check(18, &["one two three four"]);
        check(17, &["one two", "three four"]);
        check(9, &["one two", "three", "four"]);
        check(1, &["one", "two", "three", "four"]);
    }
}
