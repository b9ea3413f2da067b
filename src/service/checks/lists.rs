//! Checks of what a request wants of a list: states, the size of a page, and where it begins.

use prost::Message;

use super::{Checks, quoted};
use crate::{
    proto::v1 as pb,
    service::{convert, page_token, settings::Limits},
    store::job::JobState,
};

/// Largest page size that is taken, and cut to the limit; what lies above is more likely a slip.
const PAGE_SIZE_SENT_MAX: u32 = 1_000;

impl Checks {
    /// The states; none means any, and so does `JOB_STATE_UNSPECIFIED` among them.
    pub(in crate::service) fn states(&mut self, values: &[i32]) -> Vec<JobState> {
        let mut states = Vec::new();
        let any = i32::from(pb::JobState::Unspecified);
        for &value in values.iter().filter(|&&value| value != any) {
            let state = pb::JobState::try_from(value).ok().and_then(convert::job::state_of);
            if state.is_none() {
                self.refuse("states", format!("{value} is not 1 (JOB_STATE_QUEUED) to 5 (JOB_STATE_CANCELLED)"));
            }
            states.extend(state.filter(|state| !states.contains(state)));
        }
        if values.contains(&any) { Vec::new() } else { states }
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
