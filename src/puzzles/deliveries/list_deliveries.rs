//! `ListDeliveries`: lists the deliveries of an audience, the newest first.

use tonic::Request;

use crate::{
    calls::{Reply, Service, ServiceError},
    settings::Limits,
    wire::{Page, Parser, timestamp},
};
use puzzled_api::v1 as pb;
use puzzled_store::deliveries::delivery::{Delivery, DeliveryId};

impl Service {
    pub(crate) async fn list_deliveries(
        &self,
        request: &Request<pb::ListDeliveriesRequest>,
    ) -> Reply<pb::ListDeliveriesResponse> {
        let request = request.get_ref();
        let page = parse(request, &self.settings().limits)?;
        let before = page.after.map(DeliveryId);
        let read = self.stock.store().deliveries(&request.audience, before, page.reads()).await;
        let (deliveries, next_page_token) = page.cut(read?, |delivery| delivery.id.0);
        let deliveries = deliveries.into_iter().map(delivery).collect();
        Ok(pb::ListDeliveriesResponse { deliveries, next_page_token })
    }
}

/// The page of a request.
fn parse(
    request: &pb::ListDeliveriesRequest,
    limits: &Limits,
) -> Result<Page<pb::ListDeliveriesRequest>, ServiceError> {
    let mut parser = Parser::default();
    parser.required_audience(&request.audience);
    let criteria = pb::ListDeliveriesRequest { page_size: 0, page_token: String::new(), ..request.clone() };
    let size = parser.page_size(request.page_size, limits);
    let page = parser.page("deliveries", criteria, size, &request.page_token);
    parser.done()?;
    Ok(page)
}

fn delivery(delivery: Delivery) -> pb::Delivery {
    pb::Delivery {
        puzzle_id: delivery.puzzle_id.map(|id| id.to_string()).unwrap_or_default(),
        deliver_time: Some(timestamp(delivery.at)),
        request_id: delivery.request_id.unwrap_or_default(),
        date: delivery.date.unwrap_or_default(),
        repeat_hash: delivery.repeat_hash.to_string(),
        series: delivery.series.unwrap_or_default(),
    }
}
