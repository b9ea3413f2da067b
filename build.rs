//! Generates from `proto/` the table of the role that each method needs, and the methods that check requests and hide parts of responses.
//! The code of the API is generated in `crates/api`.

use std::{error::Error, fmt::Write as _, fs, path::PathBuf};

use protox::{
    Compiler,
    prost_reflect::{FieldDescriptor, Kind, MessageDescriptor},
};

const FILES: [&str; 5] = ["puzzle", "job", "stock", "series", "server"];

/// The roles as the contract names them, and as the program does.
const ROLES: [(&str, &str); 4] =
    [("ROLE_READER", "Reader"), ("ROLE_MAKER", "Maker"), ("ROLE_OPS", "Ops"), ("ROLE_ADMIN", "Admin")];

#[expect(clippy::disallowed_methods, reason = "cargo passes the output folder of a build script in the environment")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    check_commit()?;
    let mut compiler = Compiler::new(["proto"])?;
    compiler.include_imports(true);
    compiler.open_files(FILES.map(|file| format!("puzzled/v1/{file}.proto")))?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    fs::write(out.join("method_roles.rs"), roles(&compiler)?)?;
    fs::write(out.join("guarded_methods.rs"), guarded(&compiler)?)?;
    Ok(())
}

/// Checks the commit that `puzzled --version` names, if the variable is set.
#[expect(clippy::disallowed_methods, reason = "the build gets the commit from the environment")]
fn check_commit() -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=PUZZLED_COMMIT");
    let commit = std::env::var("PUZZLED_COMMIT").unwrap_or_default();
    let is_hash = (7..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if commit.is_empty() || is_hash {
        return Ok(());
    }
    Err(format!("PUZZLED_COMMIT: {commit:?} is not a commit; use 7 to 64 hexadecimal digits"))
}

/// The lowest role of each method by its path, as a constant of Rust, ordered by path.
fn roles(compiler: &Compiler) -> Result<String, Box<dyn Error>> {
    let pool = compiler.descriptor_pool();
    let role = pool.get_extension_by_name("puzzled.v1.role").ok_or("the contract has no option `role`")?;
    let mut rows = Vec::new();
    for method in pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let number = method.options().get_extension(&role).as_enum_number().unwrap_or_default();
        let name = pool.get_enum_by_name("puzzled.v1.Role").and_then(|roles| roles.get_value(number));
        let named = name.and_then(|value| ROLES.into_iter().find(|(name, _)| *name == value.name()));
        let (_, role) = named.ok_or_else(|| format!("{path} has no role; add `option (role) = ROLE_…`"))?;
        rows.push((path, role));
    }
    rows.sort();
    let mut table =
        "/// The lowest role that may call each method, ordered by path.\nconst ROLES: &[(&str, Role)] = &[\n"
            .to_owned();
    for (path, role) in rows {
        writeln!(table, "    (\"{path}\", Role::{role}),")?;
    }
    Ok(table + "];\n")
}

/// The requests with fields that need more than the role of the method; `rights.rs` has their rules.
const RESTRICTED: [&str; 10] = [
    "BatchGenerateRequest",
    "BatchGetPuzzlesRequest",
    "ExportPuzzlesRequest",
    "GenerateRequest",
    "GetDailyPuzzleRequest",
    "GetPuzzleRequest",
    "ListPuzzlesRequest",
    "RenderPuzzleRequest",
    "SolveRequest",
    "ValidateRequest",
];

/// More than the depth of any message in the contract, some of which contain themselves.
const DEPTH_MAX: usize = 8;

/// Fields that only some principals may set.
const NEEDS_RULE: [&str; 4] = ["seed", "include_solution", "include_solutions", "enqueue_if_short"];

/// The responses that hide more than their puzzles and jobs; `rights.rs` has what they hide.
const REDACTED: [&str; 2] = ["BatchGetPuzzlesResponse", "ValidateResponse"];

/// The methods of all services on `Guard`, and the traits of requests and responses without rules of their own, as code of Rust.
fn guarded(compiler: &Compiler) -> Result<String, Box<dyn Error>> {
    let pool = compiler.descriptor_pool();
    let mut code = String::new();
    for service in pool.services() {
        let (name, module) = (service.name(), snake(service.name()));
        writeln!(code, "#[tonic::async_trait]\nimpl pb::{module}_server::{name} for Guard {{")?;
        for method in service.methods() {
            let (full, name) = (method.name(), snake(method.name()));
            let (request, response) = (method.input().name().to_owned(), method.output().name().to_owned());
            let (answer, shown) = if method.is_server_streaming() {
                writeln!(code, "    type {full}Stream = Messages<pb::{response}>;")?;
                (format!("Self::{full}Stream"), "self.stream")
            } else {
                (format!("pb::{response}"), "shown")
            };
            writeln!(
                code,
                "    async fn {name}(&self, request: Request<pb::{request}>) -> Result<Response<{answer}>, Status> {{
        let caller = self.check(&request, \"{full}\")?;
        {shown}(&caller, self.inner.{name}(&request).await)
    }}"
            )?;
        }
        writeln!(code, "}}")?;
    }
    let methods = || pool.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    for request in methods().map(|method| method.input()).filter(|request| !RESTRICTED.contains(&request.name())) {
        if let Some(field) = request.fields().find(|field| NEEDS_RULE.contains(&field.name())) {
            return Err(format!("{} needs a rule for {}; see rights.rs", request.name(), field.name()).into());
        }
        writeln!(code, "impl Restricted for pb::{} {{}}", request.name())?;
    }
    for response in methods().map(|method| method.output()).filter(|response| !REDACTED.contains(&response.name())) {
        let hidden: Vec<_> = response.fields().filter(|field| is_hidden(&field.kind())).collect();
        let inner = |field: &FieldDescriptor| !is_hidden(&field.kind()) && contains_hidden(&field.kind(), 0);
        if let Some(field) = response.fields().find(inner) {
            return Err(format!("{} hides nothing of {}; see rights.rs", response.name(), field.name()).into());
        }
        writeln!(code, "impl Redacted for pb::{} {{", response.name())?;
        if !hidden.is_empty() {
            writeln!(code, "    fn redact(&mut self) {{")?;
            for field in hidden {
                writeln!(code, "        self.{}.iter_mut().for_each(Redacted::redact);", field.name())?;
            }
            writeln!(code, "    }}")?;
        }
        writeln!(code, "}}")?;
    }
    Ok(code)
}

/// Whether this is a message that some principals may not see as a whole.
fn is_hidden(kind: &Kind) -> bool {
    kind.as_message().is_some_and(|message| ["Puzzle", "Job"].contains(&message.name()))
}

/// Whether such a message is within a field, at any depth that the contract has.
fn contains_hidden(kind: &Kind, depth: usize) -> bool {
    let within = |message: &MessageDescriptor| message.fields().any(|field| contains_hidden(&field.kind(), depth + 1));
    is_hidden(kind) || depth < DEPTH_MAX && kind.as_message().is_some_and(within)
}

/// `get_puzzle` for `GetPuzzle`.
fn snake(name: &str) -> String {
    let dash = |at, sign: char| (at > 0 && sign.is_ascii_uppercase()).then_some('_');
    name.char_indices().flat_map(|(at, sign)| dash(at, sign).into_iter().chain([sign.to_ascii_lowercase()])).collect()
}
