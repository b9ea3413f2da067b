//! `GetServerInfo`: gets the limits of the server, the kinds that it makes, and who calls.

use crate::{
    calls::{Asked, Reply, Service, caller_of},
    settings::{Limits, Settings},
    wire::{self, duration_of},
};
use prost_types::Duration;
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
        request: &Asked<pb::GetServerInfoRequest>,
    ) -> Reply<pb::GetServerInfoResponse> {
        Ok(pb::GetServerInfoResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine_version: ENGINE_VERSION,
            kinds: registry::kinds().iter().map(|kind| kind_info(*kind)).collect(),
            limits: Some(limits(&self.settings())),
            caller: Some(wire::caller(&caller_of(request.extensions())?.principal)),
        })
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

fn givens_info(limits: GivensLimits) -> pb::GivensInfo {
    let GivensLimits { searched, made } = limits;
    pb::GivensInfo {
        min: searched.min.into(),
        max: searched.max.into(),
        min_made: made.min.into(),
        max_made: made.max.into(),
    }
}

fn limits(settings: &Settings) -> pb::Limits {
    let Settings { queue, stock, connections, .. } = settings;
    pb::Limits {
        max_count: queue.max_count,
        max_tries: queue.max_tries,
        max_open_jobs: queue.max_open_jobs,
        max_puzzles: stock.max_puzzles,
        max_database_bytes: stock.max_database_bytes,
        max_refills: stock.max_refills,
        max_connections: connections.max_connections,
        max_connections_per_address: connections.max_per_address(),
        max_handshakes: connections.max_handshakes,
        handshake_timeout: Some(duration(connections.handshake_seconds)),
        connection_age: Some(duration(connections.connection_age_seconds)),
        connection_age_grace: Some(duration(connections.connection_age_grace_seconds)),
        keepalive_timeout: Some(duration(connections.keepalive_timeout_seconds)),
        top_up_count: settings.limits.top_up_count.min(queue.max_count),
        ..of_calls(&settings.limits)
    }
}

fn of_calls(limits: &Limits) -> pb::Limits {
    pb::Limits {
        max_targets: limits.max_targets,
        max_streams: limits.max_streams,
        max_page_size: limits.max_page_size,
        max_request_bytes: limits.max_request_bytes,
        max_daily_ahead_days: limits.daily_ahead_days,
        max_response_bytes: limits.max_response_bytes,
        max_text_bytes: limits.max_text_bytes,
        max_batch_requests: limits.max_batch_requests,
        top_up_time: Some(duration_of(limits.top_up().work_ms_max)),
        default_page_size: limits.default_page_size,
        max_page_size_drawn: limits.max_page_size_drawn,
        max_watchers: limits.max_watchers,
        max_waiting_calls: limits.max_waiting_calls,
        default_wait: Some(duration(limits.default_wait_seconds)),
        max_wait: Some(duration(limits.max_wait_seconds)),
        max_exports: limits.max_exports,
        max_calls: limits.max_calls,
        compute_threads: limits.compute_threads,
        max_waiting_short: limits.max_waiting_short,
        max_waiting_long: limits.max_waiting_long,
        max_search_nodes: limits.max_search_nodes,
        max_rating_nodes: limits.max_rating_nodes,
        ..pb::Limits::default()
    }
}

fn duration(time: std::time::Duration) -> Duration {
    let seconds = i64::try_from(time.as_secs()).expect("below 2^63 s");
    Duration { seconds, nanos: i32::try_from(time.subsec_nanos()).expect("less than a second") }
}
