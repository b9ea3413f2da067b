//! Generates `docs/api.md` from the comments of the API definition, and fails if the page differs.
//! `UPDATE_GOLDEN=1 cargo test --test tidy` writes the page.

use std::fmt::Write as _;

use prost::Message as _;
use prost_reflect::DescriptorPool;
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet,
    MethodDescriptorProto,
    field_descriptor_proto::{Label, Type},
    method_options::IdempotencyLevel,
};

use super::check_page;

const PAGE: &str = "docs/api.md";
const PACKAGE: &str = ".puzzled.v1.";

/// The files in the order of the page, each with its heading.
const SECTIONS: [(&str, &str); 8] = [
    ("puzzle", "Puzzles"),
    ("job", "Jobs and the queue"),
    ("stock", "Stock and stock targets"),
    ("series", "Daily series"),
    ("server", "The server"),
    ("access", "Access"),
    ("common", "Common types"),
    ("errors", "Error reasons"),
];

const HEAD: &str = "# API reference

The services, messages, and enums of `puzzled.v1`, as of the files in [`proto/puzzled/v1`](../proto/puzzled/v1). For a first call, see the
[quick start](quickstart.md); for words, the [glossary](concepts.md); for failed calls, [errors](errors.md).

A method whose idempotency is `NO_SIDE_EFFECTS` changes nothing. If it is `IDEMPOTENT`, a repeated call has the effect of one call. If it
is *not declared*, a repeated call may act again; where the request has a `request_id`, set it to make repeats safe.

The role of a method is the lowest one that may call it; see [`Role`](#role).

A field marked *optional* tells an unset field from one with the value 0. Types without a link are those of protocol buffers.
";

#[test]
fn api_page_equals_the_contract() {
    check_page(PAGE, &page());
}

fn page() -> String {
    let set = FileDescriptorSet::decode(puzzled_api::DESCRIPTORS).expect("build.rs writes descriptors");
    let file = |name: &str| set.file.iter().find(|file| file.name() == format!("puzzled/v1/{name}.proto"));
    let files = SECTIONS.map(|(name, heading)| (heading, file(name).expect("a file of the contract")));
    let sections = files.iter().map(|(heading, file)| section(heading, file));
    format!("{HEAD}\n{}{}", methods(&files), sections.collect::<String>())
}

/// A table of all methods, one line for each service.
fn methods(files: &[(&str, &FileDescriptorProto)]) -> String {
    let mut table = "| Service | Methods |\n|---|---|\n".to_owned();
    for service in files.iter().flat_map(|(_, file)| &file.service) {
        let methods: Vec<_> = service.method.iter().map(|method| link(method.name())).collect();
        writeln!(table, "| {} | {} |", link(service.name()), methods.join(", ")).unwrap();
    }
    table
}

fn section(heading: &str, file: &FileDescriptorProto) -> String {
    let mut text = format!("\n## {heading}\n\n[`{}`](../proto/{0})\n", file.name());
    let comment = |path: &[i32]| comment(file, path);
    for (s, service) in (0..).zip(&file.service) {
        write!(text, "\n### {}\n\n{}\n", service.name(), comment(&[6, s])).unwrap();
        for (m, method) in (0..).zip(&service.method) {
            let call = call(method, &role(&format!("puzzled.v1.{}.{}", service.name(), method.name())));
            write!(text, "\n#### {}\n\n{}\n\n{call}", method.name(), comment(&[6, s, 2, m])).unwrap();
        }
    }
    for (e, listed) in (0..).zip(&file.enum_type) {
        write!(text, "\n### {}\n\n{}\n\n", listed.name(), comment(&[5, e])).unwrap();
        text += &values(listed, |v| comment(&[5, e, 2, v]));
    }
    for (m, message) in (0..).zip(&file.message_type) {
        write!(text, "\n### {}\n\n{}\n", message.name(), comment(&[4, m])).unwrap();
        if !message.field.is_empty() {
            text += &fields(message, |f| comment(&[4, m, 2, f]));
        }
    }
    text
}

/// The role of a method: an option of the contract, which the messages of prost do not keep.
fn role(method: &str) -> String {
    let pool = DescriptorPool::decode(puzzled_api::DESCRIPTORS).expect("build.rs writes descriptors");
    let option = pool.get_extension_by_name("puzzled.v1.role").expect("an option of the contract");
    let mut methods = pool.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    let method = methods.find(|one| one.full_name() == method).expect("a method of the contract");
    let number = method.options().get_extension(&option).as_enum_number().expect("an enum");
    let roles = pool.get_enum_by_name("puzzled.v1.Role").expect("an enum of the contract");
    roles.get_value(number).expect("a role").name().trim_start_matches("ROLE_").to_lowercase()
}

fn call(method: &MethodDescriptorProto, role: &str) -> String {
    let stream = if method.server_streaming() { "a stream of " } else { "" };
    let level = method
        .options
        .as_ref()
        .map_or(IdempotencyLevel::IdempotencyUnknown, prost_types::MethodOptions::idempotency_level);
    let idempotency = match level {
        IdempotencyLevel::IdempotencyUnknown => "not declared".to_owned(),
        declared => format!("`{}`", declared.as_str_name()),
    };
    let [request, response] = [method.input_type(), method.output_type()].map(type_link);
    format!("- Request: {request}\n- Response: {stream}{response}\n- Idempotency: {idempotency}\n- Role: {role}\n")
}

fn values(of: &EnumDescriptorProto, comment: impl Fn(i32) -> String) -> String {
    let mut table = "| Value | Number | Meaning |\n|---|---|---|\n".to_owned();
    for (v, value) in (0..).zip(&of.value) {
        writeln!(table, "| `{}` | {} | {} |", value.name(), value.number(), in_cell(&comment(v))).unwrap();
    }
    table
}

fn fields(of: &DescriptorProto, comment: impl Fn(i32) -> String) -> String {
    let mut table = "\n| Field | Type | Meaning |\n|---|---|---|\n".to_owned();
    for (f, field) in (0..).zip(&of.field) {
        let said = in_cell(&comment(f));
        writeln!(table, "| `{}` | {} | {said} |", field.name(), field_type(of, field)).unwrap();
    }
    table
}

/// The type of a field, with its label.
fn field_type(of: &DescriptorProto, field: &FieldDescriptorProto) -> String {
    let entry =
        of.nested_type.iter().find(|nested| field.type_name().ends_with(&format!(".{}.{}", of.name(), nested.name())));
    if let Some(entry) = entry {
        let [key, value] = [&entry.field[0], &entry.field[1]].map(bare_type);
        return format!("map of {key} to {value}");
    }
    let bare = bare_type(field);
    if field.label() == Label::Repeated {
        format!("repeated {bare}")
    } else if field.proto3_optional() {
        format!("optional {bare}")
    } else if let Some(choice) = field.oneof_index {
        let choice = usize::try_from(choice).expect("an index");
        format!("{bare}, one of `{}`", of.oneof_decl[choice].name())
    } else {
        bare
    }
}

fn bare_type(field: &FieldDescriptorProto) -> String {
    match field.r#type() {
        Type::Message | Type::Enum => type_link(field.type_name()),
        scalar => scalar.as_str_name().trim_start_matches("TYPE_").to_lowercase(),
    }
}

/// The name of a message or enum, linked to its description.
fn type_link(full: &str) -> String {
    if let Some(own) = full.strip_prefix(PACKAGE) {
        return link(own);
    }
    let name = full.trim_start_matches('.');
    match name.strip_prefix("google.protobuf.") {
        Some(known) => {
            let anchor = known.chars().fold(String::new(), |anchor, c| match c {
                'A'..='Z' if !anchor.is_empty() => anchor + "-" + &c.to_lowercase().to_string(),
                c => anchor + &c.to_lowercase().to_string(),
            });
            format!("[`{name}`](https://protobuf.dev/reference/protobuf/google.protobuf/#{anchor})")
        }
        None => format!("[`{name}`](../proto/{}.proto)", name.replace('.', "/").to_lowercase()),
    }
}

fn link(name: &str) -> String {
    format!("[`{name}`](#{})", name.to_lowercase())
}

/// The comment before an element as one paragraph. A path of field numbers and indices identifies the element.
fn comment(file: &FileDescriptorProto, path: &[i32]) -> String {
    let places = &file.source_code_info.as_ref().expect("protox keeps comments").location;
    let place = places.iter().find(|place| place.path == path);
    let said = place.map(prost_types::source_code_info::Location::leading_comments).unwrap_or_default();
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn in_cell(comment: &str) -> String {
    comment.replace('|', "\\|")
}
