//! Futoshiki through the real binary: puzzles that it makes and reads again, pictures, and sheets.

use crate::prelude::*;

#[test]
fn made_futoshiki_are_read_again_drawn_and_printed() {
    for format in ["text", "csv", "json"] {
        let made = run(&format!(
            "generate --kind futoshiki --variant 5x5 --level medium --count 3 --seed 7 --format {format}"
        ));
        assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
        let rated = run_with_input("rate --kind futoshiki", &made.out);
        assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""), "{}", made.out);
        let is_rated = |line: &str| line.starts_with("5x5: ") && line.contains("  medium  Sign");
        assert!(rated.out.lines().count() == 3 && rated.out.lines().all(is_rated), "{}", rated.out);
    }
    let folder = tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let made = run("generate --kind futoshiki --variant 4x4 --level easy --count 1 --seed 7");
    let svg = file("futoshiki.svg");
    let drawn = puzzled("picture")
        .args([made.out.trim(), "--kind", "futoshiki", "--solution", "--output", &svg])
        .output()
        .unwrap();
    assert!(drawn.status.success(), "{drawn:?}");
    assert!(fs::read_to_string(&svg).unwrap().contains(">Futoshiki 4x4, solution<"));
    let pdf = file("sheet.pdf");
    let sheet = run(&format!("sheet --kind futoshiki --level easy --count 2 --seed 7 --output {pdf}"));
    assert_eq!((sheet.code, fs::read(&pdf).unwrap().starts_with(b"%PDF-")), (Some(0), true), "{}", sheet.err);
}
