//! What is written is read again to the same bytes, and other notations of the cells mean the same puzzle.

use super::{each, making::sudoku};

#[test]
fn what_is_written_is_read_again() {
    each("texts", |line| {
        let (kind, variant) = (line.kind, line.variant());
        for text in [&line.text, &line.solution] {
            for asked in ["", variant] {
                assert_eq!(kind.normalize(asked, text).as_ref(), Ok(text));
            }
            let drawing = kind.draw(variant, text).unwrap();
            if line.has_regions() {
                // Its lines are not read, but a player's board needs none.
                assert_eq!(kind.compare(line.of(), &drawing), kind.compare(line.of(), text));
            } else if line.has_signs() {
                let signs = drawing.chars().filter(|sign| "<>^v=x".contains(*sign)).count();
                assert_eq!(signs, text.chars().filter(|sign| "<>=x".contains(*sign)).count() - 3, "{drawing}");
                assert!(kind.normalize(variant, &drawing).is_err(), "its signs are not read");
            } else {
                assert_eq!(kind.normalize(variant, &drawing).as_ref(), Ok(text));
            }
            assert_eq!(kind.cells(text).concat(), text.split(' ').nth(1).unwrap());
        }
        let links = kind.links(variant, &line.text).unwrap().into_iter().map(|link| link.url);
        let forms =
            kind.file_forms(variant).iter().map(|form| kind.write_as(*form, variant, &line.text).unwrap().unwrap());
        for written in links.chain(forms) {
            assert_eq!(kind.normalize("", &written).as_ref(), Ok(&line.text));
        }
        1
    });
}

#[test]
fn cells_may_be_in_words_or_lines_with_0_for_an_empty_cell() {
    each("notations", |line| {
        let (kind, size) = (line.kind, line.size());
        let (name, cells) = line.text.split_once(": ").unwrap();
        let (cells, rest) = cells.split_at(size * size);
        let rows: Vec<&str> = (0..size).map(|row| &cells[row * size..(row + 1) * size]).collect();
        // 0 is an empty cell, unless it is a digit.
        let empty = if line.has_halves() { "_" } else { "0" };
        for cells in [cells.replace('.', empty), rows.join("\n"), rows.join(" "), cells.to_lowercase()] {
            for text in [format!("{name}:{cells}{rest}"), format!("\u{feff} {name}: {cells}{rest}\n")] {
                assert_eq!(kind.normalize("", &text).as_ref(), Ok(&line.text), "{text}");
            }
            assert_eq!(kind.normalize(name, &format!("{cells}{rest}")).as_ref(), Ok(&line.text), "{cells}");
        }
        1
    });
}

#[test]
fn lines_separate_the_boxes_of_a_drawing() {
    assert_eq!(
        sudoku().draw("", "6x6: 1....6..............3.......5......4").unwrap(),
        "\
+-------+-------+
| 1 . . | . . 6 |
| . . . | . . . |
+-------+-------+
| . . . | . . . |
| . . 3 | . . . |
+-------+-------+
| . . . | . 5 . |
| . . . | . . 4 |
+-------+-------+
",
    );
}
