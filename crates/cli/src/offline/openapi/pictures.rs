//! The addresses of pictures as SVG and PDF, which take GET. Their parameters are fields of `RenderPuzzleRequest`.

use prost_reflect::{DescriptorPool, FieldDescriptor};
use serde_json::{Value, json};

use super::{
    comments::{in_file, put},
    operations::{failed, parameters},
    schemas::Schemas,
};

/// The extension of each address, the name of its form, and its media type.
const FORMS: [(&str, &str, &str); 2] = [("svg", "SVG", "image/svg+xml"), ("pdf", "PDF", "application/pdf")];

/// The fields that an address sets by parameters.
const PARAMETERS: [&str; 5] = ["solution", "candidates", "rules", "step", "scramble_seed"];

/// The path of each form of picture, and its operation.
pub(super) fn paths(pool: &DescriptorPool, schemas: &mut Schemas) -> Vec<(String, Value)> {
    let request = pool.get_message_by_name("puzzled.v1.RenderPuzzleRequest");
    let field = |name: &str| request.as_ref().and_then(|request| request.get_field_by_name(name));
    let mut path = field("id").map(|id| parameter(&id, "path", schemas)).unwrap_or_default();
    put(&mut path, "required", true.into());
    let query = PARAMETERS.iter().filter_map(|name| field(name));
    let query: Vec<_> = query.map(|field| parameter(&field, "query", schemas)).collect();
    let all: Vec<_> = [path].into_iter().chain(query).chain(parameters()).collect();
    let operation = |(extension, form, media_type): (&str, &str, &str)| {
        let operation = json!({
            "operationId": format!("get_{extension}"),
            "tags": ["PuzzleService"],
            "description": format!("The picture that RenderPuzzle draws of a stored puzzle, as {form}.\n\nRole: `reader`."),
            "parameters": all,
            "responses": {
                "200": { "description": "The picture.", "content": { media_type: {} } },
                "421": { "description": "The host is not a name of the server.", "content": { "text/plain": {} } },
                "default": failed(),
            },
        });
        (format!("/puzzles/{{id}}.{extension}"), json!({ "get": operation }))
    };
    FORMS.map(operation).into()
}

fn parameter(field: &FieldDescriptor, place: &str, schemas: &mut Schemas) -> Value {
    json!({
        "name": field.name(),
        "in": place,
        "description": in_file(&field.parent_file(), field.path()),
        "schema": schemas.of_kind(&field.kind()),
    })
}
