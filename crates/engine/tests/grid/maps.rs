//! Maps of a board to itself that keep its rules, written again without the engine: lines move, and digits are renamed.

use puzzled_engine::shared::{rng::Rng, symmetry::Symmetry};

use super::Line;

const SIGNS: &str = "123456789ABCDEFG";

/// The houses of a variant besides rows, columns, and boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    None,
    Diagonals,
    Windows,
}

/// The rows and columns of a box of a variant, and its other houses.
pub(crate) fn shape(variant: &str) -> (usize, usize, Others) {
    match variant {
        "4x4" => (2, 2, Others::None),
        "6x6" => (2, 3, Others::None),
        "8x8" => (2, 4, Others::None),
        "9x9" => (3, 3, Others::None),
        "9x9-x" => (3, 3, Others::Diagonals),
        "9x9-windoku" => (3, 3, Others::Windows),
        "10x10" => (2, 5, Others::None),
        "12x12" => (3, 4, Others::None),
        "16x16" => (4, 4, Others::None),
        _ => panic!("{variant}: state its maps here"),
    }
}

/// Where the content of each cell comes from, and the new name of each digit from 1.
#[derive(Debug)]
pub(crate) struct Map {
    sources: Vec<usize>,
    names: Vec<usize>,
    /// Whether 0 and 1 change places.
    is_complemented: bool,
}

impl Map {
    /// A random map of the whole group of a variant.
    pub(crate) fn random(line: &Line, rng: &mut Rng) -> Self {
        if line.has_small_regions() || line.has_sightlines() {
            return Self::turn(line.size(), rng.below(8));
        }
        if line.has_regions() {
            return Self { names: names(line.size(), rng), ..Self::turn(line.size(), rng.below(8)) };
        }
        if line.has_halves() {
            return Self { is_complemented: rng.below(2) == 1, ..Self::turn(line.size(), rng.below(8)) };
        }
        if line.has_signs() {
            let turned = Self::turn(line.size(), rng.below(8));
            return if rng.below(2) == 0 { turned } else { Self { names: (0..line.size()).rev().collect(), ..turned } };
        }
        if line.has_operators() {
            return Self::turn(line.size(), rng.below(8));
        }
        let (height, width, others) = shape(line.variant());
        if line.has_cages() {
            let turn = Self::turn(line.size(), rng.below(if height == width { 8 } else { 4 }));
            return if rng.below(2) == 1 { turn.complemented(line.size()) } else { turn };
        }
        let size = height * width;
        let rows = lines(size, height, others, rng);
        let columns = match (others, rng.below(2)) {
            (Others::None | Others::Windows, _) => lines(size, width, others, rng),
            (Others::Diagonals, 0) => rows.clone(),
            (Others::Diagonals, _) => rows.iter().map(|line| size - 1 - line).collect(),
        };
        let is_transposed = height == width && rng.below(2) == 1;
        let source = |cell: usize| {
            let (row, column) = (rows[cell / size], columns[cell % size]);
            if is_transposed { column * size + row } else { row * size + column }
        };
        Self { sources: (0..size * size).map(source).collect(), names: names(size, rng), is_complemented: false }
    }

    /// A random map of the group whose copies share a canonical form: on boards of 4x4, no cell moves.
    pub(crate) fn of_form(line: &Line, rng: &mut Rng) -> Self {
        if line.variant() == "4x4" && line.has_boxes() {
            Self { sources: (0..16).collect(), names: names(4, rng), is_complemented: false }
        } else {
            Self::random(line, rng)
        }
    }

    /// A mirror at a diagonal. It keeps the rules of boards with square boxes or regions alone.
    pub(crate) fn transposed(size: usize) -> Self {
        Self::turn(size, 4)
    }

    /// One of the 8 turns and mirrors of a board, from 0, which changes nothing.
    fn turn(size: usize, number: u64) -> Self {
        let mirrored = |bit: u64, line: usize| if number & bit == 0 { line } else { size - 1 - line };
        let source = |cell: usize| {
            let (row, column) = (mirrored(2, cell / size), mirrored(1, cell % size));
            if number & 4 == 0 { row * size + column } else { column * size + row }
        };
        let names = (0..SIGNS.len()).collect();
        Self { sources: (0..size * size).map(source).collect(), names, is_complemented: false }
    }

    /// The map that also turns each digit d into n + 1 − d.
    fn complemented(self, size: usize) -> Self {
        Self { names: (0..size).rev().chain(size..SIGNS.len()).collect(), ..self }
    }

    /// The letters of cages, and their numbers in the order in which the cages now begin. The part with the numbers has this name.
    fn cages(&self, size: usize, letters: &str, (name, numbers): (&str, &str)) -> String {
        let (cages, numbers): (_, Vec<&str>) = (cages(size, letters), numbers.split(',').collect());
        let of_cell = |cell: usize| cages.iter().position(|cage| cage.contains(&cell)).unwrap();
        let mut order: Vec<usize> = Vec::new();
        for cage in self.sources.iter().map(|&source| of_cell(source)) {
            if !order.contains(&cage) {
                order.push(cage);
            }
        }
        let number = |cage: usize| match numbers[cage] {
            number if self.names[0] == 0 => number.to_owned(),
            sum => ((size + 1) * cages[cage].len() - sum.parse::<usize>().unwrap()).to_string(),
        };
        let numbers: Vec<_> = order.into_iter().map(number).collect();
        let letters: Vec<char> = letters.chars().collect();
        let moved: String = self.sources.iter().map(|&source| letters[source]).collect();
        format!("{moved} {name}={}", numbers.join(","))
    }

    /// The copy of a text in its stored form. Regions and cages move along and keep their letters, which may be out of order then. Signs move along,
    /// too, and point to the smaller digit.
    pub(crate) fn apply(&self, text: &str) -> String {
        let (name, parts) = text.split_once(": ").unwrap();
        let renamed = |sign: char| match sign {
            '0' | '1' if self.is_complemented => char::from(b'0' + b'1' - sign as u8),
            _ => SIGNS.find(sign).map_or(sign, |digit| char::from(SIGNS.as_bytes()[self.names[digit]])),
        };
        let moved = |cells: &str| {
            let cells: Vec<char> = cells.chars().collect();
            self.sources.iter().map(|&source| cells[source]).collect::<String>()
        };
        if let Some((cells, right)) = parts.split_once(" right=") {
            let (cells, signs) = (moved(cells).chars().map(renamed).collect::<String>(), self.signs(right));
            return format!("{name}: {cells} {signs}");
        }
        if let Some((cells, clues)) = parts.split_once(' ').filter(|(_, clues)| clues.starts_with("north=")) {
            return format!("{name}: {} {}", moved(cells), self.sides(clues));
        }
        if let Some((cells, clues)) = parts.split_once(" cages=") {
            let (letters, numbers) = clues.split_once(' ').unwrap();
            let numbers = numbers.split_once('=').unwrap();
            let (cells, cages) = (moved(cells), self.cages(cells.len().isqrt(), letters, numbers));
            return format!("{name}: {} cages={cages}", cells.chars().map(renamed).collect::<String>());
        }
        match parts.split_once(" regions=") {
            None => format!("{name}: {}", moved(parts).chars().map(renamed).collect::<String>()),
            Some((cells, letters)) => format!("{name}: {} regions={}", moved(cells), moved(letters)),
        }
    }
}

/// The first and the last cell of a line, by the size of the board, its last line, and the line.
type EndsOf = fn(usize, usize, usize) -> [usize; 2];

impl Map {
    /// The parts with the clues of each side of the copy. The first and the last cell of a line say where its clue came from.
    fn sides(&self, parts: &str) -> String {
        let size = self.sources.len().isqrt();
        let last = size - 1;
        let ends: [EndsOf; 4] = [
            |size, last, line| [line, last * size + line],
            |size, last, line| [line * size + last, line * size],
            |size, last, line| [last * size + line, line],
            |size, last, line| [line * size, line * size + last],
        ];
        let parts: Vec<(&str, &str)> = parts.split(' ').map(|part| part.split_once('=').unwrap()).collect();
        let all: Vec<_> = ends.iter().flat_map(|ends| (0..size).map(move |line| ends(size, last, line))).collect();
        let clues: String = parts.iter().map(|(_, clues)| *clues).collect();
        let clue = |ends: &[usize; 2]| {
            let from = ends.map(|cell| self.sources[cell]);
            char::from(clues.as_bytes()[all.iter().position(|ends| *ends == from).unwrap()])
        };
        let moved: Vec<char> = all.iter().map(clue).collect();
        let part =
            |((name, _), clues): (&(&str, &str), &[char])| format!("{name}={}", clues.iter().collect::<String>());
        parts.iter().zip(moved.chunks(size)).map(part).collect::<Vec<_>>().join(" ")
    }

    /// The parts with the signs of the copy, from those of a text without the first name.
    fn signs(&self, parts: &str) -> String {
        let (right, down) = parts.split_once(" down=").unwrap();
        let size = self.sources.len().isqrt();
        let of = |first: usize, second: usize| {
            let at = if second == first + 1 { right.as_bytes()[first - first / size] } else { down.as_bytes()[first] };
            char::from(at)
        };
        let sign = |[first, second]: [usize; 2]| {
            let [from, to] = [self.sources[first], self.sources[second]];
            let is_reversed = (from > to) != (self.names[0] != 0);
            match (of(from.min(to), from.max(to)), is_reversed) {
                ('<', true) => '>',
                ('>', true) => '<',
                (sign, _) => sign,
            }
        };
        let pairs = |to: usize| {
            let cells = (0..size * size)
                .filter(move |cell| if to == 1 { (cell + 1) % size > 0 } else { cell + size < size * size });
            cells.map(move |cell| [cell, cell + to])
        };
        let [right, down] = [1, size].map(|to| pairs(to).map(sign).collect::<String>());
        format!("right={right} down={down}")
    }
}

/// The cells of each cage, in the order of their first cells: connected cells with the same letter.
pub(crate) fn cages(size: usize, letters: &str) -> Vec<Vec<usize>> {
    let letters = letters.as_bytes();
    let mut cages: Vec<Vec<usize>> = Vec::new();
    for cell in 0..letters.len() {
        if cages.iter().any(|cage| cage.contains(&cell)) {
            continue;
        }
        let mut cage = vec![cell];
        let mut at = 0;
        while at < cage.len() {
            let (row, column) = (cage[at] / size, cage[at] % size);
            let beside =
                (0..letters.len()).filter(|&other| (other / size).abs_diff(row) + (other % size).abs_diff(column) == 1);
            let new: Vec<_> =
                beside.filter(|other| letters[*other] == letters[cell] && !cage.contains(other)).collect();
            cage.extend(new);
            at += 1;
        }
        cage.sort_unstable();
        cages.push(cage);
    }
    cages
}

fn names(size: usize, rng: &mut Rng) -> Vec<usize> {
    let mut names: Vec<usize> = (0..size).collect();
    rng.shuffle(&mut names);
    names
}

/// A random order of lines that keeps bands of this height together. For diagonals, opposite lines stay opposite; for windows, the lines of
/// a window stay together.
fn lines(size: usize, height: usize, others: Others, rng: &mut Rng) -> Vec<usize> {
    loop {
        let mut bands: Vec<Vec<usize>> = (0..size).collect::<Vec<_>>().chunks(height).map(<[usize]>::to_vec).collect();
        rng.shuffle(&mut bands);
        for band in &mut bands {
            rng.shuffle(band);
        }
        let order = bands.concat();
        let is_kept = match others {
            Others::None => true,
            Others::Diagonals => (0..size).all(|line| order[line] + order[size - 1 - line] == size - 1),
            Others::Windows => [[1, 2, 3], [5, 6, 7]].iter().all(|window| {
                let from = order[window[0]] / 4;
                window.iter().all(|line| order[*line] / 4 == from && order[*line] % 4 != 0)
            }),
        };
        if is_kept {
            return order;
        }
    }
}

/// Whether the cells with a digit keep a symmetry.
pub(crate) fn keeps(symmetry: Symmetry, size: usize, digits: &[i8]) -> bool {
    let last = size - 1;
    let images = |row: usize, column: usize| match symmetry {
        Symmetry::None => vec![],
        Symmetry::Rotation180 => vec![(last - row, last - column)],
        Symmetry::Rotation90 => vec![(column, last - row)],
        Symmetry::Horizontal => vec![(row, last - column)],
        Symmetry::Vertical => vec![(last - row, column)],
        Symmetry::Diagonal => vec![(column, row)],
        Symmetry::AntiDiagonal => vec![(last - column, last - row)],
        Symmetry::Full => vec![(column, last - row), (column, row)],
    };
    let is_given = |row: usize, column: usize| digits[row * size + column] != 0;
    let mut cells = (0..size * size).map(|cell| (cell / size, cell % size));
    cells.all(|(row, column)| images(row, column).into_iter().all(|(to, at)| is_given(to, at) == is_given(row, column)))
}
