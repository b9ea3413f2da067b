//! Maps of a board to itself that keep its rules, written again without the engine: lines move, and digits are renamed.

use puzzled_engine::shared::{rng::Rng, symmetry::Symmetry};

use super::Line;

const SIGNS: &str = "123456789ABCDEFG";

/// The rows and columns of a box of a variant, and whether its diagonals are houses.
pub(crate) fn shape(variant: &str) -> (usize, usize, bool) {
    match variant {
        "4x4" => (2, 2, false),
        "6x6" => (2, 3, false),
        "8x8" => (2, 4, false),
        "9x9" => (3, 3, false),
        "9x9-x" => (3, 3, true),
        _ => panic!("{variant}: state its maps here"),
    }
}

/// Where the content of each cell comes from, and the new name of each digit from 1.
#[derive(Debug)]
pub(crate) struct Map {
    sources: Vec<usize>,
    names: Vec<usize>,
}

impl Map {
    /// A random map of the whole group of a variant.
    pub(crate) fn random(line: &Line, rng: &mut Rng) -> Self {
        if line.has_stars() {
            return Self::turn(line.size(), rng.below(8));
        }
        let (height, width, has_diagonals) = shape(line.variant());
        if line.has_cages() {
            let turn = Self::turn(line.size(), rng.below(if height == width { 8 } else { 4 }));
            return if rng.below(2) == 1 { turn.complemented(line.size()) } else { turn };
        }
        let size = height * width;
        let rows = lines(size, height, has_diagonals, rng);
        let columns = match (has_diagonals, rng.below(2)) {
            (false, _) => lines(size, width, false, rng),
            (true, 0) => rows.clone(),
            (true, _) => rows.iter().map(|line| size - 1 - line).collect(),
        };
        let is_transposed = height == width && rng.below(2) == 1;
        let source = |cell: usize| {
            let (row, column) = (rows[cell / size], columns[cell % size]);
            if is_transposed { column * size + row } else { row * size + column }
        };
        Self { sources: (0..size * size).map(source).collect(), names: names(size, rng) }
    }

    /// A random map of the group whose copies share a canonical form: on boards of 4x4, no cell moves.
    pub(crate) fn of_form(line: &Line, rng: &mut Rng) -> Self {
        if line.variant() == "4x4" {
            Self { sources: (0..16).collect(), names: names(4, rng) }
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
        Self { sources: (0..size * size).map(source).collect(), names: (0..SIGNS.len()).collect() }
    }

    /// The map that also turns each digit d into n + 1 − d.
    fn complemented(self, size: usize) -> Self {
        Self { names: (0..size).rev().chain(size..SIGNS.len()).collect(), ..self }
    }

    /// The letters of cages, and their sums in the order in which the cages now begin.
    fn cages(&self, size: usize, letters: &str, sums: &str) -> String {
        let (cages, sums): (_, Vec<usize>) =
            (cages(size, letters), sums.split(',').map(|sum| sum.parse().unwrap()).collect());
        let of_cell = |cell: usize| cages.iter().position(|cage| cage.contains(&cell)).unwrap();
        let mut order: Vec<usize> = Vec::new();
        for cage in self.sources.iter().map(|&source| of_cell(source)) {
            if !order.contains(&cage) {
                order.push(cage);
            }
        }
        let sum =
            |cage: usize| if self.names[0] == 0 { sums[cage] } else { (size + 1) * cages[cage].len() - sums[cage] };
        let sums: Vec<_> = order.into_iter().map(|cage| sum(cage).to_string()).collect();
        let letters: Vec<char> = letters.chars().collect();
        let moved: String = self.sources.iter().map(|&source| letters[source]).collect();
        format!("{moved} sums={}", sums.join(","))
    }

    /// The copy of a text in its stored form. Regions and cages move along and keep their letters, which may be out of order then.
    pub(crate) fn apply(&self, text: &str) -> String {
        let (name, parts) = text.split_once(": ").unwrap();
        let renamed =
            |sign: char| SIGNS.find(sign).map_or(sign, |digit| char::from(SIGNS.as_bytes()[self.names[digit]]));
        let moved = |cells: &str| {
            let cells: Vec<char> = cells.chars().collect();
            self.sources.iter().map(|&source| cells[source]).collect::<String>()
        };
        if let Some((cells, clues)) = parts.split_once(" cages=") {
            let (letters, sums) = clues.split_once(" sums=").unwrap();
            let (cells, cages) = (moved(cells), self.cages(cells.len().isqrt(), letters, sums));
            return format!("{name}: {} cages={cages}", cells.chars().map(renamed).collect::<String>());
        }
        match parts.split_once(" regions=") {
            None => format!("{name}: {}", moved(parts).chars().map(renamed).collect::<String>()),
            Some((cells, letters)) => format!("{name}: {} regions={}", moved(cells), moved(letters)),
        }
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

/// A random order of lines that keeps bands of this height together. If `is_mirrored`, opposite lines stay opposite.
fn lines(size: usize, height: usize, is_mirrored: bool, rng: &mut Rng) -> Vec<usize> {
    loop {
        let mut bands: Vec<Vec<usize>> = (0..size).collect::<Vec<_>>().chunks(height).map(<[usize]>::to_vec).collect();
        rng.shuffle(&mut bands);
        for band in &mut bands {
            rng.shuffle(band);
        }
        let order = bands.concat();
        if !is_mirrored || (0..size).all(|line| order[line] + order[size - 1 - line] == size - 1) {
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
