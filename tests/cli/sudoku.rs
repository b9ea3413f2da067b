//! Sudoku of other variants than `9x9` through the real binary: puzzles that it makes, files that it reads, columns of the CSV format,
//! pictures, and sheets.

use crate::prelude::*;

const SIX: &str = "6x6: 4.32..5........4.6....2.....1...43..";
const NINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[test]
fn made_puzzles_of_each_variant_are_read_again_from_every_format() {
    for (variant, level) in [
        ("4x4", "easy"),
        ("6x6", "medium"),
        ("8x8", "hard"),
        ("9x9-x", "evil"),
        ("9x9-windoku", "hard"),
        ("10x10", "evil"),
        ("12x12", "expert"),
        ("16x16", "medium"),
    ] {
        let command = format!("generate --variant {variant} --level {level} --count 3 --seed 7 --format");
        for format in ["text", "csv", "json"] {
            let made = run(&format!("{command} {format}"));
            assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
            let rated = run_with_input("rate", &made.out);
            assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""), "{}", made.out);
            let is_rated =
                |line: &str| line.starts_with(&format!("{variant}: ")) && line.contains(&format!("  {level}  "));
            assert!(rated.out.lines().count() == 3 && rated.out.lines().all(is_rated), "{}", rated.out);
            let again = run_with_input("rate", &rated.out);
            assert_eq!(again.out, rated.out, "what `rate` writes is read again");
        }
    }
}

#[test]
fn addresses_of_f_puzzles_name_the_variant_when_they_are_read_again() {
    for variant in ["9x9-x", "9x9-windoku"] {
        let command = format!("generate --variant {variant} --level easy --count 2 --seed 7");
        let [texts, addresses] = ["text", "fpuzzles"].map(|format| run(&format!("{command} --format {format}")));
        assert_eq!(addresses.out.matches("https://f-puzzles.com/?load=").count(), 2, "{}", addresses.err);
        assert_eq!(run_with_input("rate", &addresses.out).out, run_with_input("rate", &texts.out).out);
    }
}

#[test]
fn line_of_cells_alone_is_of_the_variant_of_its_size() {
    for variant in ["10x10", "12x12", "16x16"] {
        let text = run(&format!("generate --variant {variant} --level easy --count 1 --seed 7")).out;
        let cells = text.split_once(": ").unwrap().1;
        assert_eq!(run_with_input("rate", cells).out, run_with_input("rate", &text).out);
    }
}

#[test]
fn csv_has_the_columns_of_all_variants_whatever_the_first_line_is() {
    let head = "puzzle,er,ep,ed,technique,level,hodoku_score,hodoku_level,predicted_seconds,rating,rounds";
    let six = format!("{SIX},,,,XY-Wing,hard,,,,4.2,0");
    for (flags, input) in [
        ("", format!("{SIX}\n{NINE}\n")),
        (" --variant 6x6", format!("{SIX}\n")),
        ("", format!("{NINE}\n{SIX}\n")),
        ("", format!("12\n\n{SIX}\n")),
    ] {
        let rated = run_with_input(&format!("rate --format csv{flags}"), &input).out;
        let rows: Vec<_> = rated.lines().collect();
        assert!(rows[0] == head && rows.contains(&six.as_str()), "{rated}");
        let nine = rows.iter().find(|row| row.starts_with(NINE));
        assert!(
            nine.is_none_or(|row| row.starts_with(&format!("{NINE},1.2,1.2,1.2,")) && row.ends_with(",1.2,")),
            "{rated}"
        );
    }
}

#[test]
fn text_is_found_in_a_field_of_a_table_and_before_remarks() {
    let input = format!("id;variant;text\n7;6x6;{SIX}\n8,\"easy\",\"{SIX}\"\n{SIX} # by hand\n");
    let rated = run_with_input("rate", &input);
    assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""));
    assert_eq!(rated.out, format!("{SIX}  4.2  hard  XY-Wing\n").repeat(3));
}

#[test]
fn picture_and_sheet_show_the_variant() {
    let folder = tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let empty = |variant: &'static str, cells| (format!("{variant}: {}", ".".repeat(cells)), variant);
    for (text, variant) in [(SIX.to_owned(), "6x6"), empty("9x9-x", 81), empty("9x9-windoku", 81), empty("16x16", 256)]
    {
        let svg = file(&format!("{variant}.svg"));
        let drawn = puzzled("picture").args([&text, "--candidates", "--output", &svg]).output().unwrap();
        assert!(drawn.status.success(), "{drawn:?}");
        assert!(fs::read_to_string(&svg).unwrap().contains(&format!(">Sudoku {variant}<")));
    }
    let pdf = file("sheet.pdf");
    let sheet = run(&format!("sheet --variant 9x9-x --level easy --count 2 --seed 7 --output {pdf}"));
    assert_eq!((sheet.code, fs::read(&pdf).unwrap().starts_with(b"%PDF-")), (Some(0), true), "{}", sheet.err);
}

#[test]
fn format_that_a_variant_lacks_is_refused_before_any_work() {
    let refused = run("generate --variant 6x6 --format sdm");
    let fault = "error: --format: sudoku 6x6 has no sdm; it has text, json, csv\n";
    assert_eq!((refused.code, refused.err.as_str()), (Some(1), fault));
}
