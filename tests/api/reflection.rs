//! Reflection: a client without generated code finds the API by reflection, calls methods, and decodes errors. Open
//! streams do not delay the shutdown, and a setting turns reflection off.

use prost::Message as _;
use prost_reflect::{DynamicMessage, SerializeOptions};
use prost_types::FileDescriptorProto;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt as _, wrappers::ReceiverStream};
use tonic::Request;
use tonic_reflection::pb::{
    v1::{
        ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
        server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
    },
    v1alpha,
};

use crate::{dynamic, prelude::*};

/// Calls methods by name, with JSON for messages, as `grpcurl` does.
struct Stranger {
    channel: Channel,
    pool: DescriptorPool,
}

impl Stranger {
    async fn meet(server: &Server) -> Self {
        let channel = server.channel().await;
        let mut pool = DescriptorPool::new();
        // A message that stands in two files would be refused by the pool, and by clients.
        let mut wanted = ["google.rpc.Status", "google.rpc.ErrorInfo"].map(str::to_owned).to_vec();
        wanted.extend(services(&channel).await);
        for symbol in wanted {
            learn(&channel, &mut pool, MessageRequest::FileContainingSymbol(symbol)).await;
        }
        Self { channel, pool }
    }

    async fn call(&self, service: &str, method: &str, request: Value) -> Result<Vec<Value>, Status> {
        let method =
            self.pool.get_service_by_name(service).unwrap().methods().find(|one| one.name() == method).unwrap();
        let path = format!("/{service}/{}", method.name());
        let request = DynamicMessage::deserialize(method.input(), request).unwrap();
        let answers = dynamic::open(self.channel.clone(), &path, Request::new(request), method.output()).await?;
        let options = SerializeOptions::new().skip_default_fields(true);
        let values =
            answers.map(|answer| Ok(answer?.serialize_with_options(serde_json::value::Serializer, &options).unwrap()));
        values.collect().await
    }
}

async fn services(channel: &Channel) -> Vec<String> {
    match ask(channel, MessageRequest::ListServices(String::new())).await {
        MessageResponse::ListServicesResponse(list) => list.service.into_iter().map(|service| service.name).collect(),
        other => panic!("{other:?}"),
    }
}

async fn ask(channel: &Channel, message: MessageRequest) -> MessageResponse {
    let request = ServerReflectionRequest { host: String::new(), message_request: Some(message) };
    let mut client = ServerReflectionClient::new(channel.clone());
    let mut answers = client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    answers.message().await.unwrap().unwrap().message_response.unwrap()
}

/// Adds a file to the pool, after all that it imports.
async fn learn(channel: &Channel, pool: &mut DescriptorPool, what: MessageRequest) {
    let MessageResponse::FileDescriptorResponse(found) = ask(channel, what.clone()).await else {
        panic!("reflection does not know {what:?}");
    };
    for file in found.file_descriptor_proto {
        let file = FileDescriptorProto::decode(&*file).unwrap();
        for import in &file.dependency {
            if pool.get_file_by_name(import).is_none() {
                Box::pin(learn(channel, pool, MessageRequest::FileByFilename(import.clone()))).await;
            }
        }
        if pool.get_file_by_name(file.name()).is_none() {
            pool.add_file_descriptor_proto(file).unwrap();
        }
    }
}

#[tokio::test]
async fn client_without_stubs_queues_watches_and_gets_by_reflection() {
    let server = Server::start().await;
    let stranger = Stranger::meet(&server).await;
    let (puzzles, jobs) = ("puzzled.v1.PuzzleService", "puzzled.v1.JobService");
    let request = json!({ "kind": "KIND_SUDOKU", "level": "LEVEL_EASY", "count": 12, "seed": "5", "requestId": "r1" });
    let job = stranger.call(puzzles, "Generate", request).await.unwrap().remove(0)["job"].take();
    assert_eq!((&job["id"], &job["state"]), (&json!("job-1"), &json!("JOB_STATE_QUEUED")));

    let watch = stranger.call(jobs, "WatchJob", json!({ "id": "job-1" }));
    let work = server.work(12, u32::MAX);
    let (watched, _) = tokio::join!(watch, work);
    let last = watched.unwrap().pop().unwrap()["job"].take();
    assert_eq!((&last["state"], &last["made"]), (&json!("JOB_STATE_SUCCEEDED"), &json!(12)));

    let stock = stranger.call("puzzled.v1.StockService", "GetStock", json!({})).await.unwrap().remove(0);
    assert_eq!(stock["total"], json!("12"));
    let (kind, level) = ("KIND_SUDOKU", "LEVEL_EASY");
    let wanted = json!({ "kind": kind, "level": level, "includeSolution": true, "includeRecord": true });
    let puzzle = stranger.call(puzzles, "GetPuzzle", wanted).await.unwrap().remove(0)["puzzle"].take();
    assert_eq!((&puzzle["rating"], &puzzle["level"]), (&json!(1.2), &json!("LEVEL_EASY")));
    assert_eq!(puzzle["record"]["sudoku"]["freedom"], json!(171));
    assert_eq!(puzzle["solution"].as_str().map(str::len), Some(81));
}

#[tokio::test]
async fn error_details_decode_with_the_reflected_types() {
    let server = Server::start().await;
    let stranger = Stranger::meet(&server).await;
    let refused = stranger.call("puzzled.v1.PuzzleService", "Generate", json!({ "count": 0 })).await.unwrap_err();
    let status = tonic_types::pb::Status::decode(refused.details()).unwrap();
    let names: Vec<_> = status.details.iter().map(|any| any.type_url.rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["google.rpc.ErrorInfo", "google.rpc.BadRequest", "google.rpc.RequestInfo"]);
    for (name, any) in names.iter().zip(&status.details) {
        let known = stranger.pool.get_message_by_name(name).unwrap();
        DynamicMessage::decode(known, &*any.value).unwrap();
    }
}

#[tokio::test]
async fn both_versions_of_reflection_list_all_services() {
    let server = Server::start().await;
    let channel = server.channel().await;
    let mut listed = services(&channel).await;
    listed.sort();
    for name in [
        "grpc.health.v1.Health",
        "puzzled.v1.JobService",
        "puzzled.v1.PuzzleService",
        "puzzled.v1.ServerService",
        "puzzled.v1.StockService",
    ] {
        assert!(listed.iter().any(|one| one == name), "{name} is not among {listed:?}");
    }

    let request = v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(v1alpha::server_reflection_request::MessageRequest::ListServices(String::new())),
    };
    let mut client = v1alpha::server_reflection_client::ServerReflectionClient::new(channel);
    let mut answers = client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    let answer = answers.message().await.unwrap().unwrap().message_response.unwrap();
    let v1alpha::server_reflection_response::MessageResponse::ListServicesResponse(list) = answer else {
        panic!("{answer:?}");
    };
    assert!(list.service.iter().any(|service| service.name == "puzzled.v1.PuzzleService"));
}

#[tokio::test]
async fn open_stream_of_reflection_does_not_hold_up_the_shutdown() {
    let server = Server::with(|options| options.settings.process.grace_seconds = Duration::from_hours(24)).await;
    let (asks, requests) = mpsc::channel(1);
    let list = MessageRequest::ListServices(String::new());
    asks.send(ServerReflectionRequest { host: String::new(), message_request: Some(list) }).await.unwrap();
    let mut client = ServerReflectionClient::new(server.channel().await);
    let mut answers = client.server_reflection_info(ReceiverStream::new(requests)).await.unwrap().into_inner();
    answers.message().await.unwrap().unwrap();
    server.shutdown.cancel();
    let ended = answers.message().await.unwrap_err();
    assert_eq!(ended.code(), Code::Unavailable, "{ended:?}");
    server.ended().await.unwrap();
    drop(asks);
}

#[tokio::test]
async fn reflection_can_be_switched_off() {
    let server = Server::with(|options| options.settings.server.reflection = false).await;
    let mut client = ServerReflectionClient::new(server.channel().await);
    let request = ServerReflectionRequest::default();
    let status = client.server_reflection_info(tokio_stream::once(request)).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
}
