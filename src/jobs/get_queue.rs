//! `GetQueue`: gets the state of the queue.

use tonic::Request;

use super::job_message::queue_message;
use crate::calls::{Reply, Service};
use puzzled_api::v1 as pb;

impl Service {
    pub(crate) async fn get_queue(&self, _request: &Request<pb::GetQueueRequest>) -> Reply<pb::GetQueueResponse> {
        let state = self.queue.store().queue_state().await?;
        Ok(pb::GetQueueResponse { queue: Some(queue_message(state)) })
    }
}
