//! Stock targets: created, updated, declared, listed, deleted, and refused.

use puzzled_engine::shared::{givens::Givens, level::Level, spec::Spec};
use puzzled_store::{
    TargetStore as _,
    targets::{declaration::Declaration, target::Wish},
};

use crate::{prelude::*, refills::refill, server::any};

/// Fifty puzzles of a level.
pub(crate) fn of_level(level: pb::Level) -> pb::CreateStockTargetRequest {
    pb::CreateStockTargetRequest {
        kind: pb::Kind::Sudoku.into(),
        level: level.into(),
        target: 50,
        ..Default::default()
    }
}

pub(crate) async fn set(server: &Server, request: pb::CreateStockTargetRequest) -> pb::StockTarget {
    server.stock().await.create_stock_target(request).await.unwrap().into_inner().target.unwrap()
}

async fn update(server: &Server, request: pb::UpdateStockTargetRequest) -> Result<pb::StockTarget, Status> {
    let updated = server.stock().await.update_stock_target(request).await;
    updated.map(|response| response.into_inner().target.unwrap())
}

async fn delete(server: &Server, id: &str) -> Result<Option<pb::StockTarget>, Status> {
    let request = pb::DeleteStockTargetRequest { id: id.to_owned(), allow_missing: false };
    server.stock().await.delete_stock_target(request).await.map(|response| response.into_inner().target)
}

/// An update of the first target whose mask has these paths.
fn masked(paths: &[&str]) -> pb::UpdateStockTargetRequest {
    let paths = paths.iter().map(|&path| path.to_owned()).collect();
    let update_mask = Some(prost_types::FieldMask { paths });
    pb::UpdateStockTargetRequest { id: "target-1".to_owned(), update_mask, ..Default::default() }
}

/// A target that is filled at night.
fn nightly() -> pb::CreateStockTargetRequest {
    pb::CreateStockTargetRequest {
        low_water: 20,
        priority: Some(5),
        cron: "0 1 * * *".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        window_minutes: 240,
        ..of_level(pb::Level::Hard)
    }
}

async fn list(server: &Server, request: pb::ListStockTargetsRequest) -> (Vec<String>, String) {
    let page = server.stock().await.list_stock_targets(request).await.unwrap().into_inner();
    (page.targets.into_iter().map(|target| target.id).collect(), page.next_page_token)
}

/// Declares targets as a server does that starts with this configuration.
async fn declare(server: &Server, name: &str, wishes: Vec<Wish>) {
    let declaration = Declaration::new(name.to_owned(), wishes).unwrap();
    server.store.declare_targets(&declaration, 100, &someone()).await.unwrap().unwrap();
}

pub(crate) fn hard() -> Wish {
    let (symmetry, givens) = (Symmetry::Rotation180, Some(Givens::new(26, 32)));
    let difficulty = Difficulty::Level(Level::Hard);
    let spec = Spec { symmetry, difficulty, givens, ..any("sudoku", "9x9") };
    Wish { spec, low_water: None, count: 5, priority: 0, schedule: None }
}

#[tokio::test]
async fn target_is_created_with_defaults_listed_and_deleted() {
    let server = Server::start().await;
    let request = pb::CreateStockTargetRequest {
        cron: "0 1 * * *".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        ..of_level(pb::Level::Hard)
    };
    let target = set(&server, request.clone()).await;
    assert_eq!(
        (target.id.as_str(), target.variant.as_str(), target.symmetry()),
        ("target-1", "9x9", pb::Symmetry::Rotation180)
    );
    assert_eq!((target.target, target.low_water, target.priority, target.window_minutes), (50, 50, -50, 60));
    assert_eq!((target.level(), target.min_rating, target.declared_by.as_str()), (pb::Level::Hard, None, ""));
    let range = pb::CreateStockTargetRequest {
        level: 0,
        min_rating: Some(2.0),
        max_rating: Some(2.3),
        symmetry: pb::Symmetry::Rotation180.into(),
        ..of_level(pb::Level::Hard)
    };
    let range = set(&server, range).await;
    assert_eq!((range.min_rating, range.max_rating, range.level()), (Some(2.0), Some(2.3), pb::Level::Unspecified));

    assert_eq!(server.list_targets().await, [target.clone(), range.clone()]);
    assert_eq!(delete(&server, "target-1").await.unwrap(), Some(target));
    assert_eq!(server.list_targets().await, [range]);
}

#[tokio::test]
async fn spec_that_has_a_target_is_refused_with_its_id() {
    let server = Server::start().await;
    set(&server, of_level(pb::Level::Easy)).await;
    let hard = set(&server, nightly()).await;
    let again = server.stock().await.create_stock_target(of_level(pb::Level::Hard)).await;
    let status = again.unwrap_err();
    assert_eq!(
        status.message(),
        "target-2 is the stock target for sudoku 9x9 hard symmetry rotation180 26–32 givens; change it with UpdateStockTarget"
    );
    let details = check(Err::<(), _>(status), Code::AlreadyExists, "TARGET_EXISTS");
    assert_eq!(details.error_info().unwrap().metadata["target"], "target-2");
    let resource = details.resource_info().unwrap();
    assert_eq!(
        (resource.resource_type.as_str(), resource.resource_name.as_str()),
        ("puzzled.v1.StockTarget", "target-2")
    );
    let same = update(&server, pb::UpdateStockTargetRequest { id: hard.id.clone(), ..Default::default() }).await;
    assert_eq!(same.unwrap(), hard, "the target is left as it was");
}

#[tokio::test]
async fn update_without_a_mask_changes_every_field_that_is_set() {
    let server = Server::start().await;
    let before = set(&server, nightly()).await;
    let id = before.id.clone();
    // Regression: the call that set a target cleared all fields that it did not name.
    let more = pb::UpdateStockTargetRequest { id: id.clone(), target: Some(60), ..Default::default() };
    let after = update(&server, more.clone()).await.unwrap();
    let update_time = after.update_time;
    assert_eq!(after, pb::StockTarget { target: 60, update_time, ..before.clone() });
    let again = update(&server, more).await.unwrap();
    assert_eq!(again, after, "an update without effect is none");

    let all = pb::UpdateStockTargetRequest {
        id,
        target: Some(70),
        low_water: Some(70),
        priority: Some(0),
        cron: Some("30 2 * * *".to_owned()),
        time_zone: Some("UTC".to_owned()),
        window_minutes: Some(30),
        update_mask: Some(prost_types::FieldMask::default()),
    };
    let changed = update(&server, all).await.unwrap();
    assert_eq!((changed.target, changed.low_water, changed.priority), (70, 70, 0));
    assert_eq!((changed.cron.as_str(), changed.time_zone.as_str()), ("30 2 * * *", "UTC"));
    assert_eq!((changed.window_minutes, changed.create_time), (30, before.create_time));
}

#[tokio::test]
async fn update_mask_names_changed_fields_and_resets_unset_ones() {
    let server = Server::start().await;
    let before = set(&server, nightly()).await;
    let update = async |request| update(&server, request).await.unwrap();
    let only =
        update(pb::UpdateStockTargetRequest { target: Some(60), priority: Some(9), ..masked(&["priority"]) }).await;
    assert_eq!((only.target, only.priority), (50, 9), "a field that the mask does not name stays");
    let reset = update(masked(&["priority", "low_water", "window_minutes", "time_zone"])).await;
    assert_eq!((reset.priority, reset.low_water), (-50, 50));
    assert_eq!((reset.cron.as_str(), reset.time_zone.as_str(), reset.window_minutes), ("0 1 * * *", "UTC", 60));
    // The mark follows the target again; 0 and the empty text stand for defaults as in a request that creates.
    let fewer = update(pb::UpdateStockTargetRequest { target: Some(10), ..masked(&["target"]) }).await;
    assert_eq!((fewer.target, fewer.low_water), (10, 10));
    let always = update(pb::UpdateStockTargetRequest { cron: Some(String::new()), ..masked(&["cron"]) }).await;
    assert_eq!((always.cron.as_str(), always.time_zone.as_str(), always.window_minutes), ("", "", 0));
    assert_eq!((always.level(), always.create_time, always.id), (pb::Level::Hard, before.create_time, before.id));
}

#[tokio::test]
async fn bad_update_is_refused_with_every_fault_and_changes_nothing() {
    let server = Server::start().await;
    let before = set(&server, nightly()).await;
    let fields = "target, low_water, priority, cron, time_zone, window_minutes";
    let fixed = format!(
        "level cannot change; the fields that can are {fields}; to have other puzzles, delete the target and create \
         another one"
    );
    let unknown = format!("\"low-water\" is no field of a target; those that can change are {fields}");
    check_fields(
        update(&server, masked(&["level", "target", "low-water"])).await,
        &[("update_mask", &fixed), ("update_mask", &unknown)],
    );
    check_fields(
        update(&server, masked(&["target"])).await,
        &[("target", "0 is outside 1 to 10000000"), ("low_water", "20 is outside 1 to target, which is 0")],
    );
    let bad = pb::UpdateStockTargetRequest {
        id: before.id.clone(),
        target: Some(19),
        priority: Some(101),
        time_zone: Some("Mars/Olympus".to_owned()),
        ..Default::default()
    };
    check_fields(
        update(&server, bad).await,
        &[
            ("low_water", "20 is outside 1 to target, which is 19"),
            ("priority", "101 is outside -100 to 100"),
            ("time_zone", "\"Mars/Olympus\" is not an IANA time zone; use one such as Europe/Berlin"),
        ],
    );
    let zone = pb::UpdateStockTargetRequest { time_zone: Some("UTC".to_owned()), ..masked(&["cron", "time_zone"]) };
    check_fields(
        update(&server, zone).await,
        &[("time_zone", "it has no effect without cron; set cron too, or leave it out")],
    );
    let same = update(&server, pb::UpdateStockTargetRequest { id: before.id.clone(), ..Default::default() }).await;
    assert_eq!(same.unwrap(), before);
}

#[tokio::test]
async fn declared_target_is_not_updated_and_may_be_deleted() {
    let server = Server::start().await;
    set(&server, of_level(pb::Level::Hard)).await;
    declare(&server, "night", vec![hard()]).await;
    let listed = server.list_targets().await;
    assert_eq!((listed[0].declared_by.as_str(), listed[0].target), ("night", 5));
    let details = check(update(&server, masked(&[])).await, Code::FailedPrecondition, "TARGET_DECLARED");
    let metadata = &details.error_info().unwrap().metadata;
    assert_eq!((metadata["target"].as_str(), metadata["declared_by"].as_str()), ("target-1", "night"));
    let violation = &details.precondition_failure().unwrap().violations[0];
    assert_eq!((violation.r#type.as_str(), violation.subject.as_str()), ("TARGET_DECLARED", "target-1"));
    let exists = server.stock().await.create_stock_target(of_level(pb::Level::Hard)).await;
    check(exists, Code::AlreadyExists, "TARGET_EXISTS");

    assert!(delete(&server, "target-1").await.unwrap().is_some());
}

#[tokio::test]
async fn targets_are_listed_page_by_page() {
    let server = Server::start().await;
    for level in [pb::Level::Easy, pb::Level::Medium, pb::Level::Hard, pb::Level::Expert, pb::Level::Evil] {
        set(&server, of_level(level)).await;
    }
    let page = |page_size, page_token| pb::ListStockTargetsRequest { page_size, page_token };
    let (first, token) = list(&server, page(2, String::new())).await;
    assert_eq!(first, ["target-1", "target-2"]);
    // If targets are deleted or created meanwhile, no target moves to another page.
    for id in ["target-1", "target-4"] {
        delete(&server, id).await.unwrap();
    }
    set(&server, of_level(pb::Level::Easy)).await;
    let (second, token) = list(&server, page(2, token)).await;
    assert_eq!(second, ["target-3", "target-5"]);
    assert_eq!(list(&server, page(2, token.clone())).await, (vec!["target-6".to_owned()], String::new()));
    let refused = format!("\"{token}\" is not a token of this list and these criteria; use the last next_page_token");
    let jobs = pb::ListJobsRequest { page_token: token, ..Default::default() };
    check_fields(server.list_jobs(jobs).await, &[("page_token", &refused)]);
    let refused = server.stock().await.list_stock_targets(page(-1, "x".to_owned())).await;
    let token = "\"x\" is not a token of this list and these criteria; use the last next_page_token";
    check_fields(refused, &[("page_size", "-1 is below 0; use 0 for the default, or 1 to 200"), ("page_token", token)]);
}

#[tokio::test]
async fn a_bad_target_is_refused_with_every_fault() {
    let server = Server::start().await;
    let mut stock = server.stock().await;
    let bad = pb::CreateStockTargetRequest {
        kind: 0,
        level: 9,
        target: 0,
        low_water: 5,
        priority: Some(-101),
        time_zone: "UTC".to_owned(),
        window_minutes: 1,
        ..Default::default()
    };
    check_fields(
        stock.create_stock_target(bad).await,
        &[
            ("kind", "required; GetServerInfo lists the kinds (`puzzled info`)"),
            ("level", "9 is not a level; use 1 (LEVEL_EASY) to 5 (LEVEL_EVIL)"),
            ("target", "0 is outside 1 to 10000000"),
            ("low_water", "5 is outside 1 to target, which is 0"),
            ("priority", "-101 is outside -100 to 100"),
            ("time_zone", "it has no effect without cron; set cron too, or leave it out"),
            ("window_minutes", "it has no effect without cron; set cron too, or leave it out"),
        ],
    );
    let never = pb::CreateStockTargetRequest { cron: "0 0 30 2 *".to_owned(), ..of_level(pb::Level::Easy) };
    check_fields(
        stock.create_stock_target(never.clone()).await,
        &[("cron", "\"0 0 30 2 *\" never occurs; use a day that its month has")],
    );
    let nowhere =
        pb::CreateStockTargetRequest { cron: "* * * * *".to_owned(), time_zone: "Mars/Olympus".to_owned(), ..never };
    let words = "\"Mars/Olympus\" is not an IANA time zone; use one such as Europe/Berlin";
    check_fields(stock.create_stock_target(nowhere).await, &[("time_zone", words)]);
    let beyond = pb::CreateStockTargetRequest {
        level: pb::Level::Unspecified.into(),
        min_rating: Some(13.4),
        ..of_level(pb::Level::Evil)
    };
    check(stock.create_stock_target(beyond).await, Code::FailedPrecondition, "RATING_UNSUPPORTED");
}

#[tokio::test]
async fn an_unknown_target_is_not_found() {
    let server = Server::start().await;
    for id in ["target-1", "target-01", "job-1", "x"] {
        check(refill(&server, id).await, Code::NotFound, "TARGET_NOT_FOUND");
        let request = pb::UpdateStockTargetRequest { id: id.to_owned(), ..Default::default() };
        check(update(&server, request).await, Code::NotFound, "TARGET_NOT_FOUND");
        let details = check(delete(&server, id).await, Code::NotFound, "TARGET_NOT_FOUND");
        assert_eq!(details.resource_info().unwrap().resource_type, "puzzled.v1.StockTarget");
        let missing = pb::DeleteStockTargetRequest { id: id.to_owned(), allow_missing: true };
        assert_eq!(server.stock().await.delete_stock_target(missing).await.unwrap().into_inner().target, None);
    }
    let nameless = pb::DeleteStockTargetRequest { allow_missing: true, ..Default::default() };
    let refused = server.stock().await.delete_stock_target(nameless).await;
    check_fields(refused, &[("id", "required; set the ID of a stock target")]);
    check_fields(refill(&server, "").await, &[("id", "required; set the ID of a stock target")]);
}
