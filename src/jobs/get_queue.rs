//! `GetQueue`: gets the state of the queue.

use super::job_message::queue_message;
use crate::calls::{Asked, Reply, Service};
use puzzled_api::v1 as pb;

impl Service {
    pub(crate) async fn get_queue(&self, _request: &Asked<pb::GetQueueRequest>) -> Reply<pb::GetQueueResponse> {
        let state = self.queue.store().queue_state().await?;
        Ok(pb::GetQueueResponse { queue: Some(queue_message(state)) })
    }
}
