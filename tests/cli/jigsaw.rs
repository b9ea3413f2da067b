//! Jigsaws through the real binary: puzzles that it makes and reads again, pictures, and sheets.

use crate::prelude::*;

#[test]
fn made_jigsaws_are_read_again_drawn_and_printed() {
    for format in ["text", "csv", "json"] {
        let made =
            run(&format!("generate --kind jigsaw --variant 6x6 --level easy --count 3 --seed 7 --format {format}"));
        assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
        let rated = run_with_input("rate --kind jigsaw", &made.out);
        assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""), "{}", made.out);
        let is_rated = |line: &str| line.starts_with("6x6: ") && line.contains("  easy  Hidden Single in ");
        assert!(rated.out.lines().count() == 3 && rated.out.lines().all(is_rated), "{}", rated.out);
    }
    let folder = tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let made = run("generate --kind jigsaw --variant 7x7 --level medium --count 1 --seed 7");
    let svg = file("jigsaw.svg");
    let drawn = puzzled("picture")
        .args([made.out.trim(), "--kind", "jigsaw", "--solution", "--output", &svg])
        .output()
        .unwrap();
    assert!(drawn.status.success(), "{drawn:?}");
    assert!(fs::read_to_string(&svg).unwrap().contains(">Jigsaw 7x7, solution<"));
    let pdf = file("sheet.pdf");
    let sheet = run(&format!("sheet --kind jigsaw --level easy --count 2 --seed 7 --output {pdf}"));
    assert_eq!((sheet.code, fs::read(&pdf).unwrap().starts_with(b"%PDF-")), (Some(0), true), "{}", sheet.err);
}
