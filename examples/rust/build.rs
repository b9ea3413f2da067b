//! Generates the client from the API definition.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let proto = "../../proto";
    println!("cargo::rerun-if-changed={proto}");
    let files = protox::compile(["puzzled/v1/puzzle.proto", "puzzled/v1/job.proto"], [proto])?;
    let builder = tonic_prost_build::configure().build_server(false);
    builder.extern_path(".google.rpc.Status", "::tonic_types::Status").compile_fds(files)?;
    Ok(())
}
