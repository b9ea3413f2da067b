//! `puzzled import` against a real server: texts, JSON lines, repeats, dry runs, refusals, and a copy of a stock.

use crate::{ops::ask_lines, prelude::*};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// A complete grid of another puzzle.
const GRID: &str = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// The lines of a table, with one space between words.
fn squeezed(table: &str) -> String {
    table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[tokio::test]
async fn file_is_imported_with_a_table_of_reasons_and_a_repeat_finds_it() {
    let (_server, _channel, address) = start("--workers 0").await;
    let folder = tempdir().unwrap();
    let file = folder.path().join("book.txt");
    fs::write(&file, format!("# a book\n{PUZZLE} 1.2\n\n{PUZZLE}\n123\n.{}\n", &GRID[1..])).unwrap();
    let (place, import) = (file.display(), format!("import {} --source", file.display()));
    let table = |stored: &str, before: &str| {
        let outside = "OUTSIDE THE STYLE PUZZLES FOUND BY\nsudoku 9x9 easy 1 --givens 80";
        format!("RESULT RECORDS\n{stored}\n{before}\nKNOWN 1\nUNREADABLE 1\n\n{outside}\n")
    };
    let dry = ended(&address, &format!("{import} Ada --dry-run"), 2).await;
    assert_eq!(squeezed(&dry.out), table("would be stored 2", "stored before 0"));
    let remarks = format!(
        "line 4 of {place}: KNOWN: line 2\nline 5 of {place}: UNREADABLE: 3 cells; the puzzle must have exactly 81\n"
    );
    assert_eq!(dry.err, remarks);
    let done = ended(&address, &format!("{import} Ada"), 2).await;
    assert_eq!(squeezed(&done.out), table("stored 2", "stored before 0"));
    assert!(done.err.starts_with(&format!("line 4 of {place}: KNOWN: puzzle-1, line 2\n")), "{}", done.err);
    fs::write(&file, format!("\n{PUZZLE}\n\n\n\n.{}\n", &GRID[1..])).unwrap();
    let again = ended(&address, &format!("{import} Ada"), 0).await;
    assert_eq!(squeezed(&again.out), "RESULT RECORDS\nstored 0\nstored before 2\n");
    let other = ended(&address, &format!("{import} Bob"), 1).await;
    assert!(other.err.contains("\"Bob\" differs from \"Ada\", the source of this import"), "{}", other.err);
    let withdrawn = ended(&address, "withdraw --import book.txt --reason odd", 0).await;
    assert_eq!(withdrawn.out, "puzzles: 2 withdrawn, 0 deleted\n");
}

#[tokio::test]
async fn board_that_the_last_minor_version_cannot_read_is_told_with_its_place() {
    let (_server, _channel, address) = start("--workers 0").await;
    let folder = tempdir().unwrap();
    let file = folder.path().join("other.txt");
    fs::write(&file, "# # # #\n# # \\4 \\6\n# 3\\ . .\n# 4\\ . .\n# # # .\n").unwrap();
    let refused = ended(&address, &format!("import {} --kind kakuro", file.display()), 2).await;
    assert_eq!(squeezed(&refused.out), "RESULT RECORDS\nstored 0\nstored before 0\nTOO_NEW 1\n");
    let reason = "TOO_NEW: the run across of r5c4 has one cell; the last minor version cannot read that, and may use the same database; \
                  import the puzzle with the next minor version\n";
    assert_eq!(refused.err, format!("line 1 of {}: {reason}", file.display()));
}

#[tokio::test]
async fn export_of_a_stock_is_imported_into_another_database() {
    let (server, channel, address) = start("--workers 1").await;
    queue(&channel, easy(3)).await;
    ended(&address, "watch job-1", 0).await;
    let exported = run_in(server.folder.path(), "export --format json").out;
    let (other, _channel, to) = start("--workers 0").await;
    let folder = tempdir().unwrap();
    let file = folder.path().join("stock.jsonl");
    fs::write(&file, &exported).unwrap();
    let calls = ask_lines(&to, &format!("import {} --json", file.display())).await;
    assert_eq!((calls.len(), calls[0]["results"].as_array().unwrap().len()), (1, 3), "{calls:?}");
    let own = ["id", "symmetry", "seed", "jobId", "jobIndex", "jobTry", "createTime", "importId", "importLine"];
    let puzzles = |lines: &str| {
        let puzzles = lines.lines().map(|line| {
            let mut puzzle: Value = serde_json::from_str(line).unwrap();
            puzzle.as_object_mut().unwrap().retain(|name, _| !own.contains(&name.as_str()));
            puzzle
        });
        puzzles.collect::<Vec<_>>()
    };
    let imported = run_in(other.folder.path(), "export --import stock.jsonl --format json").out;
    assert_eq!(puzzles(&imported), puzzles(&exported));
    let lines: Vec<Value> = imported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[2]["importId"], &lines[2]["importLine"]), (&"stock.jsonl".into(), &3.into()));
    let sound = run_in(other.folder.path(), "check");
    assert_eq!(sound.code, Some(0), "{}{}", sound.out, sound.err);
}

#[tokio::test]
async fn standard_input_needs_a_name_and_a_missing_file_fails() {
    let nameless = run_with_input("import -", PUZZLE);
    let fault = "error: --import-id: required, because the file has no name; set the name of the import\n";
    assert_eq!((nameless.code, nameless.err.as_str()), (Some(1), fault));
    let missing = run("import no/such/file");
    assert!(missing.code == Some(1) && missing.err.contains("no/such/file: "), "{}", missing.err);
}
