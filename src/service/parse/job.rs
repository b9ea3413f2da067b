//! Requests for jobs.

use std::collections::BTreeMap;

use prost_types::Timestamp;

use super::{Parser, criteria::Criteria, names::named};
use crate::{
    chance::Chance,
    clock::Millis,
    proto::v1 as pb,
    service::{errors::ServiceError, quoted::quoted, settings::Limits},
    stock::targets::draft::PRIORITY_MAX,
    store::job::NewJob,
};

/// How far ahead a job may be put off: 366 days. What lies further ahead is more likely a slip of units.
const NOT_BEFORE_MS_MAX: i64 = 366 * 24 * 60 * 60 * 1_000;

/// Most labels of a job.
const LABELS_MAX: usize = 16;

/// Most characters of a label's name, and of its value.
const LABEL_LEN_MAX: usize = 63;

/// What a request is turned into a job with.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct Setting<'a> {
    pub(in crate::service) limits: &'a Limits,
    pub(in crate::service) chance: &'a Chance,
    pub(in crate::service) tries_max: u32,
    pub(in crate::service) now: Millis,
}

/// The job that a request asks for.
pub(in crate::service) fn new_job(
    mut request: pb::GenerateRequest,
    setting: Setting<'_>,
) -> Result<NewJob, ServiceError> {
    let mut parser = Parser::default();
    let spec = parser.spec(Criteria::from(&request), request.clues, &request.technique);
    let wanted = parser.count(request.count, setting.limits);
    let priority = parser.priority(request.priority);
    let not_before_at = parser.not_before(request.not_before_time, setting.now);
    parser.name("request_id", &request.request_id);
    parser.labels(&request.labels);
    let spec = parser.done_with(spec)?;
    let seed = request.seed.unwrap_or_else(|| setting.chance.next_u64());
    let (tries_max, labels, no_extras) = (setting.tries_max, request.labels.clone(), request.no_extras);
    let request = named(std::mem::take(&mut request.request_id), &request);
    Ok(NewJob { spec, wanted, seed, priority, tries_max, not_before_at, labels, no_extras, request, shortfall: None })
}

impl Parser {
    fn count(&mut self, count: Option<u32>, limits: &Limits) -> u32 {
        let count = count.unwrap_or(1);
        if count == 0 {
            self.refuse("count", "0 is below 1".to_owned());
        } else if count > limits.count_max {
            self.refuse("count", format!("{count} is above {}", limits.count_max));
        }
        count
    }

    fn priority(&mut self, priority: i32) -> i32 {
        if !(-PRIORITY_MAX..=PRIORITY_MAX).contains(&priority) {
            self.refuse("priority", format!("{priority} is outside -{PRIORITY_MAX} to {PRIORITY_MAX}"));
        }
        priority
    }

    /// The beginning of time where the request does not say: at once, however far the store's clock is from ours.
    fn not_before(&mut self, sent: Option<Timestamp>, now: Millis) -> Millis {
        let Some(sent) = sent else { return Millis::default() };
        match millis(sent) {
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

    /// Labels of a job, or those that a listed job must have.
    pub(super) fn labels(&mut self, labels: &BTreeMap<String, String>) {
        if labels.len() > LABELS_MAX {
            self.refuse("labels", format!("{} labels are above {LABELS_MAX}", labels.len()));
        }
        for (name, value) in labels.iter().take(LABELS_MAX) {
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
            if !(1..=LABEL_LEN_MAX).contains(&name.len()) || !name.bytes().all(is_plain) {
                let limit = format!("1 to {LABEL_LEN_MAX} characters of a-z, 0-9, '.', '_' and '-'");
                self.refuse("labels", format!("the name {} is not of {limit}", quoted(name)));
            }
            if value.len() > LABEL_LEN_MAX || !value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
                let limit = format!("at most {LABEL_LEN_MAX} printable ASCII characters");
                self.refuse("labels", format!("the value {} of {} is not of {limit}", quoted(value), quoted(name)));
            }
        }
    }
}

/// An instant as sent, rounded up to the millisecond, or what is wrong with it.
fn millis(at: Timestamp) -> Result<Millis, String> {
    // The years 1 to 9999, as the message's own definition bounds them.
    const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
    if !SECONDS.contains(&at.seconds) {
        return Err(format!("{} seconds are outside {} to {}", at.seconds, SECONDS.start(), SECONDS.end()));
    }
    if !(0..1_000_000_000).contains(&at.nanos) {
        return Err(format!("{} nanos are outside 0 to 999999999", at.nanos));
    }
    Ok(Millis(at.seconds * 1_000 + (i64::from(at.nanos) + 999_999) / 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::render::timestamp;

    #[test]
    fn instants_survive_the_wire_and_bad_ones_are_refused() {
        for at in [0, 1, 999, 1_700_000_000_123, -1, -1_001] {
            assert_eq!(millis(timestamp(Millis(at))), Ok(Millis(at)));
        }
        for (seconds, nanos, wanted) in [
            (1, 1, Ok(1_001)),
            (253_402_300_800, 0, Err("253402300800 seconds are outside -62135596800 to 253402300799")),
            (0, -1, Err("-1 nanos are outside 0 to 999999999")),
            (0, 1_000_000_000, Err("1000000000 nanos are outside 0 to 999999999")),
        ] {
            assert_eq!(millis(Timestamp { seconds, nanos }), wanted.map(Millis).map_err(str::to_owned));
        }
    }

    #[test]
    fn only_the_name_of_a_request_is_left_out_of_what_it_is_compared_by() {
        let (limits, chance) = (Limits::default(), Chance::from_seed(1));
        let request_of = |request: pb::GenerateRequest| {
            let setting = Setting { limits: &limits, chance: &chance, tries_max: 1, now: Millis(0) };
            new_job(request, setting).unwrap().request
        };
        let request = pb::GenerateRequest { kind: 1, request_id: "one".to_owned(), ..Default::default() };
        let named_one = request_of(request.clone()).unwrap();
        assert_eq!(named_one.request_id, "one");
        let other_name = pb::GenerateRequest { request_id: "two".to_owned(), ..request.clone() };
        assert_eq!(request_of(other_name).unwrap().body, named_one.body);
        let other_request = pb::GenerateRequest { count: Some(1), ..request.clone() };
        assert_ne!(request_of(other_request).unwrap().body, named_one.body);
        assert_eq!(request_of(pb::GenerateRequest { request_id: String::new(), ..request }), None);
    }
}
