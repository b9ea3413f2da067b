//! A gRPC client that takes requests as JSON and returns responses as JSON, by the descriptors of the API. Tests compare its
//! responses with those of the Connect protocol.

use std::sync::LazyLock;

use http::uri::PathAndQuery;
use prost::{Message as _, bytes::Buf as _};
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor};
use puzzled::proto::DESCRIPTORS;
use serde_json::Value;
use tonic::{
    Request, Status, Streaming,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
};

use crate::{http::path, server::Server};

/// The contract, with the messages of error details.
pub(crate) static CONTRACT: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let mut pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    let details = DescriptorPool::decode(tonic_types::pb::FILE_DESCRIPTOR_SET).unwrap();
    let files = details.file_descriptor_protos().filter(|file| file.name() != "google/rpc/status.proto");
    let known: Vec<_> = pool.file_descriptor_protos().map(|file| file.name().to_owned()).collect();
    let files: Vec<_> = files.filter(|file| !known.iter().any(|name| name == file.name())).cloned().collect();
    let defines_status =
        |file: &prost_types::FileDescriptorProto| file.message_type.iter().any(|one| one.name() == "Status");
    pool.add_file_descriptor_protos(files.into_iter().filter(|file| !defines_status(file))).unwrap();
    pool
});

/// All methods of the contract.
pub(crate) fn methods() -> Vec<MethodDescriptor> {
    let services: Vec<_> = CONTRACT.services().filter(|service| service.package_name() == "puzzled.v1").collect();
    services.iter().flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

/// The name as these tests write it: `JobService/GetJob`.
pub(crate) fn name(method: &MethodDescriptor) -> String {
    format!("{}/{}", method.parent_service().name(), method.name())
}

fn method(wanted: &str) -> MethodDescriptor {
    methods().into_iter().find(|method| name(method) == wanted).unwrap_or_else(|| panic!("no method {wanted}"))
}

/// The message of a method's request.
pub(crate) fn message(of: &str, json: &Value) -> DynamicMessage {
    DynamicMessage::deserialize(method(of).input(), json).unwrap()
}

/// The message of a method's answer as JSON.
pub(crate) fn answer(of: &str, bytes: &[u8]) -> Value {
    json(&DynamicMessage::decode(method(of).output(), bytes).unwrap())
}

pub(crate) fn json(message: &DynamicMessage) -> Value {
    serde_json::to_value(message).unwrap()
}

/// Opens a stream; a unary method is one of one message.
pub(crate) async fn open(server: &Server, of: &str, json: &Value) -> Result<Streaming<DynamicMessage>, Status> {
    let request = Request::new(message(of, json));
    let mut client = tonic::client::Grpc::new(server.channel().await);
    client.ready().await.unwrap();
    let path = PathAndQuery::try_from(path(of)).unwrap();
    Ok(client.server_streaming(request, path, Dynamic(method(of).output())).await?.into_inner())
}

/// All messages of an answer.
pub(crate) async fn call(server: &Server, of: &str, json: &Value) -> Result<Vec<Value>, Status> {
    let mut stream = open(server, of, json).await?;
    let mut messages = Vec::new();
    while let Some(message) = stream.message().await? {
        messages.push(self::json(&message));
    }
    Ok(messages)
}

#[derive(Clone)]
struct Dynamic(MessageDescriptor);

impl Codec for Dynamic {
    type Encode = DynamicMessage;
    type Decode = DynamicMessage;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        self.clone()
    }

    fn decoder(&mut self) -> Self {
        self.clone()
    }
}

impl Encoder for Dynamic {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, message: DynamicMessage, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        message.encode(buffer).map_err(|error| Status::internal(error.to_string()))
    }
}

impl Decoder for Dynamic {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        let bytes = buffer.copy_to_bytes(buffer.remaining());
        let message = DynamicMessage::decode(self.0.clone(), bytes);
        message.map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}
