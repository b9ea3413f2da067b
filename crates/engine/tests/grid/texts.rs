//! What is written is read again to the same bytes, and other notations of the cells mean the same puzzle. The cases of each kind are in
//! `texts.toml` of its folder.

use std::collections::HashSet;

use puzzled_engine::shared::{kind::View, rng::Rng, symmetry::Symmetry};
use serde::Deserialize;

use super::{LINES, Line, cases::kinds::cases, each};

/// The file of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    #[serde(default)]
    read: Vec<Read>,
    #[serde(default)]
    drawn: Vec<Drawn>,
    #[serde(default)]
    views: Vec<Views>,
}

/// A text that is not in its stored form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    text: String,
    stored: String,
}

/// A puzzle with its drawing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawn {
    text: String,
    drawing: String,
}

/// The number of views that the shape of a variant allows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Views {
    variant: String,
    count: usize,
    /// Views also rename the digits. The names are not counted.
    #[serde(default)]
    renames: bool,
}

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
            } else if line.has_sightlines() {
                let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
                assert_eq!(digits(&drawing), digits(text) - 2, "{drawing}");
                assert!(kind.normalize(variant, &drawing).is_err(), "its clues are not read");
            } else if !line.has_cages() && !line.has_operators() {
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
fn texts_of_each_kind_are_read_and_drawn() {
    for (kind, texts) in cases::<Texts>("texts.toml") {
        for Read { text, stored } in texts.read {
            for text in [&text, &stored] {
                assert_eq!(kind.normalize("", text).as_ref(), Ok(&stored), "{} {text}", kind.name());
            }
        }
        for Drawn { text, drawing } in texts.drawn {
            assert_eq!(kind.draw("", &text), Ok(drawing), "{text}");
        }
    }
}

/// The empty cell, the clues, or the regions of a board show which view it is.
#[test]
fn variants_have_as_many_views_as_their_shape_allows() {
    let mut rng = Rng::from_seed(4);
    for (kind, texts) in cases::<Texts>("texts.toml") {
        assert_eq!(texts.views.is_empty(), !kind.has_views(kind.default_variant()), "{}", kind.name());
        for Views { variant, count, renames } in texts.views {
            let is_of = |line: &&Line| (line.kind.name(), line.variant()) == (kind.name(), &*variant);
            let line = LINES.iter().find(is_of).unwrap();
            let at = line.solution.find(": ").unwrap() + 3;
            let mut texts = vec![format!("{}.{}", &line.solution[..at], &line.solution[at + 1..])];
            // The pattern of givens may be symmetric, so a puzzle shows its view only if the digits keep their names.
            texts.extend((!renames).then(|| line.text.clone()));
            for text in texts {
                let of = View { variant: &variant, symmetry: Symmetry::None, text: &text, solution: &line.solution };
                let mut view = || {
                    let view = kind.scramble(&of, &mut rng).unwrap().unwrap().text;
                    let is_digit = |sign: char| sign.is_ascii_digit() || sign.is_ascii_uppercase();
                    if renames { view.replace(is_digit, "#") } else { view }
                };
                let views: HashSet<_> = (0..200).map(|_| view()).collect();
                assert_eq!(views.len(), count, "{} {variant} {text}", kind.name());
            }
        }
    }
}
