//! Star battle through the real binary: puzzles that it makes and reads again, pictures, and sheets.

use crate::prelude::*;

#[test]
fn made_star_battles_are_read_again_drawn_and_printed() {
    for kind in ["star-battle", "star_battle"] {
        for format in ["text", "csv", "json"] {
            let made = run(&format!(
                "generate --kind {kind} --variant 6x6 --level medium --count 3 --seed 7 --format {format}"
            ));
            assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
            let rated = run_with_input(&format!("rate --kind {kind}"), &made.out);
            assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""), "{}", made.out);
            let is_rated = |line: &str| line.starts_with("6x6: .") && line.contains("  medium  Exclusion");
            assert!(rated.out.lines().count() == 3 && rated.out.lines().all(is_rated), "{}", rated.out);
        }
    }
    let folder = tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let text = format!("6x6: {} regions=aabbbcabbbccaaddccaaadccaefccceeffcc", ".".repeat(36));
    let svg = file("stars.svg");
    let drawn =
        puzzled("picture").args([&text, "--kind", "star-battle", "--solution", "--output", &svg]).output().unwrap();
    assert!(drawn.status.success(), "{drawn:?}");
    assert!(fs::read_to_string(&svg).unwrap().contains(">Star battle 6x6, solution<"));
    let pdf = file("sheet.pdf");
    let sheet = run(&format!("sheet --kind star-battle --level easy --count 2 --seed 7 --output {pdf}"));
    assert_eq!((sheet.code, fs::read(&pdf).unwrap().starts_with(b"%PDF-")), (Some(0), true), "{}", sheet.err);
}
