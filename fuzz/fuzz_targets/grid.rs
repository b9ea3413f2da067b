//! Fuzz target: arbitrary text, and boards with arbitrary cells, for each variant whose texts name it. Checks that each text that is
//! read can be written and read again to the same bytes, and that the canonical form is a form of itself.
#![no_main]

use fuzz::{Choices, in_time};
use libfuzzer_sys::fuzz_target;
use puzzled_engine::{
    registry,
    shared::{
        kind::{HintFor, PuzzleKind, View},
        rng::Rng,
        symmetry::Symmetry,
    },
};

fuzz_target!(|data: &[u8]| in_time(|| look(data)));

fn look(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for kind in registry::kinds() {
        check(*kind, "", &text);
        for variant in kind.variants() {
            let Some(size) = variant.name.split('x').next().and_then(|rows| rows.parse::<usize>().ok()) else {
                continue;
            };
            check(*kind, variant.name, &text);
            check(*kind, variant.name, &format!("{}:{text}", variant.name));
            let mut choices = Choices(data);
            let signs = format!(".{}", variant.symbols);
            let cells = (0..size * size).map(|_| char::from(signs.as_bytes()[choices.below(signs.len())]));
            check(*kind, variant.name, &cells.collect::<String>());
        }
    }
}

fn check(kind: &dyn PuzzleKind, variant: &str, text: &str) {
    let Ok(stored) = kind.normalize(variant, text) else { return };
    assert_eq!(kind.normalize(variant, &stored).as_ref(), Ok(&stored), "{text}");
    let named = kind.pattern(variant, &stored).expect("a stored text").variant;
    // The canonical forms of other kinds are no texts.
    if stored.starts_with(&format!("{named}: ")) {
        check_named(kind, &named, &stored);
    }
}

fn check_named(kind: &dyn PuzzleKind, variant: &str, stored: &str) {
    assert_eq!(kind.normalize("", stored).as_deref(), Ok(stored), "the text names its variant");
    let drawing = kind.draw(variant, stored).expect("a stored text");
    let of = HintFor { variant, text: stored, solution: stored };
    let compared = kind.compare(of, stored);
    assert!(compared.is_ok());
    // The lines of a drawing show regions and cages to people alone. A player's board needs no regions. Clues are not read.
    let has_clues = stored.split(' ').any(|part| part.contains('=') && !part.starts_with("regions="));
    assert!(has_clues || kind.compare(of, &drawing) == compared, "{drawing}");
    if !has_clues && !stored.contains(" regions=") {
        assert_eq!(kind.normalize(variant, &drawing).as_deref(), Ok(stored));
    }
    // A board that is nearly empty or nearly full is too symmetric.
    let Ok(form) = kind.canonical(variant, stored) else { return };
    assert_eq!(kind.normalize("", &form).as_ref(), Ok(&form));
    assert_eq!(kind.canonical(variant, &form).as_ref(), Ok(&form));
    let view = View { variant, symmetry: Symmetry::None, text: stored, solution: stored };
    let view = kind.scramble(&view, &mut Rng::from_seed(1)).expect("two stored texts");
    if let Some(view) = view {
        assert_eq!(kind.canonical(variant, &view.text).as_ref(), Ok(&form), "{}", view.text);
    }
}
