//! `ResumeQueue`: lets workers claim slices again.

use super::job_message::queue_message;
use crate::calls::{Asked, Reply, Service, actor_of};
use puzzled_api::v1 as pb;

impl Service {
    pub(crate) async fn resume_queue(&self, request: &Asked<pb::ResumeQueueRequest>) -> Reply<pb::ResumeQueueResponse> {
        let by = actor_of(request, "ResumeQueue")?;
        let state = self.queue.resume(&by).await?;
        Ok(pb::ResumeQueueResponse { queue: Some(queue_message(state)) })
    }
}
