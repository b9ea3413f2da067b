//! What no version may change: the canonical forms of puzzles. `docs/compatibility.md` has the whole list.

use puzzled_engine::{kakuro::Kakuro, shared::kind::PuzzleKind as _};

/// Each line of `tests/golden/kakuro_canonical.txt` has a variant, a text with `/` between the rows, and its canonical form. The
/// form of a solution is that of its puzzle.
#[test]
fn canonical_forms_never_change() {
    let golden = include_str!("../golden/kakuro_canonical.txt");
    assert!(golden.lines().count() >= 9);
    for line in golden.lines() {
        let [variant, text, form] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let text = text.replace('/', "\n");
        let forms = [Kakuro.canonical(variant, &text), Kakuro.solved(variant, &text, "")];
        assert_eq!(forms, [Ok(form.to_owned()), Ok(form.to_owned())], "frozen, see docs/compatibility.md");
    }
}
