//! Checks of what a request wants of a list: states, the size of a page, and where it begins.

use std::collections::BTreeMap;

use prost::Message;

use super::{Checks, quoted};
use crate::{
    proto::v1 as pb,
    service::{page_token, render, settings::Limits},
    store::{job::JobState, target::TargetId},
};

/// Largest page size that is taken, and cut to the limit; what lies above is more likely a slip.
const PAGE_SIZE_SENT_MAX: u32 = 1_000;

/// Most labels of a job.
const LABELS_MAX: usize = 16;

/// Most characters of a label's name, and of its value.
const LABEL_LEN_MAX: usize = 63;

impl Checks {
    /// The states; none means any, and so does `JOB_STATE_UNSPECIFIED` among them.
    pub(in crate::service) fn states(&mut self, values: &[i32]) -> Vec<JobState> {
        let mut states = Vec::new();
        let any = i32::from(pb::JobState::Unspecified);
        for &value in values.iter().filter(|&&value| value != any) {
            let state = pb::JobState::try_from(value).ok().and_then(render::job::state_of);
            if state.is_none() {
                self.refuse("states", format!("{value} is not 1 (JOB_STATE_QUEUED) to 5 (JOB_STATE_CANCELLED)"));
            }
            states.extend(state.filter(|state| !states.contains(state)));
        }
        if values.contains(&any) { Vec::new() } else { states }
    }

    /// Labels of a job, or those that a listed job must have.
    pub(in crate::service) fn labels(&mut self, labels: &BTreeMap<String, String>) {
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

    /// The stock target whose jobs are listed; none if it is not said.
    pub(in crate::service) fn target_id(&mut self, id: &str) -> Option<TargetId> {
        let known = id.parse().ok();
        if known.is_none() && !id.is_empty() {
            self.refuse("target_id", format!("{} is not the id of a stock target", quoted(id)));
        }
        known
    }

    /// The number of entries on a page.
    pub(in crate::service) fn page_size(&mut self, value: i32, limits: &Limits) -> u32 {
        match u32::try_from(value) {
            Ok(0) => limits.page_size_default,
            Ok(size) if size > PAGE_SIZE_SENT_MAX => {
                self.refuse("page_size", format!("{size} is above {PAGE_SIZE_SENT_MAX}"));
                0
            }
            Ok(size) => size.min(limits.page_size_max),
            Err(_) => {
                self.refuse("page_size", format!("{value} is below 0"));
                0
            }
        }
    }

    /// The id that the page before ended with; none on the first page.
    pub(in crate::service) fn page_token(&mut self, list: &str, criteria: &impl Message, token: &str) -> Option<i64> {
        if token.is_empty() {
            return None;
        }
        let last_id = page_token::read(list, criteria, token);
        if last_id.is_none() {
            self.refuse("page_token", format!("{} was not given out for this list and these criteria", quoted(token)));
        }
        last_id
    }
}
