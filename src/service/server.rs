//! Handlers of `ServerService`.

use tonic::{Request, Response, Status};

use super::{Service, errors::ServiceError, parse, render};
use crate::proto::v1::{self as pb, server_service_server::ServerService};
use puzzled_engine::{ENGINE_VERSION, kind::PuzzleKind, level::LevelBorder, registry};

#[tonic::async_trait]
impl ServerService for Service {
    async fn get_server_info(
        &self,
        _request: Request<pb::GetServerInfoRequest>,
    ) -> Result<Response<pb::GetServerInfoResponse>, Status> {
        let policy = self.queue.policy();
        Ok(Response::new(pb::GetServerInfoResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine_version: ENGINE_VERSION,
            kinds: registry::kinds().iter().map(|kind| kind_info(*kind)).collect(),
            limits: Some(pb::Limits {
                max_count: self.limits.count_max,
                max_tries: policy.tries_max,
                max_open_jobs: policy.open_jobs_max,
                max_page_size: self.limits.page_size_max,
                max_request_bytes: self.limits.request_bytes_max,
                max_daily_ahead_days: self.limits.daily_ahead_days,
                max_daily_past_days: self.limits.daily_past_days,
            }),
        }))
    }

    async fn list_processes(
        &self,
        request: Request<pb::ListProcessesRequest>,
    ) -> Result<Response<pb::ListProcessesResponse>, Status> {
        let page = parse::processes(request.get_ref(), &self.limits)?;
        let listed = self.queue.store().processes(page.after, page.reads()).await.map_err(ServiceError::Store)?;
        let (listed, next_page_token) = page.cut(listed, |process| process.id);
        let processes = listed.into_iter().map(render::process::process).collect();
        Ok(Response::new(pb::ListProcessesResponse { processes, next_page_token }))
    }
}

fn kind_info(kind: &dyn PuzzleKind) -> pb::KindInfo {
    let (rater, rater_version) = kind.rater();
    let variants = kind.variants();
    pb::KindInfo {
        kind: render::kind(kind.name()).into(),
        rater: rater.to_owned(),
        rater_version,
        variant_meaning: variants.meaning.to_owned(),
        variants: variants.names.iter().map(|&name| name.to_owned()).collect(),
        default_variant: kind.default_variant().to_owned(),
        symmetries: kind.symmetries().iter().map(|&symmetry| render::symmetry(symmetry).into()).collect(),
        levels: kind.levels().iter().map(|border| level_info(kind, border)).collect(),
        max_rating: render::rating(kind.rating_max()),
        max_generated_rating: render::rating(kind.generated_max()),
        techniques: kind.techniques().into_iter().map(str::to_owned).collect(),
    }
}

fn level_info(kind: &dyn PuzzleKind, border: &LevelBorder) -> pb::LevelInfo {
    pb::LevelInfo {
        level: render::level(border.level).into(),
        min_rating: render::rating(border.min),
        max_rating: render::rating(border.max),
        reason: border.reason.to_owned(),
        supported: border.min <= kind.generated_max(),
    }
}
