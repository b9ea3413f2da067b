//! `ListDeliveries`: lists the deliveries of an audience, the newest first.

use crate::{
    calls::{Asked, Reply, Service},
    wire::Parser,
};
use puzzled_api::{v1 as pb, words::timestamp};
use puzzled_store::deliveries::delivery::{Delivery, DeliveryId};

impl Service {
    pub(crate) async fn list_deliveries(
        &self,
        request: &Asked<pb::ListDeliveriesRequest>,
    ) -> Reply<pb::ListDeliveriesResponse> {
        let request = request.get_ref();
        let mut parser = Parser::default();
        parser.required_audience(&request.audience);
        let criteria = pb::ListDeliveriesRequest { page_size: 0, page_token: String::new(), ..request.clone() };
        let sent = (request.page_size, request.page_token.as_str());
        let page = parser.page("deliveries", criteria, sent, &self.settings().limits);
        parser.done()?;
        let before = page.after.map(DeliveryId);
        let read = self.stock.store().deliveries(&request.audience, before, page.reads()).await;
        let (deliveries, next_page_token) = page.cut(read?, |delivery| delivery.id.0);
        let deliveries = deliveries.into_iter().map(delivery).collect();
        Ok(pb::ListDeliveriesResponse { deliveries, next_page_token })
    }
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
