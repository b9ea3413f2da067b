//! A test client that sends gRPC calls with any headers over HTTP/2 and reads the responses unchanged. A tonic client
//! ends a call at its deadline itself, so it cannot show what the server answers.

use std::net::SocketAddr;

use h2::{
    RecvStream,
    client::{ResponseFuture, SendRequest},
};
use http::{HeaderMap, Request, Response};
use prost::{Message, bytes::Bytes};
use tokio::{net::TcpStream, task::JoinHandle};
use tonic::Status;

/// The first bytes of a client.
pub(crate) const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The bytes that follow: a SETTINGS frame that changes nothing.
pub(crate) const SETTINGS: &[u8; 9] = b"\0\0\0\x04\0\0\0\0\0";

pub(crate) struct Raw {
    pub(crate) requests: SendRequest<Bytes>,
    /// Ends with the connection.
    pub(crate) connection: JoinHandle<Result<(), h2::Error>>,
}

impl Raw {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).await.unwrap()).await
    }

    pub(crate) async fn over(stream: TcpStream) -> Self {
        let (requests, connection) = h2::client::handshake(stream).await.unwrap();
        let connection = tokio::spawn(connection);
        Self { requests: requests.ready().await.unwrap(), connection }
    }

    /// Sends a call of a method such as `JobService/GetJob`.
    pub(crate) fn call(&mut self, method: &str, timeout: Option<&str>, message: &impl Message) -> ResponseFuture {
        self.call_with(method, timeout.map(|timeout| ("grpc-timeout", timeout)), message)
    }

    /// The same with any header.
    pub(crate) fn call_with(
        &mut self,
        method: &str,
        header: Option<(&str, &str)>,
        message: &impl Message,
    ) -> ResponseFuture {
        self.send(method, header, message).unwrap()
    }

    /// Sends a call; fails if the connection is closed.
    pub(crate) fn try_call(&mut self, method: &str, message: &impl Message) -> Result<ResponseFuture, h2::Error> {
        self.send(method, None, message)
    }

    fn send(
        &mut self,
        method: &str,
        header: Option<(&str, &str)>,
        message: &impl Message,
    ) -> Result<ResponseFuture, h2::Error> {
        let mut request = Request::post(format!("http://localhost/puzzled.v1.{method}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers");
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        let (response, mut body) = self.requests.send_request(request.body(()).unwrap(), false)?;
        let mut frame = vec![0];
        let len = u32::try_from(message.encoded_len()).unwrap();
        frame.extend(len.to_be_bytes());
        frame.extend(message.encode_to_vec());
        body.send_data(frame.into(), true)?;
        Ok(response)
    }
}

/// The status with which a call ends, wherever it stands.
pub(crate) async fn status(response: ResponseFuture) -> Status {
    status_of(response.await.unwrap()).await
}

/// The status of an answer that has begun.
pub(crate) async fn status_of(response: Response<RecvStream>) -> Status {
    let (parts, mut body) = response.into_parts();
    let mut trailers = HeaderMap::new();
    while let Some(data) = body.data().await {
        let len = data.unwrap().len();
        body.flow_control().release_capacity(len).unwrap();
    }
    if let Some(found) = body.trailers().await.unwrap() {
        trailers = found;
    }
    Status::from_header_map(&parts.headers).or_else(|| Status::from_header_map(&trailers)).expect("no grpc-status")
}
