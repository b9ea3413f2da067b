//! Tables of `stock`, `jobs`, `queue`, `refill`, `target list`, `workers`, `audit`, and `list` fit narrow and wide terminals,
//! with large counts and long names. Making rates count the workers of all processes. Also `puzzled watch`: it
//! reconnects after a restart of the server, and without a terminal prints lines that agree with `puzzled stock`.

use crate::{
    ops::{manual_target, set},
    prelude::*,
};

/// Runs a command for a terminal of this width.
async fn ask_at(width: usize, address: &str, args: &str) -> Ran {
    let mut command = puzzled(&format!("{args} --address {address}"));
    command.env("COLUMNS", width.to_string());
    spawn_blocking(move || ran(command.output().unwrap())).await.unwrap()
}

#[tokio::test]
async fn tables_fit_the_width_of_the_terminal() {
    let (_server, channel, address) = start("--workers 2 --max-tries 3").await;
    let any = GenerateRequest { kind: Kind::Sudoku.into(), count: Some(5), priority: -100, ..Default::default() };
    let hopeless = GenerateRequest { min_rating: Some(1.3), max_rating: Some(1.4), ..any.clone() };
    for request in [any.clone(), hopeless] {
        let id = queue(&channel, request).await;
        ask(&address, &format!("watch {id}")).await;
    }
    assert_eq!(ask(&address, "queue pause").await.code, Some(0));
    let kakuro = Kind::Kakuro.into();
    let large =
        GenerateRequest { kind: kakuro, variant: "20x20-runs9-white70".to_owned(), count: Some(100_000), ..any };
    queue(&channel, large).await;
    let symmetry = Symmetry::AntiDiagonal.into();
    set(&channel, CreateStockTargetRequest { symmetry, ..manual_target(Level::Expert, 1_000_000) }).await;
    let layout = CreateStockTargetRequest {
        kind: kakuro,
        variant: "20x20-runs9-white70".to_owned(),
        symmetry: 0,
        ..manual_target(Level::Hard, 250_000)
    };
    set(&channel, layout).await;
    for width in [80, 120] {
        for command in ["stock", "jobs", "queue show", "refill --timeout 0", "target list", "workers", "audit", "list"]
        {
            let shown = ask_at(width, &address, command).await;
            assert!(!shown.out.is_empty(), "{command}: {}", shown.err);
            println!("{width} columns: puzzled {command}\n{}", shown.out);
            let wide: Vec<_> = shown.out.lines().filter(|line| line.chars().count() > width).collect();
            assert!(wide.is_empty(), "{command} at {width} columns: {wide:?}\n{}", shown.out);
            let has_variant = ["jobs", "stock", "target list"].contains(&command);
            assert!(!has_variant || shown.out.contains("20x20-runs9-white70"), "{command}: {}", shown.out);
        }
    }
    let queue = ask_at(80, &address, "queue show").await.out;
    assert!(queue.contains("\nEnded jobs: 1 succeeded, 1 failed, 0 cancelled, 0 ended early\n"), "{queue}");
    let cut = ask_at(80, &address, "jobs").await.out;
    assert!(cut.lines().any(|line| line.starts_with("job-2: ") && line.ends_with('…')), "{cut}");
    let whole = ask_at(80, &address, "jobs --verbose").await.out;
    assert!(whole.lines().any(|line| line.starts_with("job-2: ") && line.chars().count() > 80), "{whole}");
}

#[tokio::test]
async fn rates_are_those_of_the_workers_of_all_processes() {
    let (server, channel, address) = start("--workers 2").await;
    set(&channel, manual_target(Level::Easy, 5)).await;
    assert_eq!(ask(&address, "refill").await.code, Some(0));
    let per_minute = |shown: &str| {
        let row = shown.lines().find(|line| line.contains("target-1")).unwrap();
        let cells: Vec<_> = row.split("  ").filter(|cell| !cell.trim().is_empty()).collect();
        cells[4].trim().replace(',', "").parse::<f64>().unwrap()
    };
    let alone = per_minute(&ask(&address, "stock").await.out);
    let workers = Server::work_in(server.folder.clone(), "--workers 6");
    workers.line_with(" works on ");
    let together = per_minute(&ask(&address, "stock").await.out);
    assert!((together / alone - 4.0).abs() < 0.1, "{together} and {alone}");
    workers.end();
}

#[tokio::test]
async fn watch_reconnects_after_a_restart_of_the_server() {
    let (server, channel, address) = start("--workers 0").await;
    queue(&channel, easy(5)).await;
    let mut watch = puzzled(&format!("watch job-1 --address {address}"));
    let mut watch = watch.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut remarks = BufReader::new(watch.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "job-1 queued: made 0 of 5 in 0 tries");
    server.kill();
    assert_eq!(remarks.next().unwrap(), "connection lost; reconnecting for up to a minute");
    let again = Server::start_at(Arc::clone(&server.folder), &address, "--workers 1");
    again.line_with(" listens on ");
    let end = lines.last().unwrap();
    assert!(end.starts_with("job-1 succeeded: made 5 of 5 "), "{end}");
    assert_eq!(remarks.collect::<Vec<_>>(), ["connected again"]);
    assert_eq!(watch.wait().unwrap().code(), Some(0));
}

#[tokio::test]
async fn watch_prints_lines_that_agree_with_stock() {
    let (_server, channel, address) = start("--workers 0").await;
    set(&channel, manual_target(Level::Easy, 30)).await;
    set(&channel, manual_target(Level::Evil, 2_000)).await;
    let watched = ask(&address, "watch --timeout 1").await;
    let stock = ask(&address, "stock").await.out;
    let lines: Vec<_> = watched.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}{}", watched.out, watched.err);
    for (line, id) in lines.into_iter().zip(["target-1", "target-2"]) {
        let row = stock.lines().find(|row| row.contains(id)).unwrap();
        let (named, standing) = line.split_once(": ").unwrap();
        let (have, state) = standing.split_once(' ').unwrap();
        let words: Vec<_> = named.split(' ').skip(1).collect();
        assert!(row.contains(&words.join(" ")) && row.contains(have) && row.contains(state), "{line}\n{row}");
    }
}
