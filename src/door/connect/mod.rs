//! Answers the requests on the port of gRPC that are not gRPC: calls by the Connect protocol, pictures, and the web page. A call has JSON or
//! protocol buffers. It is translated into a gRPC call, which the layers and methods of gRPC answer, and the answer is translated back.

mod hosts;
mod incoming;
mod methods;
mod request_body;

mod failure;
mod pages;
mod pictures;
mod stream;
mod unary;
mod web_page;

mod codec;
mod cors;
mod frames;
mod gzip;
mod json_faults;
mod json_twice;

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::future::Either;
use http::{HeaderMap, HeaderValue, Method, Request, Response, Version, header};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tower::{Layer, Service};
use tower_http::cors::CorsLayer;

use crate::{
    calls::{Answer, Around, AroundLayer, Handlers},
    settings::CurrentSettings,
};
use incoming::Incoming;
use pictures::AskedPicture;

pub(crate) use hosts::Hosts;
pub use methods::Methods;

/// Puts the Connect protocol in front of a gRPC service.
#[derive(Debug, Clone)]
pub(crate) struct ConnectLayer {
    shared: Arc<Shared>,
}

/// What the translation of every request needs.
#[derive(Debug)]
struct Shared {
    methods: Methods,
    hosts: Hosts,
    /// Whether clients reach the listener by TLS.
    is_encrypted: bool,
    cors: Option<CorsLayer>,
    current: Arc<CurrentSettings>,
    /// Cancelled when the server begins to shut down.
    shutdown: CancellationToken,
}

impl ConnectLayer {
    /// Translates the methods of `methods`, for requests whose host `hosts` allows. `is_encrypted` says whether clients reach the listener by
    /// TLS.
    pub(crate) fn new(
        methods: Methods,
        hosts: Hosts,
        is_encrypted: bool,
        current: Arc<CurrentSettings>,
        shutdown: CancellationToken,
    ) -> Self {
        let cors = cors::layer(&current.get().server.cors_origins);
        Self { shared: Arc::new(Shared { methods, hosts, is_encrypted, cors, current, shutdown }) }
    }
}

impl<S> Layer<S> for ConnectLayer {
    type Service = Connect<S>;

    fn layer(&self, inner: S) -> Connect<S> {
        Connect { inner, shared: Arc::clone(&self.shared) }
    }
}

/// A gRPC service that also answers requests that are not gRPC.
#[derive(Debug, Clone)]
pub(crate) struct Connect<S> {
    inner: S,
    shared: Arc<Shared>,
}

impl<S: Handlers + Clone + Send + 'static> Service<Request<Body>> for Connect<S> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<S::Future, Answer>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // gRPC needs trailers, which HTTP/1.1 does not always deliver.
        if is_grpc(request.headers()) && request.version() == Version::HTTP_2 {
            return Either::Left(self.inner.call(request));
        }
        // Before CORS, so that preflights are checked, too.
        if let Some(refusal) = self.shared.hosts.refusal(&request, &self.shared.methods) {
            return Either::Right(Box::pin(std::future::ready(Ok(refusal))));
        }
        // Before CORS too, so that OPTIONS gets the same answer.
        if request.version() < Version::HTTP_11 {
            return Either::Right(Box::pin(std::future::ready(Ok(pages::version_unsupported()))));
        }
        let mut plain = AroundLayer(Plain(Arc::clone(&self.shared))).layer(self.inner.clone());
        Either::Right(match &self.shared.cors {
            Some(cors) => {
                let mut service = cors.layer(plain);
                Box::pin(async move { service.call(request).await })
            }
            None => plain.call(request),
        })
    }
}

fn is_grpc(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let form = content_type.strip_prefix(b"application/grpc");
    form.is_some_and(|form| matches!(form.first(), None | Some(b'+' | b';')))
}

/// Answers all requests that are not gRPC.
#[derive(Debug, Clone)]
struct Plain(Arc<Shared>);

impl Around for Plain {
    fn call(&self, inner: &mut impl Handlers, request: Request<Body>) -> Answer {
        let version = request.version();
        let shared = Arc::clone(&self.0);
        // The call begins here, not at the first poll, so that it counts as in flight from the arrival of its request.
        let answer = match shared.translated(inner, request) {
            Ok(Translated { call, incoming, picture }) => Either::Left(async move {
                let (response, methods) = (call.await?, &shared.methods);
                Ok::<_, Infallible>(match picture {
                    Some(picture) => picture.answer(response, &incoming, methods, shared.cors.is_some()).await,
                    None if incoming.is_stream() => stream::answer(response, &incoming, methods),
                    None => unary::answer(response, &incoming, methods).await,
                })
            }),
            Err(response) => Either::Right(std::future::ready(Ok(*response))),
        };
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let mut response = answer.await?;
            // HTTP/1.1 has no GOAWAY, so each answer from the first signal on asks its client to reconnect.
            if version == Version::HTTP_11 && shared.shutdown.is_cancelled() {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response)
        })
    }
}

/// A request as a gRPC call.
struct Translated<F> {
    call: F,
    incoming: Incoming,
    /// Set if the request is for the address of a picture.
    picture: Option<AskedPicture>,
}

impl Shared {
    /// Begins the gRPC call for a request. If the request needs no call, the error is its response: a page or a
    /// refusal.
    fn translated<S: Handlers>(
        &self,
        inner: &mut S,
        request: Request<Body>,
    ) -> Result<Translated<S::Future>, Box<Response<Body>>> {
        let Self { methods, is_encrypted, current, .. } = self;
        let bytes_max = current.get().limits.max_request_bytes as usize;
        if let (Some(picture), Some(method)) = (AskedPicture::read(&request), methods.get(pictures::METHOD)) {
            let (request, fault) = picture.request(request);
            let incoming = Incoming::of_message(request.headers(), method, fault, bytes_max);
            let call = inner.call(incoming.grpc_request(request));
            return Ok(Translated { call, incoming, picture: Some(picture) });
        }
        let method = methods.get(request.uri().path());
        if current.get().server.page
            && let Some(file) = web_page::file(&request)
        {
            return Err(Box::new(file));
        }
        if request.method() != Method::POST {
            return Err(Box::new(pages::page(&request, method.is_some(), *is_encrypted)));
        }
        let Some(incoming) = Incoming::read(request.headers(), method, bytes_max) else {
            return Err(Box::new(match method {
                Some(method) => failure::content_type(request.headers(), method, methods),
                None => pages::page(&request, false, *is_encrypted),
            }));
        };
        let call = inner.call(incoming.grpc_request(request));
        Ok(Translated { call, incoming, picture: None })
    }
}
