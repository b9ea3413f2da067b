//! What jigsaws alone have: the shapes of their regions, levels as in Sudoku, and techniques that are named after regions.

use puzzled_engine::{registry, shared::kind::PuzzleKind};

use super::{LINES, Line, making::sudoku, stars::each_of};

fn jigsaw() -> &'static dyn PuzzleKind {
    registry::kind("jigsaw").unwrap()
}

fn is_jigsaw(line: &Line) -> bool {
    line.kind.name() == "jigsaw"
}

#[test]
fn regions_of_made_puzzles_have_a_block_and_are_no_rectangles() {
    each_of(is_jigsaw, "shapes", |line, size, _| {
        for region in line.kind.regions(line.variant(), &line.text).unwrap() {
            let cells: Vec<usize> = region.cells.into_iter().map(usize::from).collect();
            let is_block = |cell: usize| {
                !(cell + 1).is_multiple_of(size) && [1, size, size + 1].iter().all(|to| cells.contains(&(cell + to)))
            };
            assert!(cells.len() == size && cells.iter().any(|cell| is_block(*cell)), "{}", line.text);
            let span = |line: fn(usize, usize) -> usize| {
                let lines = cells.iter().map(|cell| line(*cell, size));
                lines.clone().max().unwrap() - lines.min().unwrap() + 1
            };
            assert!(span(|cell, size| cell / size) * span(|cell, size| cell % size) > size, "{}", line.text);
        }
    });
}

#[test]
fn levels_are_those_of_sudoku_and_no_technique_is_named_after_boxes() {
    for (variant, other) in [("6x6", "6x6"), ("7x7", "8x8"), ("8x8", "8x8"), ("9x9", "8x8")] {
        let [info, other] = [jigsaw().variant(variant).unwrap(), sudoku().variant(other).unwrap()];
        let borders = |info: &puzzled_engine::shared::variant::VariantInfo| -> Vec<_> {
            info.levels.iter().map(|border| (border.level, border.min, border.max)).collect()
        };
        assert_eq!(borders(info), borders(other), "{variant}");
        let names = |kind: &str| info.techniques.iter().filter(|technique| technique.name.ends_with(kind)).count();
        assert_eq!((info.techniques.len(), names("Box"), names("Region")), (22, 0, 1));
    }
}

#[test]
fn puzzle_of_f_puzzles_with_regions_is_a_jigsaw() {
    for info in jigsaw().variants() {
        let line = LINES.iter().find(|line| is_jigsaw(line) && line.variant() == info.name).unwrap();
        let letters = line.text.split_once(" regions=").unwrap().1.bytes();
        let cell = |(digit, letter): (u8, u8)| match (digit, letter - b'a') {
            (0, region) => format!("{{\"region\":{region}}}"),
            (digit, region) => format!("{{\"value\":{digit},\"given\":true,\"region\":{region}}}"),
        };
        let cells: Vec<_> = line.digits(&line.text).into_iter().zip(letters).map(cell).collect();
        let rows: Vec<_> = cells.chunks(line.size()).map(|row| format!("[{}]", row.join(","))).collect();
        let json = format!("{{\"size\":{},\"grid\":[{}],\"author\":\"x\"}}", line.size(), rows.join(","));
        let packed = lz_str::compress_to_base64(&json).replace('+', "%2B").replace('/', "%2F");
        let address = format!("https://f-puzzles.com/?load={packed}");
        assert_eq!(jigsaw().normalize("", &address).as_ref(), Ok(&line.text));
        let refused = sudoku().normalize("", &address).unwrap_err().to_string();
        assert!(refused.contains("use the kind jigsaw"), "{refused}");
    }
}
