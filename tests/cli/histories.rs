//! `puzzled export --deliveries`, `import --deliveries`, and `find`: what audiences have had goes to another database, and printed
//! puzzles are found.

use crate::{ops::ask_json, prelude::*};

/// The deliveries of a database, one object a line.
fn exported(folder: &Path) -> Vec<Value> {
    let ran = run_in(folder, "export --deliveries");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The hashes of deliveries, ordered.
fn hashes(deliveries: &[Value]) -> Vec<&str> {
    let mut hashes: Vec<_> = deliveries.iter().map(|delivery| delivery["repeatHash"].as_str().unwrap()).collect();
    hashes.sort_unstable();
    hashes
}

#[tokio::test]
async fn deliveries_survive_a_new_database() {
    let (old, _) = stocked().await;
    let deliveries = exported(old.folder.path());
    assert_eq!(deliveries.len(), 4);
    for delivery in &deliveries {
        assert_eq!((delivery["audience"].as_str(), delivery.as_object().unwrap().len()), (Some("anna"), 3));
        assert!(delivery["deliverTime"].as_str().unwrap().ends_with('Z'), "{delivery}");
    }
    let with_address = run_in(old.folder.path(), "export --deliveries --address 127.0.0.1:1");
    assert!(with_address.code == Some(1) && with_address.err.contains("'--deliveries' cannot be used with"));
    let with_criteria = run_in(old.folder.path(), "export --deliveries --level easy");
    assert!(
        with_criteria.code == Some(1) && with_criteria.err.contains("cannot be used with"),
        "{}",
        with_criteria.err
    );
    let (new, _, address) = start("--workers 1").await;
    let file = new.folder.path().join("deliveries.jsonl");
    fs::write(&file, run_in(old.folder.path(), "export --deliveries").out).unwrap();
    let import = format!("import --deliveries {}", file.display());
    for expected in ["deliveries: 4 recorded, 0 known before\n", "deliveries: 0 recorded, 4 known before\n"] {
        let imported = ended(&address, &import, 0).await;
        assert_eq!((imported.out.as_str(), imported.err.as_str()), (expected, ""));
    }
    assert_eq!(hashes(&exported(new.folder.path())), hashes(&deliveries));
}

#[tokio::test]
async fn refused_lines_are_named_and_earlier_ones_stay_recorded() {
    let (server, _, address) = start("--workers 1").await;
    let file = server.folder.path().join("deliveries.jsonl");
    let line = |audience: &str, hash: &str| format!("{{\"audience\": {audience:?}, \"repeatHash\": {hash:?}}}\n");
    let import = format!("import --deliveries {}", file.display());
    let right = line("anna", &"ab".repeat(16));
    for (text, expected) in [
        (
            right.clone() + "\n" + &line("bert", "12"),
            ", in the call with line 3 as puzzles[0]: puzzles[0].repeat_hash: \"12\" is not",
        ),
        (right.clone() + "{\n", "error: line 2 of "),
        (line("", "12"), "audience: required; set the name of an audience"),
    ] {
        fs::write(&file, text).unwrap();
        let refused = ended(&address, &import, 1).await;
        assert!(refused.err.contains(expected), "{}", refused.err);
    }
    assert_eq!(exported(server.folder.path()).len(), 1, "the line of anna");
    let missing = ended(&address, "import --deliveries no-such-file", 1).await;
    assert_eq!(missing.err, "error: no-such-file: the file does not exist; check its name\n");
}

#[tokio::test]
async fn printed_puzzles_are_found_with_their_differing_cells() {
    let (server, texts) = stocked().await;
    let address = server.address();
    let file = server.folder.path().join("printed.txt");
    fs::write(&file, format!("{}\n", texts[0])).unwrap();
    let all = ended(&address, &format!("find {}", file.display()), 0).await;
    assert!(all.out.starts_with("line 1: puzzle-") && all.out.lines().count() == 1, "{}", all.out);
    let puzzle = ask_json(&address, "get --level easy --audience bert --json").await;
    let (id, text) = (puzzle["id"].as_str().unwrap(), puzzle["text"].as_str().unwrap());
    let at = text.find(|sign: char| sign.is_ascii_digit()).unwrap();
    let given: u8 = text[at..=at].parse().unwrap();
    let misprint = given % 9 + 1;
    let printed = format!("{}{misprint}{}", &text[..at], &text[at + 1..]);
    fs::write(&file, format!("{text}\n{printed}\n")).unwrap();
    let place = format!("r{}c{}", at / 9 + 1, at % 9 + 1);
    let near = ended(&address, &format!("find {} --audience bert", file.display()), 0).await;
    let expected = format!("line 1: {id}\nline 2: {id} with {misprint} instead of {given} at {place}\n");
    assert_eq!((near.out, near.err), (expected, String::new()));
    fs::write(&file, format!("{printed}\n12\n")).unwrap();
    let missing = ended(&address, &format!("find {} --json", file.display()), 2).await;
    let name = file.display();
    let remarks = format!(
        "line 1 of {name}: no puzzle found\nline 2 of {name}: text: 2 cells; the puzzle must have exactly 81\n"
    );
    assert_eq!(missing.err, remarks);
    let line: Value = serde_json::from_str(&missing.out).unwrap();
    assert_eq!(line, serde_json::json!({ "line": "1", "text": printed, "matches": [] }));
}
