//! The addresses of pictures, which browsers and people open. Translates `GET /puzzles/ID.svg` and `GET /puzzles/ID.pdf` into
//! calls of `RenderPuzzle`, and their responses into the pictures.

use std::{fmt::Display, str::FromStr};

use http::{HeaderName, HeaderValue, Method, Request, Response, Uri, header};
use http_body::Body as _;
use http_body_util::Full;
use prost::{Message as _, bytes::Bytes};
use tonic::{Status, body::Body};

use super::{codec::whole, gzip, incoming::Incoming, methods::Methods, unary};
use crate::calls::{Invalid, ServiceError};
use puzzled_api::{v1 as pb, words};
use puzzled_engine::shared::names::quoted;
use puzzled_render::PictureFormat;

/// The path of the method.
pub(super) const METHOD: &str = "/puzzled.v1.PuzzleService/RenderPuzzle";

/// The folder of all pictures.
pub(super) const FOLDER: &str = "/puzzles/";

/// The parameters of an address.
const PARAMETERS: &str = "use solution, candidates, rules, step, or scramble_seed";

/// Headers of each picture, for browsers and caches: do not guess its type, do not run its scripts or load anything for it,
/// and do not keep it in a shared cache.
const SUCCESS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
    (header::CACHE_CONTROL, "private"),
];

/// A request for a picture by its address.
#[derive(Debug)]
pub(super) struct AskedPicture {
    /// Whether only the headers are wanted.
    is_head: bool,
    /// The call, or the fault of the address.
    call: Result<pb::RenderPuzzleRequest, Box<Status>>,
}

impl AskedPicture {
    /// Reads the address of a request. `None` if it is no address of a picture.
    pub(super) fn read(request: &Request<Body>) -> Option<Self> {
        let is_head = request.method() == Method::HEAD;
        if !is_head && request.method() != Method::GET {
            return None;
        }
        let (id, extension) = request.uri().path().strip_prefix(FOLDER)?.rsplit_once('.')?;
        let format = PictureFormat::of_extension(extension).filter(|_| !id.is_empty() && !id.contains('/'))?;
        let query = request.uri().query().unwrap_or_default();
        let format = words::picture_format(format.extension()).into();
        let named = pb::RenderPuzzleRequest { id: id.to_owned(), format, ..pb::RenderPuzzleRequest::default() };
        Some(Self { is_head, call: with_parameters(named, query).map_err(|fault| Box::new(fault.into())) })
    }

    /// The request with the message of the call as its body, and the fault of its address.
    pub(super) fn request(&self, mut request: Request<Body>) -> (Request<Body>, Option<Status>) {
        *request.method_mut() = Method::POST;
        *request.uri_mut() = Uri::from_static(METHOD);
        let (message, fault) = match &self.call {
            Ok(call) => (call.encode_to_vec(), None),
            Err(fault) => (Vec::new(), Some(Status::clone(fault))),
        };
        (request.map(|_| Body::new(Full::new(Bytes::from(message)))), fault)
    }

    /// The picture, or the error of the call as JSON.
    pub(super) async fn answer(
        self,
        response: Response<Body>,
        incoming: &Incoming,
        methods: &Methods,
        has_cors: bool,
    ) -> Response<Body> {
        let success = |message: Bytes, body| {
            let drawn = pb::RenderPuzzleResponse::decode(message);
            let drawn = drawn.map_err(|error| Status::internal(format!("the answer cannot be read: {error}")))?;
            Ok(shown(drawn, body, incoming.reads_gzip, has_cors))
        };
        let response = unary::answer_with(response, methods, success).await;
        if self.is_head { without_body(response) } else { response }
    }
}

fn shown(drawn: pb::RenderPuzzleResponse, body: Body, reads_gzip: bool, has_cors: bool) -> Response<Body> {
    let pb::RenderPuzzleResponse { picture, media_type } = drawn;
    // PDF files are compressed already.
    let is_text = media_type == PictureFormat::Svg.media_type();
    let compressed = if reads_gzip && is_text { gzip::deflate(&picture) } else { None };
    let is_compressed = compressed.is_some();
    let mut response = Response::new(whole(compressed.unwrap_or_else(|| picture.into()), body));
    let headers = response.headers_mut();
    if let Ok(media_type) = HeaderValue::try_from(media_type) {
        headers.insert(header::CONTENT_TYPE, media_type);
    }
    for (name, value) in SUCCESS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !has_cors {
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(gzip::GZIP));
    }
    response
}

/// The response to HEAD.
fn without_body(mut response: Response<Body>) -> Response<Body> {
    if let Some(len) = response.body().size_hint().exact() {
        response.headers_mut().insert(header::CONTENT_LENGTH, len.into());
    }
    response.map(|_| Body::empty())
}

/// The call with the parameters of an address.
fn with_parameters(mut call: pb::RenderPuzzleRequest, query: &str) -> Result<pb::RenderPuzzleRequest, ServiceError> {
    let mut seen = Vec::new();
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        if seen.contains(&name) {
            return Err(Invalid::one("query", format!("{} is set twice; set it once", quoted(name))));
        }
        match name {
            "solution" => call.solution = flag("solution", value)?,
            "candidates" => call.candidates = flag("candidates", value)?,
            "rules" => call.rules = flag("rules", value)?,
            "step" => call.step = Some(number("step", value, &u32::MAX)?),
            "scramble_seed" => call.scramble_seed = Some(number("scramble_seed", value, &u64::MAX)?),
            _ => return Err(Invalid::one("query", format!("unknown parameter {}; {PARAMETERS}", quoted(name)))),
        }
        seen.push(name);
    }
    Ok(call)
}

fn flag(name: &'static str, value: &str) -> Result<bool, ServiceError> {
    value.parse().map_err(|_| Invalid::one(name, format!("{} is not allowed; use true or false", quoted(value))))
}

fn number<N: FromStr + Display>(name: &'static str, value: &str, max: &N) -> Result<N, ServiceError> {
    let fault = || Invalid::one(name, format!("{} is not allowed; use a whole number up to {max}", quoted(value)));
    // `parse` would accept a leading `+`.
    if value.bytes().all(|byte| byte.is_ascii_digit()) { value.parse().map_err(|_| fault()) } else { Err(fault()) }
}
