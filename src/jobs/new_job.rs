//! Parses `Generate` requests into jobs: count, priority, start time, labels, and the fields by which repeats are
//! compared. Also builds the error of a job that was not queued.

use std::{collections::BTreeMap, sync::Arc};

use prost_types::Timestamp;

use crate::{
    calls::{Service, ServiceError},
    settings::QueueSettings,
    wire::{Parser, compared, instant},
};
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb, words::timestamp};
use puzzled_base::{chance::Chance, clock::Millis};
use puzzled_engine::{
    registry,
    shared::{criteria::Criteria, names::quoted},
};
use puzzled_store::{
    access::actor::Actor,
    deliveries::holder::Holder,
    jobs::{
        admission::Refusal,
        job::{NamedRequest, NewJob},
        repeat::Fields,
    },
    targets::draft::PRIORITY_MAX,
};

/// How far ahead a job may start: 366 days. A later time probably has a wrong unit.
const NOT_BEFORE_MS_MAX: i64 = 366 * 24 * 60 * 60 * 1_000;

/// The maximum number of labels of a job.
const LABELS_MAX: usize = 16;

/// The maximum number of characters of a label's name, and of its value.
const LABEL_LEN_MAX: usize = 63;

impl Service {
    /// Parses a request into the job to queue.
    pub(crate) fn new_job(&self, request: pb::GenerateRequest, by: &Arc<Actor>) -> Result<NewJob, ServiceError> {
        let queue = &self.settings().queue;
        new_job(request, Setting { queue, chance: &self.chance, now: self.clock.now(), by })
    }

    /// The error of a job that was not queued. `request_id` is that of its request.
    pub(crate) fn job_refused(&self, why: Refusal, request_id: String) -> ServiceError {
        match why {
            Refusal::OtherRequest { job, differs } => ServiceError::RequestIdReused { request_id, job, differs },
            Refusal::SameName { first, differs } => ServiceError::RequestIdTwice { request_id, first, differs },
            Refusal::StockFull(full) => ServiceError::StockFull(full),
            Refusal::OverQuota(over) => ServiceError::OverQuota(over),
            Refusal::BacklogFull { open } => ServiceError::backlog_full(open, self.settings().queue.max_open_jobs),
        }
    }
}

/// What a job needs in addition to its request.
#[derive(Debug, Clone, Copy)]
struct Setting<'a> {
    queue: &'a QueueSettings,
    chance: &'a Chance,
    now: Millis,
    by: &'a Arc<Actor>,
}

/// Parses a request into the job to queue.
fn new_job(request: pb::GenerateRequest, setting: Setting<'_>) -> Result<NewJob, ServiceError> {
    let mut parser = Parser::default();
    let spec = parser.spec(&request.stated());
    let wanted = parser.count(request.count, setting.queue);
    let priority = parser.priority(request.priority);
    let not_before_at = parser.not_before(request.not_before_time, setting.now);
    parser.name("request_id", &request.request_id);
    parser.name("audience", &request.audience);
    parser.labels(&request.labels);
    let (criteria, spec) = parser.done_with(spec)?;
    let seed = request.seed.unwrap_or_else(|| setting.chance.next_u64());
    let tries_max = setting.queue.max_tries;
    let fields = (!request.request_id.is_empty()).then(|| fields(&request, &criteria, wanted, not_before_at));
    let (request_id, labels, audience) = (request.request_id, request.labels, request.audience);
    let request = fields.map(|fields| NamedRequest { request_id, fields });
    let needed_version = registry::needed_version(&spec);
    Ok(NewJob {
        spec,
        wanted,
        seed,
        priority,
        tries_max,
        needed_version,
        not_before_at,
        labels,
        request,
        shortfall: None,
        work_ms_max: None,
        by: Some(Arc::clone(setting.by)),
        holder: (!audience.is_empty()).then_some(Holder::Audience(audience)),
    })
}

/// The fields by which a repeat is compared. They determine which puzzles are made, when, and for whom; `priority` and
/// `labels` do not. They hold what the caller sent, so a newer style of a level does not change a repeat.
fn fields(request: &pb::GenerateRequest, criteria: &Criteria, wanted: u32, not_before_at: Millis) -> Fields {
    let mut fields = compared(criteria);
    let set = [
        ("count", Some(wanted.to_string())),
        ("seed", request.seed.map(|seed| seed.to_string())),
        ("audience", Some(request.audience.clone()).filter(|audience| !audience.is_empty())),
        ("not_before_time", request.not_before_time.map(|_| timestamp(not_before_at).to_string())),
    ];
    fields.extend(set.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?))));
    fields
}

impl Parser {
    fn count(&mut self, count: Option<u32>, queue: &QueueSettings) -> u32 {
        let count = count.unwrap_or(1);
        if count == 0 {
            self.refuse("count", "0 is below 1".to_owned());
        } else if count > queue.max_count {
            self.refuse("count", format!("{count} is above {}", queue.max_count));
        }
        count
    }

    fn priority(&mut self, priority: i32) -> i32 {
        if !(-PRIORITY_MAX..=PRIORITY_MAX).contains(&priority) {
            self.refuse("priority", format!("{priority} is outside -{PRIORITY_MAX} to {PRIORITY_MAX}"));
        }
        priority
    }

    /// The earliest start. If it is not set, time zero, so that the job starts at once even if the store's clock
    /// differs from ours.
    fn not_before(&mut self, sent: Option<Timestamp>, now: Millis) -> Millis {
        let Some(sent) = sent else { return Millis::default() };
        match instant(sent) {
            Ok(at) if at.ms_since(now) > NOT_BEFORE_MS_MAX => {
                self.refuse("not_before_time", format!("{sent} is more than 366 days ahead"));
                at
            }
            Ok(at) => at.max(Millis::default()),
            Err(fault) => {
                self.refuse("not_before_time", fault);
                now
            }
        }
    }

    /// The labels of a job, or the labels by which jobs are listed.
    pub(super) fn labels(&mut self, labels: &BTreeMap<String, String>) {
        if labels.len() > LABELS_MAX {
            self.refuse("labels", format!("{} labels; at most {LABELS_MAX} are allowed", labels.len()));
        }
        for (name, value) in labels.iter().take(LABELS_MAX) {
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
            if !(1..=LABEL_LEN_MAX).contains(&name.len()) || !name.bytes().all(is_plain) {
                let limit = format!("1 to {LABEL_LEN_MAX} characters of a-z, 0-9, '.', '_' and '-'");
                self.refuse("labels", format!("the name {} is not allowed; use {limit}", quoted(name)));
            }
            if value.len() > LABEL_LEN_MAX || !value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
                let limit = format!("at most {LABEL_LEN_MAX} printable ASCII characters");
                self.refuse(
                    "labels",
                    format!("the value {} of {} is not allowed; use {limit}", quoted(value), quoted(name)),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_store::jobs::repeat::differences;

    #[test]
    fn repeat_is_compared_by_what_determines_the_puzzles() {
        let (queue, chance) = (QueueSettings::default(), Chance::from_seed(1));
        let by = Arc::new(Actor::configuration("host"));
        let fields_of = |request: pb::GenerateRequest| {
            let setting = Setting { queue: &queue, chance: &chance, now: Millis(0), by: &by };
            new_job(request, setting).unwrap().request.map(|request| request.fields)
        };
        let first = pb::GenerateRequest { kind: 1, request_id: "one".to_owned(), ..Default::default() };
        let fields = fields_of(first.clone()).unwrap();
        let labels = BTreeMap::from([("for".to_owned(), "paper".to_owned())]);
        for same in [
            pb::GenerateRequest { request_id: "two".to_owned(), ..first.clone() },
            pb::GenerateRequest { priority: 7, labels, ..first.clone() },
            pb::GenerateRequest { count: Some(1), variant: "9x9".to_owned(), ..first.clone() },
        ] {
            assert_eq!(fields_of(same.clone()).unwrap(), fields, "{same:?}");
        }
        let at = Some(Timestamp { seconds: 5, nanos: 0 });
        for (field, other) in [
            ("kind", pb::GenerateRequest { kind: 2, variant: "9x9".to_owned(), ..first.clone() }),
            ("level", pb::GenerateRequest { level: 2, ..first.clone() }),
            ("min_rating", pb::GenerateRequest { min_rating: Some(2.0), ..first.clone() }),
            ("max_rating", pb::GenerateRequest { max_rating: Some(2.0), ..first.clone() }),
            ("symmetry", pb::GenerateRequest { symmetry: 2, ..first.clone() }),
            ("min_givens", pb::GenerateRequest { min_givens: Some(24), ..first.clone() }),
            ("max_givens", pb::GenerateRequest { max_givens: Some(30), ..first.clone() }),
            ("count", pb::GenerateRequest { count: Some(2), ..first.clone() }),
            ("seed", pb::GenerateRequest { seed: Some(0), ..first.clone() }),
            ("not_before_time", pb::GenerateRequest { not_before_time: at, ..first.clone() }),
            ("audience", pb::GenerateRequest { audience: "anna".to_owned(), ..first.clone() }),
            ("technique", pb::GenerateRequest { technique: "x-wing".to_owned(), ..first.clone() }),
        ] {
            let differs = differences(&fields_of(other).unwrap(), &fields);
            assert_eq!(differs.iter().map(|differs| differs.field.as_str()).collect::<Vec<_>>(), [field]);
        }
        assert_eq!(fields_of(pb::GenerateRequest { request_id: String::new(), ..first }), None);
    }
}
