//! Parses `RecordDeliveries` and `FindPuzzle`: the puzzles that an audience has had, and a printed puzzle.

use std::borrow::Cow;

use super::{FAULTS_MAX, Parser, PuzzleText};
use crate::{
    calls::errors::{ServiceError, fields::Invalid},
    settings::Limits,
};
use puzzled_api::v1 as pb;
use puzzled_engine::shared::names::quoted;
use puzzled_store::{
    deliveries::{delivery::RepeatHash, find::Source, history::RECORDED_MAX},
    ids::PuzzleId,
};

/// A puzzle that an audience has had, as a request names it.
#[derive(Debug)]
pub(crate) enum NamedPuzzle {
    Stored(PuzzleId),
    Text(PuzzleText),
    Solved(RepeatHash),
}

/// The puzzles of a `RecordDeliveries`. An error names up to 20 faults, each with the index of its puzzle.
pub(crate) fn recorded(
    request: &pb::RecordDeliveriesRequest,
    limits: &Limits,
) -> Result<Vec<NamedPuzzle>, ServiceError> {
    let mut parser = Parser::default();
    parser.required_audience(&request.audience);
    let count = request.puzzles.len();
    if !(1..=RECORDED_MAX).contains(&count) {
        parser.refuse("puzzles", format!("{count} are outside 1 to {RECORDED_MAX}"));
    }
    parser.done()?;
    let (mut puzzles, mut faults, mut unsupported) = (Vec::with_capacity(count), Vec::new(), None);
    for (index, puzzle) in request.puzzles.iter().enumerate() {
        match named(puzzle, limits) {
            Ok(puzzle) => puzzles.push(puzzle),
            Err(ServiceError::Invalid(Invalid(fields))) => {
                let field = |field: Cow<'static, str>| format!("puzzles[{index}].{field}").into();
                faults.extend(fields.into_iter().map(|(name, fault)| (field(name), fault)));
            }
            Err(error) => unsupported = unsupported.or_else(|| Some(error.in_list("puzzles", index))),
        }
    }
    if !faults.is_empty() {
        faults.truncate(FAULTS_MAX);
        return Err(ServiceError::Invalid(Invalid(faults)));
    }
    unsupported.map_or(Ok(puzzles), Err)
}

fn named(puzzle: &pb::RecordedPuzzle, limits: &Limits) -> Result<NamedPuzzle, ServiceError> {
    let pb::RecordedPuzzle { id, kind, variant, text, repeat_hash } = puzzle;
    let has_text = *kind != i32::from(pb::Kind::Unspecified) || !variant.is_empty() || !text.is_empty();
    match (!id.is_empty(), has_text, !repeat_hash.is_empty()) {
        (true, false, false) => {
            id.parse().map(NamedPuzzle::Stored).map_err(|()| ServiceError::PuzzleNotFound(id.clone()))
        }
        (false, true, false) => Parser::default().puzzle(*kind, variant, text, limits).map(NamedPuzzle::Text),
        (false, false, true) => {
            repeat_hash.parse().map(NamedPuzzle::Solved).map_err(|fault| Invalid::one("repeat_hash", fault))
        }
        (false, false, false) => {
            Err(Invalid::one("id", "required unless text or repeat_hash is set; set one of them".to_owned()))
        }
        (true, ..) => {
            let fault = format!("{} together with kind, variant, text, or repeat_hash; set one of them", quoted(id));
            Err(Invalid::one("id", fault))
        }
        (false, true, true) => {
            let fault = format!("{} together with kind, variant, or text; set one of them", quoted(repeat_hash));
            Err(Invalid::one("repeat_hash", fault))
        }
    }
}

/// The printed puzzle of a `FindPuzzle`, and the puzzles that it is compared with.
pub(crate) fn printed(request: &pb::FindPuzzleRequest, limits: &Limits) -> Result<(PuzzleText, Source), ServiceError> {
    let mut parser = Parser::default();
    parser.name("audience", &request.audience);
    parser.name("series", &request.series);
    let source = match (request.audience.as_str(), request.series.as_str()) {
        ("", "") => Source::Series(None),
        ("", series) => Source::Series(Some(series.to_owned())),
        (audience, "") => Source::Audience(audience.to_owned()),
        (_, series) => {
            parser.refuse("series", format!("{} is set together with an audience; set only one", quoted(series)));
            Source::Series(None)
        }
    };
    let puzzle = parser.puzzle(request.kind, &request.variant, &request.text, limits)?;
    Ok((puzzle, source))
}
