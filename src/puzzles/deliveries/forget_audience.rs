//! `ForgetAudience`: deletes the deliveries of an audience.

use crate::{
    calls::{Asked, Reply, Service, actor_of},
    wire::Parser,
};
use puzzled_api::v1 as pb;
use puzzled_store::deliveries::delivery::Forgotten;

impl Service {
    pub(crate) async fn forget_audience(
        &self,
        request: &Asked<pb::ForgetAudienceRequest>,
    ) -> Reply<pb::ForgetAudienceResponse> {
        let by = actor_of(request, "ForgetAudience")?;
        let audience = &request.get_ref().audience;
        let mut parser = Parser::default();
        parser.required_audience(audience);
        parser.done()?;
        let Forgotten { deliveries, withdrawn, cancelled } = self.stock.store().forget_audience(audience, &by).await?;
        // The name of an audience may identify a person, so it is not logged.
        tracing::info!(deliveries, withdrawn, cancelled, "audience forgotten");
        Ok(pb::ForgetAudienceResponse { forgotten: deliveries, withdrawn, cancelled })
    }
}
