//! Compares the reasons of all errors with the contract. The names and codes are in `puzzled_api`.

use std::{collections::BTreeSet, num::NonZeroU32, time::Duration};

use prost::Message as _;
use prost_types::FileDescriptorSet;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::{
    access::{OverRate, Unidentified},
    calls::{
        edge::reason_of,
        errors::{
            ServiceError,
            access_error::AccessError,
            exhausted::{Exhausted, Tries},
            fields::Invalid,
        },
    },
};
use puzzled_api::{
    DESCRIPTORS,
    reasons::{code_of, name},
    v1::ErrorReason,
};
use puzzled_base::{
    clock::Millis,
    ids::{JobId, PuzzleId, TargetId},
};
use puzzled_engine::shared::{level::Tenths, tries::Disagreement};
use puzzled_store::{
    StoreError,
    jobs::{
        growth::{Bound, Full},
        open_quotas::{OpenQuota, OverQuota},
        process::OlderProcess,
        repeat::Fields,
    },
    stock::draws::Lack,
    targets::shortage::Retry,
};
use sqlx::{Connection as _, SqliteConnection};

/// The text before the status code in the comment of a reason.
const CODE: &str = "Status code: ";

/// One of each error.
fn errors() -> Vec<ServiceError> {
    vec![
        Invalid::one("field", "wrong".to_owned()),
        Invalid::one("field", "wrong".to_owned()).in_batch(3),
        AccessError::from(Unidentified::Nothing).into(),
        AccessError::Solutions { subject: "Solve".into(), principal: "night".into() }.into(),
        AccessError::Rate {
            over: OverRate { quota: "calls_per_second", max: NonZeroU32::MIN, wait: Duration::from_secs(1) },
            principal: "night".into(),
        }
        .into(),
        ServiceError::HostNotAllowed("evil.example".to_owned()),
        ServiceError::KindUnsupported("KIND_KAKURO"),
        ServiceError::RatingUnsupported { wanted_min: Tenths(110), supported_max: Tenths(104) },
        ServiceError::Unrated { supported_max: Tenths(134) },
        ServiceError::RatingOutOfBudget { at_least: Tenths(90) },
        ServiceError::PuzzleNotFound("puzzle-1".to_owned()),
        ServiceError::TargetNotFound("target-1".to_owned()),
        ServiceError::TargetExists { puzzles: "sudoku 9x9".to_owned(), target: TargetId(1) },
        ServiceError::TargetDeclared { target: TargetId(1), by: "default".to_owned() },
        ServiceError::TargetsFull { targets: 1, max: 1 },
        ServiceError::RefillsFull { open: 1, max: 1 },
        ServiceError::JobNotFound("job-1".to_owned()),
        ServiceError::RequestIdReused { request_id: "a".to_owned(), job: JobId(1), differs: Vec::new() },
        ServiceError::RequestIdTwice { request_id: "a".to_owned(), first: 0, differs: Vec::new() },
        ServiceError::DeliveryNamed { request_id: "a".to_owned(), puzzle: PuzzleId(1), differs: Vec::new() },
        ServiceError::backlog_full(1, 1),
        ServiceError::StockFull(Full { bound: Bound::Puzzles, used: 1, max: 1, at: Millis(0) }),
        ServiceError::OverQuota(OverQuota { quota: OpenQuota::Jobs, open: 1, more: 1, max: 1 }),
        ServiceError::NotOwnJob("job-1".to_owned()),
        ServiceError::StockExhausted(Box::new(Exhausted {
            exclusive: false,
            wanted: Fields::new(),
            audience: String::new(),
            lack: Lack { had: 0, nearest: Vec::new() },
            job: None,
            tries: Tries::default(),
            paused_since: None,
            full: None,
            retry: Retry::NoJob,
            unmade: None,
        })),
        ServiceError::Unreachable { tries: 580, work_ms: 280_000 },
        ServiceError::SeriesNotFound("daily".to_owned()),
        ServiceError::SeriesExists("daily".to_owned()),
        ServiceError::SeriesDeclared { series: "daily".to_owned(), by: "default".to_owned() },
        ServiceError::SeriesFull { series: 1, max: 1 },
        ServiceError::SeriesEnded { series: "daily".to_owned(), date: "2026-11-21".to_owned() },
        ServiceError::ProcessTooOld(OlderProcess { host: "a".to_owned(), version: "0.2.0".to_owned() }),
        ServiceError::DrawUnlucky,
        ServiceError::NotUnique { solutions: Default::default(), rule: String::new(), cells: String::new() },
        ServiceError::NoSolution { rule: String::new() },
        ServiceError::Contradiction { reason: "two 5s in row 1".to_owned(), cells: "r1c1".to_owned() },
        ServiceError::AlreadySolved,
        ServiceError::OutOfBudget { nodes_max: 1 },
        ServiceError::SolversDisagree(Disagreement {
            kind: "toy",
            text: "8".to_owned(),
            own: String::new(),
            core: String::new(),
        }),
        ServiceError::Busy { subject: "calls", max: 1 },
        ServiceError::CallerBusy { subject: "calls", max: 1 },
        ServiceError::DeadlineExceeded,
        ServiceError::CallerGone,
        ServiceError::ShuttingDown,
        ServiceError::Store(StoreError::Stopped),
        ServiceError::Store(StoreError::Replaced("puzzled.db".into())),
        ServiceError::Store(StoreError::Corrupt { table: "puzzles", column: "text", id: 1 }),
        ServiceError::Internal("a fault".to_owned()),
    ]
}

/// One of each kind of refusal by tonic.
fn refusals_of_tonic() -> [Status; 5] {
    [
        Status::unimplemented(""),
        Status::unimplemented("Content is compressed with `gzip` which isn't supported"),
        Status::out_of_range("decoded message length too large"),
        Status::not_found("service not registered"),
        Status::internal("failed to decode Protobuf message"),
    ]
}

/// The values of the enum with their comments, except for `UNSPECIFIED`.
fn documented() -> Vec<(ErrorReason, String)> {
    let files = FileDescriptorSet::decode(DESCRIPTORS).unwrap().file;
    let file = files.into_iter().find(|file| file.name() == "puzzled/v1/errors.proto").unwrap();
    let values = file.enum_type[0].value.iter().enumerate().skip(1);
    let documented = values.map(|(at, value)| {
        // In descriptor.proto, 5 is the file's list of enums, and 2 an enum's list of values.
        let path = [5, 0, 2, i32::try_from(at).unwrap()];
        let locations = &file.source_code_info.as_ref().unwrap().location;
        let comment = locations.iter().find(|location| location.path == path).unwrap().leading_comments();
        (ErrorReason::try_from(value.number()).unwrap(), comment.to_owned())
    });
    documented.collect()
}

/// The name of a code as the API writes it: `INVALID_ARGUMENT`.
fn in_capitals(code: Code) -> String {
    let camel = format!("{code:?}");
    let words = camel.chars().enumerate().map(|(at, char)| {
        let parted = if at > 0 && char.is_ascii_uppercase() { "_" } else { "" };
        format!("{parted}{}", char.to_ascii_uppercase())
    });
    words.collect()
}

/// The error of a write on SQLite after this pragma.
async fn refused_after(pragma: &'static str) -> StoreError {
    let mut database = SqliteConnection::connect("sqlite::memory:").await.unwrap();
    sqlx::query(pragma).execute(&mut database).await.unwrap();
    sqlx::query("create table t (a)").execute(&mut database).await.unwrap_err().into()
}

#[tokio::test]
async fn contract_and_errors_have_the_same_reasons_and_status_codes() {
    let mut produced = BTreeSet::new();
    let writes = [refused_after("pragma max_page_count = 1").await, refused_after("pragma query_only = 1").await];
    let writes = writes.map(ServiceError::Store);
    for error in errors().into_iter().chain(writes) {
        let reason = error.reason();
        let status = Status::from(error);
        assert_eq!(status.code(), code_of(reason), "{reason:?}");
        let info = status.get_details_error_info().unwrap();
        assert_eq!((info.reason.as_str(), info.domain.as_str()), (name(reason), "puzzled.v1"));
        produced.insert(name(reason));
    }
    for refused in refusals_of_tonic() {
        let reason = reason_of(&refused);
        assert_eq!(refused.code(), code_of(reason), "{reason:?}");
        produced.insert(name(reason));
    }
    let documented = documented();
    assert_eq!(produced, documented.iter().map(|(reason, _)| name(*reason)).collect());
    for (reason, comment) in documented {
        let lines: Vec<_> = comment.lines().map(str::trim).collect();
        let at = lines.iter().position(|line| line.starts_with(CODE));
        let at = at.unwrap_or_else(|| panic!("the comment of {reason:?} lacks {CODE:?}"));
        assert_eq!(lines[at], format!("{CODE}{}.", in_capitals(code_of(reason))), "{reason:?}");
        assert!(at > 0 && at + 1 < lines.len(), "{reason:?} lacks its meaning or what to do: {comment}");
    }
}
