//! Builds the response of `ImportPuzzles`.

use puzzled_api::{
    v1 as pb,
    words::{kind, level},
};
use puzzled_store::stock::import::{Examined, Outcome, OutsideStyle, Reason, outside_style};

/// The response for the records that a call began.
pub(crate) fn imported(examined: &[Examined], outcomes: Vec<Outcome>) -> pb::ImportPuzzlesResponse {
    let outside_style = outside_style(examined, &outcomes).into_iter().map(outside).collect();
    pb::ImportPuzzlesResponse { results: outcomes.into_iter().map(result).collect(), outside_style }
}

fn result(Outcome { line, stored }: Outcome) -> pb::ImportResult {
    match stored {
        Ok(id) => pb::ImportResult {
            line,
            puzzle_id: id.map(|id| id.to_string()).unwrap_or_default(),
            ..pb::ImportResult::default()
        },
        Err(refused) => pb::ImportResult {
            line,
            refusal: refusal(refused.reason).into(),
            detail: refused.fault,
            puzzle_id: String::new(),
            other_id: refused.other.and_then(|other| other.id).map(|id| id.to_string()).unwrap_or_default(),
            other_line: refused.other.and_then(|other| other.line).unwrap_or_default(),
        },
    }
}

fn refusal(reason: Reason) -> pb::ImportRefusal {
    match reason {
        Reason::Unreadable => pb::ImportRefusal::Unreadable,
        Reason::NoSolution => pb::ImportRefusal::NoSolution,
        Reason::Several => pb::ImportRefusal::Several,
        Reason::Unrated => pb::ImportRefusal::Unrated,
        Reason::TooNew => pb::ImportRefusal::TooNew,
        Reason::Known => pb::ImportRefusal::Known,
        Reason::Isomorph => pb::ImportRefusal::Isomorph,
        Reason::SameSolution => pb::ImportRefusal::SameSolution,
        Reason::Barred => pb::ImportRefusal::Barred,
        Reason::NoShelf => pb::ImportRefusal::NoShelf,
        Reason::LineTaken => pb::ImportRefusal::LineTaken,
    }
}

fn outside(of: OutsideStyle) -> pb::ImportedOutsideStyle {
    pb::ImportedOutsideStyle {
        kind: kind(&of.kind).into(),
        variant: of.variant,
        level: level(of.level).into(),
        count: of.count,
        min_givens: of.min_givens.into(),
        max_givens: of.max_givens.into(),
    }
}
