//! The description of JSON over HTTP in the form of OpenAPI 3.1, made of the descriptors of the API and their comments.

mod operations;
mod pictures;

mod errors;
mod schemas;

mod comments;

use prost_reflect::{DescriptorPool, MethodDescriptor, ServiceDescriptor};
use serde_json::{Map, Value, json};

use crate::{cli::CliError, door::Methods};
use comments::{in_file, put};
use schemas::Schemas;

/// The name of the file.
pub(super) const FILE: &str = "openapi.json";

const PACKAGE: &str = "puzzled.v1";

/// The text before the list of methods that are left out.
const ABOUT: &str = "\
Generates and delivers logic puzzles with exactly one solution.

The server answers JSON over HTTP by the Connect protocol: each method of `puzzled.v1` takes a POST. Descriptions write field names
as the API definition does, such as `max_page_size`; in JSON they are in camel case: `maxPageSize`. Requests may use both. An
unknown field in a request is an error. Answers omit fields with their default value: empty ones, 0, `false`, and the first value
of an enum.

The role of a method is the lowest one that may call it. A method whose idempotency is `NO_SIDE_EFFECTS` changes nothing. If it is
`IDEMPOTENT`, a repeated call has the effect of one call.

The health service of gRPC is at `/grpc.health.v1.Health/Check`.";

/// The description of all methods with one answer, and of the addresses of pictures. Equal for equal versions of the program.
pub(super) fn document() -> Result<String, CliError> {
    let methods = Methods::load().expect("the tests load the descriptors that are built in");
    let text = serde_json::to_string_pretty(&described(methods.pool())).map_err(CliError::Json)?;
    Ok(text + "\n")
}

fn described(pool: &DescriptorPool) -> Value {
    let services: Vec<_> = pool.services().filter(|service| service.package_name() == PACKAGE).collect();
    let methods = services.iter().flat_map(|service| service.methods().collect::<Vec<_>>());
    let (streams, unary): (Vec<_>, Vec<_>) = methods.partition(MethodDescriptor::is_server_streaming);
    let mut schemas = Schemas::default();
    let mut paths: Map<_, _> = unary.iter().map(|method| operations::path(method, &mut schemas)).collect();
    paths.extend(pictures::paths(pool, &mut schemas));
    let error = errors::error(pool, &mut schemas);
    let failed = json!({
        "description": "The call failed.",
        "content": { "application/json": { "schema": error } },
    });
    let mut components = json!({
        "parameters": operations::headers(),
        "responses": { "Error": failed },
        "securitySchemes": { "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of a principal. A server without an access file needs none.",
        } },
    });
    put(&mut components, "schemas", schemas.into_components());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE") },
            "description": format!("{ABOUT}\n\n{}", left_out(&streams)),
        },
        "servers": [{ "url": "http://localhost:50051", "description": "A server on this machine." }],
        "security": [{}, { "token": [] }],
        "tags": services.iter().map(tag).collect::<Vec<_>>(),
        "paths": paths,
        "components": components,
    })
}

/// The list of the methods that this form cannot describe.
fn left_out(streams: &[MethodDescriptor]) -> String {
    let names = streams.iter().map(|method| format!("- `{}.{}`\n", method.parent_service().name(), method.name()));
    let head = "Methods that answer with a stream are left out. Call them with a client of Connect or gRPC:";
    format!("{head}\n\n{}", names.collect::<String>())
}

fn tag(service: &ServiceDescriptor) -> Value {
    json!({ "name": service.name(), "description": in_file(&service.parent_file(), service.path()) })
}
