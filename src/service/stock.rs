//! Handlers of `StockService`.

use tonic::{Request, Response, Status};

use super::{
    Service,
    checks::{Checks, Criteria},
    convert,
    errors::ServiceError,
};
use crate::proto::v1::{self as pb, stock_service_server::StockService};

#[tonic::async_trait]
impl StockService for Service {
    async fn get_stock(&self, request: Request<pb::GetStockRequest>) -> Result<Response<pb::GetStockResponse>, Status> {
        let pb::GetStockRequest { kind, variant, symmetry, level } = request.into_inner();
        let mut checks = Checks::default();
        let variant = variant.as_str();
        let shelves = checks.shelves(Criteria { kind, variant, symmetry, level, min_rating: None, max_rating: None });
        checks.done()?;
        let shelves = self.stock.shelves(&shelves).await.map_err(ServiceError::Store)?;
        Ok(Response::new(convert::stock::stock(shelves)))
    }
}
