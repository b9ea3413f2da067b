//! Decides what a line is in a file of puzzles: a puzzle, a part of one, or what separates puzzles.

use puzzled_engine::shared::text::TextForm;

use super::{
    paragraph::is_remark,
    spec::Kind,
    texts::{has_word, is_name, puzzle_of, refused, stored_if_foreign},
};

/// What a line is.
#[derive(Debug)]
pub(super) enum Role {
    /// An empty line, or a comment. It ends a puzzle of several lines.
    Separator,
    /// A heading, a remark, or the name of a variant. The next puzzle begins with it.
    Beginning,
    /// A puzzle of its own: its text, or the reason why it cannot be read.
    Puzzle(Result<String, String>),
    /// A line of a puzzle of several lines.
    Part,
}

/// What a line is in a file of the kind. In a table, each line is a puzzle.
pub(super) fn role(kind: Kind, line: &str, is_table: bool) -> Role {
    let trimmed = line.trim();
    if trimmed.is_empty() || trimmed.starts_with('%') {
        return Role::Separator;
    }
    match kind.text_form() {
        TextForm::Line => of_line(kind, line, is_table),
        TextForm::Paragraph => of_paragraph(kind, trimmed),
    }
}

fn of_line(kind: Kind, line: &str, is_table: bool) -> Role {
    let trimmed = line.trim();
    let named = trimmed.split_once(':').filter(|(name, _)| is_name(name));
    if trimmed.starts_with('#') {
        return Role::Separator;
    }
    if is_heading(trimmed) || named.is_some_and(|(_, rest)| rest.is_empty()) {
        return Role::Beginning;
    }
    match puzzle_of(kind, line) {
        Some(puzzle) => Role::Puzzle(puzzle),
        None if is_table || !may_be_row(kind, line) => Role::Puzzle(refused(kind, line)),
        None if named.is_some() => Role::Beginning,
        None => Role::Part,
    }
}

/// What a line is if a text has several lines. A row may begin with `#`, too, but has no words.
fn of_paragraph(kind: Kind, line: &str) -> Role {
    match line.strip_prefix('#').map(str::trim_start) {
        Some(rest) if rest.starts_with("solution") => Role::Part,
        _ if is_remark(line) => Role::Beginning,
        _ if !has_word(line) => Role::Part,
        Some(_) => Role::Separator,
        None => Role::Puzzle(stored_if_foreign(kind, line.to_owned())),
    }
}

/// Whether a line is the heading of a section, such as `[Puzzle]`.
fn is_heading(line: &str) -> bool {
    let word = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    word.is_some_and(|word| !word.is_empty() && word.chars().all(char::is_alphabetic))
}

/// Whether a line may be a row of a drawing: a ruling, pencil marks, or at most as many cells as a row of the largest variant.
fn may_be_row(kind: Kind, line: &str) -> bool {
    let sizes = kind.variants().iter().filter_map(|info| info.name.split(['x', '-']).next()?.parse().ok());
    let longest: usize = sizes.max().unwrap_or_default();
    let is_between = |character: char| character.is_whitespace() || "|│┃║¦,;\"'[]".contains(character);
    let words: Vec<&str> = line.split(is_between).filter(|word| !word.is_empty()).collect();
    let is_ruling = !line.contains(char::is_alphanumeric) && line.contains(['-', '=', '+', '─', '━', '═']);
    let is_mark = |word: &&str| word.len() <= longest && word.bytes().all(|character| matches!(character, b'1'..=b'9'));
    let are_marks = words.len() <= longest && words.iter().all(is_mark);
    let cells: usize = words.iter().map(|word| word.chars().count()).sum();
    !has_word(line) && (is_ruling || are_marks || cells <= longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines::puzzles_of;
    use proptest::{prelude::*, sample::select};
    use puzzled_engine::registry;

    type Found = Vec<Result<String, String>>;

    fn read(kind: Kind, text: &str) -> Found {
        puzzles_of(text.as_bytes(), "test".to_owned(), kind).map(|line| line.unwrap().text).collect()
    }

    /// Lines of known and unknown sizes and variants, in the notations that state a puzzle on one line, and lines without a
    /// puzzle.
    fn lines(kind: Kind) -> Vec<String> {
        let of_no_kind = ["Puzzle 12", "https://tinyurl.com/1", "https://puzz.link/p?kakuro/1/3/", "kakuro/2/2/n4334"];
        let mut lines = of_no_kind.map(str::to_owned).to_vec();
        if kind.text_form() == TextForm::Line {
            let sizes = [5, 7, 9, 11, 13, 15, 17, 20, 25].map(|size: usize| size * size);
            lines.extend(sizes.map(|cells| "1.".repeat(cells / 2) + "."));
            lines.extend(sizes.map(|cells| "4 . ".repeat(cells / 2) + "."));
            let names = ["3x3", "9x9-foo", "13x13"].into_iter().chain(kind.variants().iter().map(|info| info.name));
            lines.extend(names.flat_map(|name| {
                let text = format!("{name}: {} regions=ab sums=1,2", ".".repeat(25));
                [text.clone(), format!("7,easy,{text}"), format!("{text} by hand")]
            }));
            lines.push("[0,0,8,0,0,7,3,0,0,1,2,3,4,5,6,7,8]".to_owned());
        }
        lines
    }

    proptest! {
        #[test]
        fn file_of_lines_has_as_many_answers_as_lines((kind, lines) in select(registry::kinds()).prop_flat_map(|kind| {
            (Just(kind), prop::collection::vec(select(lines(kind)), 1..12))
        })) {
            let alone: Found = lines.iter().flat_map(|line| read(kind, line)).collect();
            prop_assert_eq!(alone.len(), lines.len());
            prop_assert_eq!(&read(kind, &lines.join("\n")), &alone);
            if kind.text_form() == TextForm::Line {
                let table = "puzzle,er\n12,\n".to_owned() + &lines.join("\n12,\n");
                prop_assert_eq!(read(kind, &table).len(), 2 * lines.len());
            }
        }
    }

    #[test]
    fn line_that_cannot_belong_to_a_drawing_separates_puzzles() {
        let sudoku = registry::kind("sudoku").unwrap();
        let four = |first: &str| format!("{first}...\n.2..\n..3.\n...4\n");
        let stored = |text: &str| read(sudoku, text).into_iter().map(Result::unwrap).collect::<Vec<_>>();
        let texts = ["1", "2"].map(|first| format!("4x4: {first}....2....3....4"));
        for between in ["# two\n", "  # two\n", "% two\n", "\n", " \n\n"] {
            assert_eq!(stored(&format!("{}{between}{}", four("1"), four("2"))), texts, "{between}");
        }
        let titles = stored(&format!("Grid 01\n{}Grid 02\n{}", four("1"), four("2")));
        assert_eq!(titles, ["Grid", &texts[0], "Grid", &texts[1]]);
        assert_eq!(stored(&format!("4x4:\n{}4x4:\n{}", four("1"), four("2"))), texts);
        for part in [
            "+-------+-------+",
            ".-----.-----.",
            "=====",
            "123 45 6789|1 2 3|4 5 67",
            "[0,null,8,0,0,7,3,0,0],",
            "..8.|.7 3",
            "..8.w.73.",
        ] {
            assert!(matches!(role(sudoku, part, false), Role::Part), "{part}");
        }
        let fault = read(sudoku, &(four("1") + &four("2")));
        assert_eq!(fault, [Err("2 puzzles without an empty line between them; add one".to_owned())]);
    }
}
