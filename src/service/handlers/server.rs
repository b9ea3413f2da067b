//! Handlers of `ServerService`: get the limits and the kinds of the server, list processes, and list audit entries.

use tonic::Request;

use super::Reply;
use crate::{
    calls::service::Service,
    service::{parse, render},
};
use puzzled_api::{v1 as pb, words};
use puzzled_engine::{
    ENGINE_VERSION, registry,
    shared::{
        givens::{Givens, GivensLimits, Style},
        kind::PuzzleKind,
        level::LevelBorder,
        variant::{TechniqueGoal, TechniqueInfo, VariantInfo},
    },
};

impl Service {
    #[expect(clippy::unused_async, reason = "all methods are awaited")]
    pub(crate) async fn get_server_info(
        &self,
        _request: &Request<pb::GetServerInfoRequest>,
    ) -> Reply<pb::GetServerInfoResponse> {
        Ok(pb::GetServerInfoResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine_version: ENGINE_VERSION,
            kinds: registry::kinds().iter().map(|kind| kind_info(*kind)).collect(),
            limits: Some(render::server_info::limits(&self.settings())),
        })
    }

    pub(crate) async fn list_processes(
        &self,
        request: &Request<pb::ListProcessesRequest>,
    ) -> Reply<pb::ListProcessesResponse> {
        let page = parse::processes(request.get_ref(), &self.settings().limits)?;
        let listed = self.queue.store().processes(page.after, page.reads()).await?;
        let (listed, next_page_token) = page.cut(listed, |process| process.id);
        let processes = listed.into_iter().map(render::server_info::process).collect();
        Ok(pb::ListProcessesResponse { processes, next_page_token })
    }

    pub(crate) async fn list_audit_entries(
        &self,
        request: &Request<pb::ListAuditEntriesRequest>,
    ) -> Reply<pb::ListAuditEntriesResponse> {
        let (filter, page) = parse::audit_entries(request.get_ref(), &self.settings().limits)?;
        let read = self.queue.store().audit_entries(&filter, page.after, page.reads()).await;
        let (entries, next_page_token) = page.cut(read?, |entry| entry.id);
        let entries = entries.into_iter().map(render::server_info::audit_entry).collect();
        Ok(pb::ListAuditEntriesResponse { entries, next_page_token })
    }
}

fn kind_info(kind: &dyn PuzzleKind) -> pb::KindInfo {
    pb::KindInfo {
        kind: words::kind(kind.name()).into(),
        variant_meaning: kind.variant_meaning().to_owned(),
        default_variant: kind.default_variant().to_owned(),
        variants: kind.variants().iter().map(variant_info).collect(),
    }
}

fn variant_info(variant: &VariantInfo) -> pb::VariantInfo {
    pb::VariantInfo {
        name: variant.name.to_owned(),
        levels: variant.levels.iter().map(|border| level_info(variant, border)).collect(),
        symmetries: variant.symmetries.iter().map(|info| words::symmetry(info.symmetry).into()).collect(),
        techniques: variant.techniques.iter().map(technique_info).collect(),
        rater: variant.rater.to_owned(),
        rater_version: variant.rater_version,
        max_generated_rating: words::rating(variant.generated_max),
        max_rating: words::rating(variant.rating_max),
        givens: variant.givens.map(givens_info),
        technique_criterion: variant.has_technique,
        rules: variant.rules.to_owned(),
        symbols: variant.symbols.to_owned(),
        box_rows: variant.boxes.map_or(0, |size| size.rows.into()),
        box_columns: variant.boxes.map_or(0, |size| size.columns.into()),
        repeats_by_solution: variant.repeats_by_solution,
    }
}

fn givens_info(limits: GivensLimits) -> pb::GivensInfo {
    let GivensLimits { searched, made } = limits;
    pb::GivensInfo {
        min: searched.min.into(),
        max: searched.max.into(),
        min_made: made.min.into(),
        max_made: made.max.into(),
    }
}

fn style(style: &Style) -> pb::Style {
    let ends = |givens: Option<Givens>| givens.map_or((0, 0), |givens| (givens.min.into(), givens.max.into()));
    let ((min_givens_made, max_givens_made), (min_givens_delivered, max_givens_delivered)) =
        (ends(style.made), ends(style.delivered));
    let symmetry = words::symmetry(style.symmetry).into();
    pb::Style { symmetry, min_givens_made, max_givens_made, min_givens_delivered, max_givens_delivered }
}

fn technique_info(technique: &TechniqueInfo) -> pb::TechniqueInfo {
    pb::TechniqueInfo {
        name: technique.name.to_owned(),
        min_rating: words::rating(technique.min_rating),
        max_rating: words::rating(technique.max_rating),
        generated: technique.goal != TechniqueGoal::Refused,
        rare: technique.goal == TechniqueGoal::Rare,
    }
}

fn level_info(variant: &VariantInfo, border: &LevelBorder) -> pb::LevelInfo {
    pb::LevelInfo {
        level: words::level(border.level).into(),
        min_rating: words::rating(border.min),
        max_rating: words::rating(border.max),
        reason: border.reason.to_owned(),
        supported: border.min <= variant.generated_max,
        style: variant.style(border.level).map(style),
    }
}
