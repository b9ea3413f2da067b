//! The JSON lines of the commands that read a database.

use serde::Serialize;

use super::CommandError;
use crate::puzzles::{later_rating, puzzle_message};
use puzzled_api::{puzzle::Include, v1 as pb, words::timestamp};
use puzzled_base::clock::Millis;
use puzzled_cli::{
    CliError,
    output::json::{Api, line},
};
use puzzled_engine::shared::variant::VariantInfo;
use puzzled_store::{
    StoreError,
    deliveries::history::PastDelivery,
    stock::{
        puzzle::Puzzle,
        rating::{Outcome, Rating},
    },
};

/// A line of `rerate`: a stored puzzle, and its rating by the newer rater.
#[derive(Debug, Serialize)]
struct ReratedLine {
    puzzle: Api<pb::Puzzle>,
    rating: Api<pb::Rating>,
}

/// A line of `export --deliveries`, which `import --deliveries` reads.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DeliveryLine<'a> {
    audience: &'a str,
    repeat_hash: String,
    deliver_time: String,
}

/// The last line of `check`: the numbers of rows checked. Numbers are strings, as in the API.
#[derive(Debug, Serialize)]
struct CheckedLine {
    puzzles: String,
    shelves: String,
    /// The number of puzzles rated by another version, whose ratings are not checked.
    unrated: String,
    /// The number of puzzles of a kind or variant that only a newer version knows, which are not checked.
    newer: String,
    findings: String,
}

/// The API's message for a puzzle of a database, with its ratings by newer raters.
pub(crate) fn stored(puzzle: Puzzle, ratings: Vec<Rating>, include: Include) -> Result<pb::Puzzle, StoreError> {
    let ratings = ratings.into_iter().map(|rating| later_rating(&puzzle.shelf, rating)).collect();
    Ok(pb::Puzzle { ratings, ..puzzle_message(puzzle, include)? })
}

/// One line about a puzzle of a database and its new rating, which has no time yet.
pub(crate) fn rerated(variant: &VariantInfo, puzzle: &Puzzle, outcome: &Outcome) -> Result<String, CommandError> {
    let rating = Rating {
        puzzle_id: puzzle.id,
        rater: variant.rater.to_owned(),
        rater_version: variant.rater_version,
        outcome: outcome.clone(),
        created_at: Millis(0),
    };
    let rating = pb::Rating { create_time: None, ..later_rating(&puzzle.shelf, rating) };
    Ok(line(&ReratedLine {
        puzzle: Api(puzzle_message(puzzle.clone(), Include { record: true, ..Include::default() })?),
        rating: Api(rating),
    })?)
}

/// One line about a delivery to any audience.
pub(crate) fn delivered(delivery: &PastDelivery) -> Result<String, CliError> {
    let PastDelivery { audience, repeat_hash, at, .. } = delivery;
    let (repeat_hash, deliver_time) = (repeat_hash.to_string(), timestamp(*at).to_string());
    line(&DeliveryLine { audience, repeat_hash, deliver_time })
}

/// One line about a finding of `check`.
pub(crate) fn finding(finding: &str) -> Result<String, CliError> {
    line(&serde_json::json!({ "finding": finding }))
}

/// One line with the counts of a whole check: puzzles, shelves, unrated puzzles, puzzles of a newer version, and findings.
pub(crate) fn checked(counts: [u64; 5]) -> Result<String, CliError> {
    let [puzzles, shelves, unrated, newer, findings] = counts.map(|count| count.to_string());
    line(&CheckedLine { puzzles, shelves, unrated, newer, findings })
}
