//! Prints sheets with the real binary and reads them by poppler: pages, fonts, texts, and margins, and the darkness of printed
//! pages. Without poppler, the tests are reported as ignored, which only shows at run time.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use libtest_mimic::{Failed, Trial};
use tempfile::{TempDir, tempdir};

/// The least margin in points: half an inch.
const MARGIN_MIN: f32 = 36.0;

/// The height of the box of a word, in sizes of the font Helvetica.
const FONT_HEIGHT: f32 = 0.925;

/// The sizes of paper in points.
const A4: (f32, f32) = (595.28, 841.89);
const LETTER: (f32, f32) = (612.0, 792.0);

pub(crate) fn trials() -> Vec<Trial> {
    let has_poppler = ["pdffonts", "pdfinfo", "pdftotext", "pdftoppm"]
        .iter()
        .all(|program| Command::new(program).arg("-v").output().is_ok_and(|ran| ran.status.success()));
    let trials = [
        Trial::test("sheet_has_its_title_rules_captions_and_solutions", words_of_a_sheet),
        Trial::test("boards_are_those_that_generate_makes_and_solves", boards),
        Trial::test("picture_of_a_puzzle_fills_its_page", picture),
        Trial::test("fonts_are_the_standard_ones_of_every_reader", fonts),
        Trial::test("no_text_is_within_half_an_inch_of_the_edge", margins),
        Trial::test("digits_of_large_print_have_at_least_16_points", large_print),
        Trial::test("nothing_is_drawn_within_half_an_inch_of_the_edge", drawn_margins),
    ];
    trials.into_iter().map(|trial| trial.with_ignored_flag(!has_poppler)).collect()
}

/// A sheet, and the temporary folder that contains it.
struct Sheet {
    folder: TempDir,
    file: PathBuf,
}

/// A word on a page, in points from the upper left corner.
struct Word {
    text: String,
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Sheet {
    /// Prints a sheet with these arguments.
    fn print(args: &[&str]) -> Result<Self, Failed> {
        let folder = tempdir()?;
        let file = folder.path().join("sheet.pdf");
        let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
        command.env_clear().args(["sheet", "--seed", "7", "--level", "easy", "--output"]).arg(&file).args(args);
        run(&mut command)?;
        Ok(Self { folder, file })
    }

    /// The words of each page.
    fn words(&self) -> Result<Vec<Vec<Word>>, Failed> {
        words(&self.file)
    }
}

/// The words of each page of a file.
fn words(file: &Path) -> Result<Vec<Vec<Word>>, Failed> {
    let text = run(Command::new("pdftotext").arg("-bbox").arg(file).arg("-"))?;
    let number = |line: &str, name: &str| -> f32 {
        line.split_once(&format!("{name}=\"")).unwrap().1.split_once('"').unwrap().0.parse().unwrap()
    };
    let word = |line: &str| Word {
        text: line.split_once('>').unwrap().1.split_once('<').unwrap().0.to_owned(),
        left: number(line, "xMin"),
        top: number(line, "yMin"),
        right: number(line, "xMax"),
        bottom: number(line, "yMax"),
    };
    let pages = text.split("<page ").skip(1);
    Ok(pages.map(|page| page.lines().filter(|line| line.contains("<word ")).map(word).collect()).collect())
}

/// The words in the order in which a text is read. All words of a line have one baseline.
fn in_order(words: &[Word]) -> String {
    let mut placed: Vec<_> = words.iter().map(|word| ((word.bottom.round(), word.left), word)).collect();
    placed.sort_by(|(one, _), (other, _)| one.partial_cmp(other).unwrap());
    placed.into_iter().map(|(_, word)| word.text.as_str()).collect()
}

fn run(command: &mut Command) -> Result<String, Failed> {
    let ran = command.output()?;
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    if ran.status.success() { Ok(out) } else { Err(format!("{command:?}: {out}{err}").into()) }
}

fn assert(holds: bool, fault: impl std::fmt::Display) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(fault.to_string().into()) }
}

fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn words_of_a_sheet() -> Result<(), Failed> {
    let pages = Sheet::print(&["--count", "6", "--sort", "made", "--title", "Café – puzzles"])?.words()?;
    let texts: Vec<_> = pages.iter().map(|words| joined(words)).collect();
    assert(texts.len() == 3, format!("{} pages", texts.len()))?;
    for (page, words) in [
        (0, "Café – puzzles"),
        (0, "each row, column, and box"),
        (0, "Easy 1."),
        (0, " min"),
        (0, "seed 7, index 0"),
        (0, "1 / 3"),
        (1, "Café – puzzles"),
        (1, "seed 7, index 5"),
        (1, "2 / 3"),
        (2, "Solutions"),
        (2, "3 / 3"),
    ] {
        assert(texts[page].contains(words), format!("page {}: no {words:?} in {}", page + 1, texts[page]))?;
    }
    assert(!texts[1].contains("each row"), "the rules are on the first page only")?;
    // Six boards of 81 digits, and their numbers.
    let digits = pages[2].iter().filter(|word| word.text.len() == 1 && word.text != "/").count();
    assert(digits >= 6 * 81 + 6, format!("{digits} digits"))
}

fn boards() -> Result<(), Failed> {
    let sheet = Sheet::print(&["--count", "3", "--per-page", "1", "--title", "x"])?.words()?;
    let mut generate = Command::new(env!("CARGO_BIN_EXE_puzzled"));
    let args = "generate --count 3 --seed 7 --level easy --format json --sort effort";
    let made = run(generate.env_clear().args(args.split(' ')))?;
    for (index, line) in made.lines().enumerate() {
        let of =
            |name: &str| line.split(&format!("\"{name}\":\"")).nth(1).unwrap().split('"').next().unwrap().to_owned();
        let givens = of("text").replace('.', "");
        assert(in_order(&sheet[index]).contains(&givens), format!("page {}: no {givens}", index + 1))?;
        // The three boards of the last page are side by side, so their rows alternate.
        let solution = of("solution");
        let rows = in_order(&sheet[3]);
        let is_there = (0..9).all(|row| rows.contains(&solution[9 * row..9 * row + 9]));
        assert(is_there, format!("no {solution} in {rows}"))?;
    }
    Ok(())
}

fn picture() -> Result<(), Failed> {
    let folder = tempdir()?;
    let file = folder.path().join("picture.pdf");
    let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
    run(command.env_clear().args(["picture", puzzle, "--output"]).arg(&file))?;
    let pages = words(&file)?;
    assert(pages.len() == 1 && in_order(&pages[0]) == puzzle.replace('.', ""), in_order(&pages[0]))?;
    let about = run(Command::new("pdfinfo").arg(&file))?;
    assert(about.contains("334.8 x 334.8 pts") && about.contains("Sudoku 9x9"), about)
}

fn fonts() -> Result<(), Failed> {
    let sheet = Sheet::print(&["--count", "1"])?;
    let shown = run(Command::new("pdffonts").arg(&sheet.file))?;
    let names: Vec<_> = shown.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
    assert(names == ["Helvetica", "Helvetica-Bold"], shown)
}

/// Sheets of each look, with the size of their paper.
fn looks() -> Vec<(Vec<&'static str>, (f32, f32))> {
    let mut looks = vec![
        (vec!["--count", "2", "--large-print", "--paper", "letter"], LETTER),
        (vec!["--count", "2", "--kind", "kakuro"], A4),
        (vec!["--count", "1", "--kind", "kakuro", "--large-print"], A4),
    ];
    for per_page in ["1", "2", "4", "6"] {
        looks.push((vec!["--count", "6", "--per-page", per_page], A4));
        looks.push((vec!["--count", "6", "--per-page", per_page, "--paper", "letter"], LETTER));
    }
    looks
}

fn margins() -> Result<(), Failed> {
    let title = "Wide titles of a hundred characters break into lines, and none of them leaves the margins of a page";
    for (args, (width, height)) in looks() {
        let pages = Sheet::print(&[&args[..], &["--title", title]].concat())?.words()?;
        for word in pages.iter().flatten() {
            let is_within = word.left >= MARGIN_MIN
                && word.top >= MARGIN_MIN
                && word.right <= width - MARGIN_MIN
                && word.bottom <= height - MARGIN_MIN;
            assert(is_within, format!("{args:?}: {:?} at {}, {}", word.text, word.left, word.top))?;
        }
    }
    Ok(())
}

fn large_print() -> Result<(), Failed> {
    // The size of the smallest digit of a board.
    let smallest = |args: &[&str]| -> Result<f32, Failed> {
        let mut size = f32::INFINITY;
        for words in Sheet::print(args)?.words()? {
            for (before, word) in words.iter().zip(&words[1..]) {
                // Single digits besides those of boards are in the captions and in the number of the page.
                let is_of_board = word.text.len() == 1 && !["index", "/"].contains(&before.text.as_str());
                if is_of_board && word.top < 700.0 {
                    size = size.min((word.bottom - word.top) / FONT_HEIGHT);
                }
            }
        }
        Ok(size)
    };
    let (large, usual) =
        (smallest(&["--count", "4", "--large-print"])?, smallest(&["--count", "6", "--per-page", "6"])?);
    assert((15.99..20.0).contains(&large) && (6.0..15.0).contains(&usual), format!("large {large}, usual {usual}"))
}

fn drawn_margins() -> Result<(), Failed> {
    for (args, _) in looks() {
        let sheet = Sheet::print(&args)?;
        let prefix = sheet.folder.path().join("page");
        run(Command::new("pdftoppm").args(["-r", "72", "-gray"]).arg(&sheet.file).arg(&prefix))?;
        let mut pages = 0;
        for entry in fs::read_dir(sheet.folder.path())? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "pgm") {
                let dark = darkness(&path)?;
                assert((0.005..0.5).contains(&dark), format!("{args:?}: {dark} of the page is dark"))?;
                pages += 1;
            }
        }
        assert(pages > 0, format!("{args:?}: no pages"))?;
    }
    Ok(())
}

/// The share of dark dots of a page, whose margins must be white. One dot is a point.
fn darkness(path: &Path) -> Result<f64, Failed> {
    let bytes = fs::read(path)?;
    let mut head = bytes.splitn(4, u8::is_ascii_whitespace);
    let mut next = || head.next().map(|part| String::from_utf8_lossy(part).into_owned()).unwrap_or_default();
    let (magic, width, height): (String, usize, usize) = (next(), next().parse()?, next().parse()?);
    let dots = bytes.get(bytes.len() - width * height..).filter(|_| magic == "P5").ok_or("no gray picture")?;
    let is_edge = |at: usize| {
        let (column, row) = (at % width, at / width);
        column < 35 || row < 35 || column >= width - 35 || row >= height - 35
    };
    let faulty = dots.iter().enumerate().find(|(at, dot)| is_edge(*at) && **dot < 200);
    assert(faulty.is_none(), format!("{}: a dark dot in the margin: {faulty:?}", path.display()))?;
    let dark = dots.iter().filter(|dot| **dot < 128).count();
    Ok(f64::from(u32::try_from(dark)?) / f64::from(u32::try_from(dots.len())?))
}
