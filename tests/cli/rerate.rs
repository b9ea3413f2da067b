//! `puzzled rerate` while a server uses the database: it adds ratings by a newer rater version, moves no puzzle to
//! another shelf, and reports texts that it cannot read.

use puzzled_api::v1::{GetPuzzleRequest, Puzzle, RatingOutcome};
use puzzled_engine::registry;
use serde_json::json;

use crate::prelude::*;

/// A server with nine puzzles of an older rater, of which three are Kakuro; the shelf of the first, where others
/// may stand too, is not what it is rated.
async fn old_stock() -> (Server, Channel) {
    let server = Server::start("--workers 1");
    let channel = server.channel().await;
    // Any level will do, so that no try leaves anything over.
    made_by_job(channel.clone(), request(6)).await;
    let kakuro = GenerateRequest { kind: Kind::Kakuro.into(), variant: "6x6".to_owned(), count: Some(3), ..request(3) };
    made_by_job(channel.clone(), kakuro).await;
    tamper(
        &server.folder.path().join("stock.db"),
        "update puzzles set rater_version = 0;
         update shelves set rating = 95 where id = (select shelf_id from puzzles where id = 1)",
    )
    .await;
    (server, channel)
}

async fn by_id(channel: &Channel, id: &str, include_ratings: bool) -> Puzzle {
    let request = GetPuzzleRequest { id: id.to_owned(), include_ratings, include_record: true, ..Default::default() };
    PuzzleServiceClient::new(channel.clone()).get_puzzle(request).await.unwrap().into_inner().puzzle.unwrap()
}

fn exported(folder: &Path) -> Vec<Value> {
    let lines = run_in(folder, "export --format json").out;
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ended(ran: &Ran) -> (Option<i32>, usize, &str) {
    let (_, remark) = ran.err.trim_end().rsplit_once(" puzzles rated again: ").unwrap_or_default();
    (ran.code, ran.out.lines().count(), remark)
}

#[tokio::test]
async fn a_newer_rater_adds_its_records_and_every_puzzle_keeps_its_shelf() {
    let (server, channel) = old_stock().await;
    let folder = server.folder.path();
    let before = exported(folder);
    assert!(before.iter().all(|puzzle| puzzle["ratings"] == json!([])));
    // What a limit leaves over is left for the next run.
    let first = run_in(folder, "rerate --limit 4 --threads 2");
    let (code, lines, _) = ended(&first);
    assert_eq!((code, lines), (Some(2), 4), "{}{}", first.out, first.err);
    assert!(first.out.starts_with("puzzle-1: 9.5 evil, now "), "{}", first.out);
    let kakuro = run_in(folder, "rerate --kind kakuro --format json");
    assert_eq!(ended(&kakuro).0, Some(0), "{}", kakuro.err);
    let objects: Vec<Value> = kakuro.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 3);
    for object in objects {
        let (puzzle, rating) = (&object["puzzle"], &object["rating"]);
        assert_eq!((&puzzle["kind"], &rating["outcome"]), (&"KIND_KAKURO".into(), &"RATING_OUTCOME_RATED".into()));
        assert_eq!((&rating["rating"], &rating["level"]), (&puzzle["rating"], &puzzle["level"]));
        assert!(rating["record"]["kakuro"]["effort"].is_number() && puzzle["text"].is_string(), "{object}");
    }
    let rest = run_in(folder, "rerate");
    let easier = before[4..6].iter().filter(|puzzle| puzzle["rating"] == 9.5).count();
    let remark = format!(
        "{} as before, 0 harder, {easier} easier, 0 out of the rater's budget, 0 beyond its techniques, 0 not read",
        2 - easier
    );
    assert_eq!(ended(&rest), (Some(0), 2, remark.as_str()));
    // Once is enough.
    assert_eq!(ended(&run_in(folder, "rerate")).1, 0);
    for (now, before) in exported(folder).iter().zip(&before) {
        let [rating] = &now["ratings"].as_array().unwrap()[..] else { panic!("{now}") };
        let kind = now["kind"].as_str().unwrap().strip_prefix("KIND_").unwrap().to_ascii_lowercase();
        let kind = registry::kind(&kind).unwrap();
        let variant = kind.variant(now["variant"].as_str().unwrap()).unwrap();
        let (rater, version) = (variant.rater, variant.rater_version);
        assert_eq!((rating["rater"].as_str(), rating["raterVersion"].as_u64()), (Some(rater), Some(version.into())));
        assert_eq!(rating["record"]["explanation"], before["record"]["explanation"]);
        let mut without = now.clone();
        without["ratings"] = json!([]);
        assert_eq!(without, *before);
    }
    let puzzle = by_id(&channel, "puzzle-1", true).await;
    let [rating] = &puzzle.ratings[..] else { panic!("{puzzle:?}") };
    assert_eq!((puzzle.rating, rating.outcome()), (9.5, RatingOutcome::Rated));
    assert_eq!(puzzle.record.as_ref().unwrap().rater_version, 0);
    let record = rating.record.as_ref().unwrap();
    assert_eq!((record.rater_version, &rating.rater), (rating.rater_version, &record.rater));
    assert!(rating.rating < 9.5 && rating.create_time.is_some());
    assert_eq!(by_id(&channel, "puzzle-1", false).await, Puzzle { ratings: Vec::new(), ..puzzle });
}

#[tokio::test]
async fn unreadable_text_is_reported_and_delays_no_other() {
    let (server, _) = old_stock().await;
    let folder = server.folder.path();
    tamper(&folder.join("stock.db"), "update puzzles set text = 'w' where id = 2").await;
    let shown = run_in(folder, "rerate");
    let (code, lines, remark) = ended(&shown);
    assert_eq!((code, lines), (Some(2), 8), "{}{}", shown.out, shown.err);
    assert!(remark.ends_with(", 1 not read"), "{remark}");
    assert!(
        shown.err.starts_with(
            "puzzle-2: row 1, column 1: 'w' is not allowed; use 1 to 9 for a given, and . or 0 for an empty cell\n"
        ),
        "{}",
        shown.err
    );
}

#[tokio::test]
async fn check_verifies_added_ratings() {
    let (server, _) = old_stock().await;
    let folder = server.folder.path();
    run_in(folder, "rerate");
    let sound = run_in(folder, "check");
    assert_eq!((sound.code, sound.out.as_str()), (Some(0), ""), "{}", sound.err);
    assert!(!sound.err.contains("rated by another version"), "{}", sound.err);
    let stock = folder.join("stock.db");
    tamper(&stock, "update ratings set rating = 91 where puzzle_id = 2").await;
    tamper(&stock, "update ratings set outcome = 'stuck', rating = null, record = null where puzzle_id = 3").await;
    tamper(&stock, "update ratings set record = '[' where puzzle_id = 4").await;
    let found = run_in(folder, "check").out;
    let found: Vec<_> = found.lines().collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[0].starts_with("puzzle-2: puzzled-se ") && found[0].contains("is noted as rated 9.1, and says rated ")
    );
    assert!(found[1].contains("is noted as stuck, and says rated "), "{}", found[1]);
    assert_eq!(found[2], "puzzle-4: ratings.record of row 4 is corrupt; run `puzzled check`, then restore a backup");
}
