//! What each kind refuses, and its verdicts on texts without one solution, by `refusals.toml` and `verdicts.toml` of its folder.

use crate::{
    databases::{
        kinds::cases,
        refusals::{Refusals, RefusedSpec},
        verdicts::{Is, Judged, Verdicts},
    },
    kakuro,
    kinds::{kind_of, level_of, symmetry_of},
    prelude::*,
};

#[tokio::test]
async fn spec_that_a_kind_does_not_make_is_refused_and_nothing_is_queued() {
    let server = Server::start().await;
    for (kind, refusals) in cases::<Refusals>("refusals.toml") {
        for spec in refusals.spec {
            let RefusedSpec { variant, level, symmetry, technique, min_givens, max_givens, field, message } = spec;
            let request = pb::GenerateRequest {
                kind: kind_of(kind),
                variant,
                level: level.map_or(0, |name| level_of(&name).into()),
                symmetry: symmetry.map_or(0, |name| symmetry_of(&name).into()),
                technique: technique.unwrap_or_default(),
                min_givens: min_givens.map(u32::from),
                max_givens: max_givens.map(u32::from),
                ..kakuro::generate()
            };
            check_fields(server.generate(request).await, &[(&field, &message)]);
        }
    }
    let jobs = server.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
    assert!(jobs.is_empty(), "{jobs:?}");
}

#[tokio::test]
async fn text_that_a_kind_refuses_is_refused_alike_by_each_call() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (kind, refusals) in cases::<Refusals>("refusals.toml") {
        let kind = kind_of(kind);
        for case in refusals.text {
            let expected = [(if case.is_variant { "variant" } else { "text" }, case.message.as_str())];
            let (variant, text) = (case.variant, case.text);
            let solve = pb::SolveRequest { kind, variant: variant.clone(), text: text.clone(), ..Default::default() };
            check_fields(puzzles.solve(solve).await, &expected);
            let rate = pb::RateRequest { kind, variant: variant.clone(), text: text.clone() };
            check_fields(puzzles.rate(rate).await, &expected);
            let hint = pb::HintRequest { kind, variant: variant.clone(), text: text.clone(), ..Default::default() };
            check_fields(puzzles.hint(hint).await, &expected);
            let validate = pb::ValidateRequest { kind, variant, text, ..Default::default() };
            check_fields(puzzles.validate(validate).await, &expected);
        }
    }
}

#[tokio::test]
async fn verdict_on_a_text_says_why_and_other_calls_refuse_it_with_the_reason() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (kind, verdicts) in cases::<Verdicts>("verdicts.toml") {
        let kind = kind_of(kind);
        // A server has its own number of nodes.
        let verdicts = verdicts.verdict.into_iter().filter(|case| case.nodes.is_none() || case.verdict != Is::Unknown);
        for Judged { variant, text, verdict, cells, reason, under_rule, .. } in verdicts {
            let validate =
                pb::ValidateRequest { kind, variant: variant.clone(), text: text.clone(), ..Default::default() };
            let answer = puzzles.validate(validate).await.unwrap().into_inner();
            let (expected, words, refused) = match verdict {
                Is::Unique => (pb::Verdict::Unique, "exactly one solution".to_owned(), None),
                Is::None => (pb::Verdict::None, format!("no solution{under_rule}"), Some("NO_SOLUTION")),
                Is::Several => {
                    let words = format!("more than one solution{under_rule}; two of them differ in ");
                    (pb::Verdict::Several, words, Some("NOT_UNIQUE"))
                }
                Is::Contradiction => {
                    let words = format!("the givens contradict each other: {reason}");
                    (pb::Verdict::Contradiction, words, Some("CONTRADICTION"))
                }
                Is::Unknown => panic!("{text}: a verdict that depends on the nodes states them"),
            };
            assert_eq!((answer.verdict(), answer.message.starts_with(&words)), (expected, true), "{}", answer.message);
            assert!(verdict == Is::Several || answer.message == words, "{}", answer.message);
            let named = answer.cells.iter().map(|cell| format!("r{}c{}", cell.row, cell.column)).collect::<Vec<_>>();
            assert!(cells.is_empty() || named == cells, "{named:?}");
            let Some(refused) = refused else { continue };
            let solve = pb::SolveRequest { kind, variant, text, ..Default::default() };
            let answer = puzzles.solve(solve).await;
            let words = words.split("; two").next().unwrap();
            let words = if verdict == Is::Contradiction { words.to_owned() } else { format!("the puzzle has {words}") };
            let message = answer.as_ref().unwrap_err().message().to_owned();
            assert!(message.starts_with(&format!("text: {words}")), "{message}");
            let details = check(answer, Code::InvalidArgument, refused);
            assert_eq!(details.bad_request().unwrap().field_violations[0].field, "text");
        }
    }
}
