//! `PauseQueue`: stops workers from claiming slices, until the queue is resumed.

use super::job_message::queue_message;
use crate::{
    calls::{Asked, Reply, Service, actor_of},
    wire::Parser,
};
use puzzled_api::v1 as pb;

impl Service {
    pub(crate) async fn pause_queue(&self, request: &Asked<pb::PauseQueueRequest>) -> Reply<pb::PauseQueueResponse> {
        let by = actor_of(request, "PauseQueue")?;
        let reason = &request.get_ref().reason;
        let mut parser = Parser::default();
        parser.reason(reason);
        parser.done()?;
        let state = self.queue.pause(reason, &by).await?;
        Ok(pb::PauseQueueResponse { queue: Some(queue_message(state)) })
    }
}
