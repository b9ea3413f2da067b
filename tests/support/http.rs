//! A test client of HTTP: sends any bytes by HTTP/1.1, posts by HTTP/2, and reads responses and streams of the Connect
//! protocol.

use std::net::SocketAddr;

use http::{HeaderMap, HeaderName, HeaderValue, Request};
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::TcpStream,
};

/// The answer of a server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The messages of a stream, and its end.
    pub(crate) fn messages(&self) -> (Vec<Vec<u8>>, Value) {
        let mut messages = Vec::new();
        let mut rest = &self.body[..];
        loop {
            let (&[flags, a, b, c, d], after) = rest.split_first_chunk().unwrap();
            let (message, after) = after.split_at(u32::from_be_bytes([a, b, c, d]) as usize);
            rest = after;
            match flags {
                0 => messages.push(message.to_vec()),
                1 => messages.push(gunzip(message)),
                2 => {
                    assert!(rest.is_empty(), "bytes after the end of the stream");
                    return (messages, serde_json::from_slice(message).unwrap());
                }
                other => panic!("flags {other}"),
            }
        }
    }

    /// Like [`Self::messages`], with messages of JSON.
    pub(crate) fn json_messages(&self) -> (Vec<Value>, Value) {
        let (messages, end) = self.messages();
        (messages.iter().map(|message| serde_json::from_slice(message).unwrap()).collect(), end)
    }
}

/// A request as a client writes it.
pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

/// Sends a request on a new connection.
pub(crate) async fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    send_over(TcpStream::connect(address).await.unwrap(), method, path, headers, body).await
}

/// Sends a request on a connection that the server closes after it.
pub(crate) async fn send_over(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let headers = [headers, &[("connection", "close")]].concat();
    stream.write_all(&request(method, path, &headers, body)).await.unwrap();
    whole(&mut stream).await
}

/// Posts a request by HTTP/2 on a new connection, to a path of `localhost` or to a whole address.
pub(crate) async fn post_by_http_2(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let (mut requests, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let server = if path.starts_with('/') { "http://localhost" } else { "" };
    let mut request = Request::post(format!("{server}{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (response, mut sender) = requests.send_request(request.body(()).unwrap(), false).unwrap();
    sender.send_data(body.to_vec().into(), true).unwrap();
    let (head, mut stream) = response.await.unwrap().into_parts();
    let mut body = Vec::new();
    while let Some(data) = stream.data().await {
        body.extend(data.unwrap());
    }
    Answer { status: head.status.as_u16(), headers: head.headers, body }
}

/// Sends JSON to a unary method such as `JobService/GetJob`.
pub(crate) async fn post(address: SocketAddr, method: &str, message: &Value) -> Answer {
    let headers = [("content-type", "application/json")];
    send(address, "POST", &path(method), &headers, message.to_string().as_bytes()).await
}

/// Opens a server stream with JSON.
pub(crate) async fn stream(address: SocketAddr, method: &str, message: &Value) -> Answer {
    let headers = [("content-type", "application/connect+json")];
    send(address, "POST", &path(method), &headers, &with_head(0, message.to_string().as_bytes())).await
}

pub(crate) fn path(method: &str) -> String {
    format!("/puzzled.v1.{method}")
}

/// A message of a stream, after its flags and its length.
pub(crate) fn with_head(flags: u8, message: &[u8]) -> Vec<u8> {
    let len = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[flags], &len[..], message].concat()
}

/// Reads until the server closes the connection.
pub(crate) async fn whole(stream: &mut (impl AsyncRead + Unpin)) -> Answer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let end = bytes.windows(4).position(|end| end == b"\r\n\r\n").unwrap_or_else(|| panic!("no head in {bytes:?}"));
    let mut answer = head(&bytes[..end]);
    let body = &bytes[end + 4..];
    answer.body = if answer.header("transfer-encoding") == "chunked" { unchunked(body) } else { body.to_vec() };
    answer
}

/// Reads one answer that states its length from a connection that stays open.
pub(crate) async fn one(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.unwrap());
    }
    let mut answer = head(&bytes[..bytes.len() - 4]);
    answer.body = vec![0; answer.header("content-length").parse().unwrap()];
    stream.read_exact(&mut answer.body).await.unwrap();
    answer
}

/// Reads the head of an answer and the first message of its stream.
pub(crate) async fn first_message(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.unwrap());
    }
    next_message(stream).await.1
}

/// Reads the next message of a stream, after its flags. The server sends each message as a chunk.
pub(crate) async fn next_message(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut line = Vec::new();
    while !line.ends_with(b"\r\n") {
        line.push(stream.read_u8().await.unwrap());
    }
    let len = usize::from_str_radix(std::str::from_utf8(&line).unwrap().trim(), 16).unwrap();
    let mut chunk = vec![0; len + 2];
    stream.read_exact(&mut chunk).await.unwrap();
    assert_eq!(chunk.split_off(len), b"\r\n");
    (chunk[0], chunk.split_off(5))
}

fn head(head: &[u8]) -> Answer {
    let text = std::str::from_utf8(head).unwrap();
    let mut lines = text.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.map(|line| {
        let (name, value) = line.split_once(": ").unwrap();
        (HeaderName::try_from(name).unwrap(), HeaderValue::from_str(value).unwrap())
    });
    Answer { status, headers: headers.collect(), body: Vec::new() }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|end| end == b"\r\n").unwrap();
        let len = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if len == 0 {
            return body;
        }
        body.extend(&rest[end + 2..end + 2 + len]);
        rest = &rest[end + 2 + len + 2..];
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut inflated = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes), &mut inflated).unwrap();
    inflated
}
