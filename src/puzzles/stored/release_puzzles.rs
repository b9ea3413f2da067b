//! `ReleasePuzzles`: puts held puzzles on the shelves.

use crate::{
    calls::{Asked, Reply, Service, ServiceError, actor_of},
    wire::Parser,
};
use puzzled_api::v1 as pb;
use puzzled_store::deliveries::holder::{Holder, Release, ReleaseOf};

/// The maximum number of IDs in a request to release puzzles.
const RELEASED_IDS_MAX: usize = 500;

impl Service {
    pub(crate) async fn release_puzzles(
        &self,
        request: &Asked<pb::ReleasePuzzlesRequest>,
    ) -> Reply<pb::ReleasePuzzlesResponse> {
        let by = actor_of(request, "ReleasePuzzles")?;
        let request = request.get_ref();
        let release = parse(request)?;
        let done = self.stock.release(&release, request.dry_run, &by).await?;
        if !request.dry_run && done.released > 0 {
            tracing::info!(count = done.released, remaining = done.left, reason = release.reason, "puzzles released");
        }
        Ok(pb::ReleasePuzzlesResponse {
            released: done.released,
            ids: done.ids.iter().map(ToString::to_string).collect(),
            remaining: done.left,
            kept: done.kept,
        })
    }
}

/// The held puzzles to release. The request must have a reason.
fn parse(request: &pb::ReleasePuzzlesRequest) -> Result<Release, ServiceError> {
    let mut parser = Parser::default();
    let pb::ReleasePuzzlesRequest { series, audience, ids, reason, .. } = request;
    parser.required_reason(reason);
    parser.name("audience", audience);
    parser.name("series", series);
    if ids.len() > RELEASED_IDS_MAX {
        parser.refuse("ids", format!("{} ids; at most {RELEASED_IDS_MAX} are allowed", ids.len()));
    }
    let of = match (series.as_str(), audience.as_str(), ids.as_slice()) {
        (name, "", []) if !name.is_empty() => Some(ReleaseOf::Holder(Holder::Series(name.to_owned()))),
        ("", name, []) if !name.is_empty() => Some(ReleaseOf::Holder(Holder::Audience(name.to_owned()))),
        ("", "", [_, ..]) => Some(ReleaseOf::Ids(Vec::new())),
        _ => {
            parser.refuse("criteria", "set exactly one of series, audience, and ids".to_owned());
            None
        }
    };
    match parser.done_with(of)? {
        ReleaseOf::Ids(_) => {
            let parsed = ids.iter().map(|id| id.parse().map_err(|()| ServiceError::PuzzleNotFound(id.clone())));
            Ok(Release { of: ReleaseOf::Ids(parsed.collect::<Result<_, _>>()?), reason: reason.clone() })
        }
        of @ ReleaseOf::Holder(_) => Ok(Release { of, reason: reason.clone() }),
    }
}
