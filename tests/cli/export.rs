//! `puzzled export` and `puzzled generate` as files: each format, its refusals, and `export --address` against a server.

use std::{
    collections::HashMap,
    fmt::Write as _,
    io,
    net::{Shutdown, TcpListener, TcpStream},
    thread,
};

use crate::prelude::*;

const HEAD: [&str; 12] = [
    "id",
    "kind",
    "variant",
    "level",
    "rating",
    "technique",
    "givens",
    "symmetry",
    "seconds",
    "text",
    "effort",
    "class",
];

/// The rows of a table, each by the names of its columns.
fn rows(table: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A server with Sudokus and three Kakuros.
async fn mixed() -> (Server, String) {
    let (server, channel, address) = start("--workers 1").await;
    queue(&channel, request(8)).await;
    let kakuro = Kind::Kakuro.into();
    let small = GenerateRequest { kind: kakuro, variant: "5x6".to_owned(), count: Some(3), seed: Some(7), ..easy(3) };
    queue(&channel, small).await;
    for job in ["job-1", "job-2"] {
        ended(&address, &format!("watch {job}"), 0).await;
    }
    (server, address)
}

#[tokio::test]
async fn table_has_a_row_for_each_puzzle_and_the_solution_on_request() {
    let (server, _) = mixed().await;
    let folder = server.folder.path();
    let plain = run_in(folder, "export --format csv");
    assert_eq!((plain.code, plain.err.as_str()), (Some(0), ""));
    assert_eq!(plain.out.lines().next(), Some(HEAD.join(",").as_str()));
    let (plain, full) = (rows(&plain.out), rows(&run_in(folder, "export --format csv --solutions").out));
    let json = objects(&run_in(folder, "export --format json").out);
    assert_eq!((plain.len(), full.len(), json.len()), (11, 11, 11));
    for ((plain, full), json) in plain.iter().zip(&full).zip(&json) {
        for name in ["id", "variant", "technique", "text", "class"] {
            assert_eq!(plain[name], json[name].as_str().unwrap(), "{name}");
        }
        for (name, prefix) in [("kind", "KIND_"), ("level", "LEVEL_"), ("symmetry", "SYMMETRY_")] {
            let name_of_value = prefix.to_owned() + &plain[name].to_ascii_uppercase().replace('-', "_");
            assert_eq!(json[name], name_of_value, "{name}");
        }
        assert_eq!(
            (plain["rating"].parse().ok(), &json["givens"]),
            (json["rating"].as_f64(), &plain["givens"].parse::<u32>().unwrap().into())
        );
        assert_eq!(
            json["predictedSeconds"].as_u64().map(|seconds| seconds.to_string()).unwrap_or_default(),
            plain["seconds"]
        );
        let effort = json["record"]["effort"].as_f64().map(|effort| format!("{effort:.1}"));
        assert_eq!(
            (plain["kind"] == "kakuro", effort.unwrap_or_default()),
            (!plain["effort"].is_empty(), plain["effort"].clone())
        );
        assert_eq!(full["solution"], json["solution"].as_str().unwrap());
        assert!(full.len() == plain.len() + 1 && plain.iter().all(|(name, field)| full[name] == *field));
    }
}

#[tokio::test]
async fn lines_for_other_programs_are_those_of_the_texts() {
    let (server, _) = mixed().await;
    let folder = server.folder.path();
    let texts = run_in(folder, "export --kind sudoku").out;
    let collection = run_in(folder, "export --kind sudoku --format sdm");
    assert_eq!((collection.code, collection.out), (Some(0), texts.replace('.', "0")));
    let addresses = run_in(folder, "export --kind sudoku --format fpuzzles").out;
    assert_eq!(addresses.lines().count(), 8);
    assert!(addresses.lines().all(|line| line.starts_with("https://f-puzzles.com/?load=")), "{addresses}");
}

#[test]
fn generated_files_have_the_same_puzzles_in_each_format() {
    let generate = |args: &str| run(&format!("generate --level easy --count 5 --seed 7 {args}"));
    let texts = generate("").out;
    assert_eq!(generate("--format sdm").out, texts.replace('.', "0"));
    assert_eq!(generate("--format fpuzzles").out.lines().count(), 5);
    let table = rows(&generate("--format csv --solutions").out);
    let json = objects(&generate("--format json").out);
    for ((row, json), text) in table.iter().zip(&json).zip(texts.lines()) {
        assert_eq!((row["id"].as_str(), row["text"].as_str(), row["level"].as_str()), ("", text, "easy"));
        assert_eq!(row["solution"], json["solution"].as_str().unwrap());
        assert_eq!(json["links"].as_array().unwrap().len(), 3, "{json}");
    }
    assert_eq!(table.len(), 5);
}

#[test]
fn files_of_every_format_are_rated_alike() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("puzzles");
    let mut by_format = Vec::new();
    for format in ["text", "json", "csv", "csv --solutions", "sdm", "fpuzzles"] {
        fs::write(&file, run(&format!("generate --level medium --count 6 --seed 7 --format {format}")).out).unwrap();
        let rated = run(&format!("rate --format csv {}", file.display()));
        assert_eq!((rated.code, rated.err.as_str(), rated.out.lines().count()), (Some(0), "", 7), "{format}");
        let ratings = rated.out.lines().map(|row| row.split_once(',').unwrap().1.to_owned());
        by_format.push((format, ratings.collect::<Vec<_>>()));
    }
    for (format, ratings) in &by_format {
        assert_eq!(ratings, &by_format[0].1, "{format}");
    }
}

#[test]
fn files_of_kakuros_are_rated_alike() {
    let rated = |format: &str| {
        let made = run(&format!("generate --kind kakuro --size 6x6 --count 3 --seed 7 --format {format}"));
        let rated = run_with_input("rate --kind kakuro", &made.out);
        assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""), "{format}");
        rated.out
    };
    let text = rated("text");
    assert_eq!(text.matches("# rating: ").count(), 3, "{text}");
    for format in ["json", "csv", "csv --solutions"] {
        assert_eq!(rated(format), text, "{format}");
    }
}

#[test]
fn what_does_not_fit_is_refused_before_any_work() {
    let folder = tempdir().unwrap();
    for (args, fault) in [
        ("export --kind kakuro --format sdm", "--format: kakuro has no sdm; it has text, json, csv"),
        ("generate --kind kakuro --format fpuzzles", "--format: kakuro has no fpuzzles; it has text, json, csv"),
        ("export --format fpuzzles", "--format: not every kind has fpuzzles; set --kind sudoku"),
        ("export --solutions", "--solutions: text has no solutions; use --format csv or json"),
        ("generate --format sdm --solutions", "--solutions: sdm has no solutions; use --format csv or json"),
        (
            "export --address 127.0.0.1:1 --database sqlite:stock.db",
            "--address: set together with --database; set only one",
        ),
        ("export --address 127.0.0.1:1 --config file.toml", "file.toml: the file does not exist"),
        ("export --token-file token", "--token-file: set without --address; set both"),
        ("export --variant 99x99", "--variant: no kind has the variant \"99x99\""),
        ("export --kind sudoku --variant 5x5", "--variant: unknown variant \"5x5\" of sudoku"),
    ] {
        // No database, configuration file, or server is there.
        let refused = ran(puzzled(args).current_dir(folder.path()).output().unwrap());
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{args}");
        assert!(refused.err.contains(fault), "{args}: {}", refused.err);
    }
    let unknown = run("export --format xml");
    assert!(unknown.err.contains("[possible values: text, json, csv, sdm, fpuzzles]"), "{}", unknown.err);
}

#[tokio::test]
async fn server_gives_the_same_files_as_its_database() {
    let (server, address) = mixed().await;
    let folder = server.folder.path();
    for args in [
        "",
        "--format json --solutions",
        "--format csv",
        "--format csv --solutions --level easy",
        "--kind sudoku --format sdm --givens 24-40",
        "--kind kakuro --size 5x6",
        "--job job-2 --format csv",
        "--variant 9x9 --symmetry rotation180",
    ] {
        let from_server = ended(&address, &format!("export {args}"), 0).await;
        // The server's answer may come before its worker has written the last job.
        assert_eq!(from_server.out, run_in(folder, &format!("export {args}")).out, "{args}");
        assert!(args.contains("rotation180") || !from_server.out.is_empty(), "{args}");
    }
    let blind = objects(&ended(&address, "export --format json", 0).await.out);
    assert!(blind.len() == 11 && blind.iter().all(|puzzle| puzzle["solution"] == "" && !puzzle["record"].is_null()));
    // A variable for the other source does not count.
    let mut with_both = puzzled(&format!("export --address {address}"));
    with_both.env("PUZZLED_DATABASE_URL", "sqlite:no-such.db");
    let with_both = spawn_blocking(move || ran(with_both.output().unwrap())).await.unwrap();
    assert_eq!(with_both.out, run_in(folder, "export").out);
    let mut of_database = puzzled("export --database sqlite:stock.db");
    let of_database = ran(of_database.current_dir(folder).env("PUZZLED_LISTEN", "127.0.0.1:1").output().unwrap());
    assert_eq!(of_database.out, with_both.out);
    let refused = ended(&address, "export --kind sudoku --variant 5x5", 1).await;
    assert_eq!(
        refused.err,
        format!(
            "error: {address}: --variant: unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16\n"
        )
    );
}

/// Passes everything between clients and a server, but ends the first connection after some bytes of the server.
fn broken_once(server: String, bytes: u64) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for (limit, near) in [bytes].into_iter().chain(std::iter::repeat(u64::MAX)).zip(listener.incoming()) {
            let (near, far) = (near.unwrap(), TcpStream::connect(&server).unwrap());
            let (mut from, mut to) = (near.try_clone().unwrap(), far.try_clone().unwrap());
            thread::spawn(move || io::copy(&mut from, &mut to));
            thread::spawn(move || {
                // Each part is passed at once, because a buffer would hold back the end of an answer.
                _ = io::copy(&mut (&far).take(limit), &mut &near);
                _ = (near.shutdown(Shutdown::Both), far.shutdown(Shutdown::Both));
            });
        }
    });
    address
}

#[tokio::test]
async fn export_resumes_after_a_broken_connection() {
    let (server, channel, address) = start("--workers 2").await;
    queue(&channel, easy(400)).await;
    ended(&address, "watch job-1", 0).await;
    let whole = ended(&address, "export --format json --solutions", 0).await;
    let broken = broken_once(address, 300_000);
    let resumed = ended(&broken, "export --format json --solutions", 0).await;
    assert_eq!((resumed.out.lines().count(), resumed.err.as_str()), (400, ""));
    assert!(resumed.out == whole.out, "a puzzle is missing or comes twice");
    let exports = server.log().iter().filter(|line| line.contains("export started")).count();
    assert_eq!(exports, 3, "{:#?}", server.log());
}

#[tokio::test]
async fn token_without_solutions_exports_everything_else() {
    let (server, _) = stocked().await;
    let folder = Arc::clone(&server.folder);
    server.end();
    let mut access = String::new();
    for (name, role) in [("blind", "ops"), ("reader", "reader")] {
        let token = run(&format!("token new --principal {name}")).out;
        let (secret, entry) = token.split_once('\n').unwrap();
        fs::write(folder.path().join(name), secret).unwrap();
        writeln!(access, "{entry}\n[[principal]]\nname = \"{name}\"\nrole = \"{role}\"\n").unwrap();
    }
    fs::write(folder.path().join("access.toml"), access).unwrap();
    let server = Server::start_in(Arc::clone(&folder), "--workers 0 --access access.toml");
    let export = |name: &str, args: &str| {
        let args = format!("export --address {} --token-file {name} {args}", server.address());
        ran(puzzled(&args).current_dir(folder.path()).output().unwrap())
    };
    let table = export("blind", "--format csv");
    assert_eq!((table.code, table.err.as_str(), rows(&table.out).len()), (Some(0), "", 7));
    assert_eq!(table.out, run_in(folder.path(), "export --format csv").out);
    let json = objects(&export("blind", "--format json").out);
    assert!(
        json.iter().all(|puzzle| puzzle["solution"] == "" && puzzle["jobId"] == "" && puzzle["links"] != Value::Null)
    );
    for (name, args, fault) in [
        ("blind", "--format csv --solutions", "--solutions: \"blind\" may not see solutions"),
        ("reader", "--format csv", "\"reader\" needs the role ops for this"),
    ] {
        let refused = export(name, args);
        assert_eq!(refused.code, Some(1), "{name}");
        assert!(refused.err.contains(fault), "{}", refused.err);
    }
}
