//! A server and a client of one empty gRPC call, the baseline of the benches `get_puzzle` and `stock`. Its cost is that
//! of tonic itself.

use std::{convert::Infallible, future::Ready, net::SocketAddr};

use puzzled_api::v1::{GetServerInfoRequest as Empty, GetServerInfoRequest};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{
    Request, Response, Status,
    body::Body,
    client::Grpc,
    codegen::{BoxFuture, Service, http, http::uri::PathAndQuery},
    server::{self, NamedService, UnaryService},
    transport::{Channel, Server},
};
use tonic_prost::ProstCodec;

use super::load::Caller;

const PATH: &str = "/bench.Empty/Call";

/// The address of the service.
pub(crate) type Address = SocketAddr;

/// Serves the empty call on a free port.
pub(crate) async fn start() -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let clients = tokio_stream::StreamExt::map(TcpListenerStream::new(listener), |client| {
        client.inspect(|client| client.set_nodelay(true).expect("a socket"))
    });
    tokio::spawn(Server::builder().add_service(EmptyService).serve_with_incoming(clients));
    address
}

/// Connects a client to the service.
pub(crate) async fn client(address: &Address) -> EmptyClient {
    let channel = Channel::from_shared(format!("http://{address}")).expect("an address").connect().await;
    EmptyClient(Grpc::new(channel.expect("a server")))
}

/// A client that makes the empty call.
#[derive(Debug, Clone)]
pub(crate) struct EmptyClient(Grpc<Channel>);

impl Caller for EmptyClient {
    async fn call(&mut self) {
        self.0.ready().await.expect("a connection");
        let codec = ProstCodec::<Empty, Empty>::default();
        let path = PathAndQuery::from_static(PATH);
        self.0.unary(Request::new(GetServerInfoRequest {}), path, codec).await.expect("an answer");
    }
}

#[derive(Debug, Clone)]
struct EmptyService;

impl NamedService for EmptyService {
    const NAME: &'static str = "bench.Empty";
}

impl Service<http::Request<Body>> for EmptyService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Infallible>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async move {
            let mut grpc = server::Grpc::new(ProstCodec::<Empty, Empty>::default());
            Ok(grpc.unary(Answer, request).await)
        })
    }
}

struct Answer;

impl UnaryService<Empty> for Answer {
    type Response = Empty;
    type Future = Ready<Result<Response<Empty>, Status>>;

    fn call(&mut self, request: Request<Empty>) -> Self::Future {
        std::future::ready(Ok(Response::new(request.into_inner())))
    }
}
