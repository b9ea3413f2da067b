//! Compiles the API in `proto/` with protox, which needs no protoc, and keeps its descriptors for reflection.

use std::{error::Error, fs, path::PathBuf};

use prost::Message as _;

const FILES: [&str; 6] = ["common", "errors", "puzzle", "job", "stock", "server"];

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script by the environment where to write")]
fn main() -> Result<(), Box<dyn Error>> {
    let files = FILES.map(|file| format!("puzzled/v1/{file}.proto"));
    println!("cargo::rerun-if-changed=proto");
    println!("cargo::rerun-if-changed=migrations");
    let descriptors = protox::compile(files, ["proto"])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    fs::write(out.join("puzzled_descriptors.bin"), descriptors.encode_to_vec())?;
    // Ordered maps, because labels are stored and shown by name. Boxed, because otherwise each status in a batch
    // would be as large as a puzzle.
    let boxed = ".puzzled.v1.BatchGetPuzzlesResult.result.puzzle";
    // Messages know their names, with which commands find their descriptors.
    let mut config = tonic_prost_build::Config::new();
    config.enable_type_names();
    tonic_prost_build::configure()
        .btree_map(".")
        .boxed(boxed)
        .extern_path(".google.rpc.Status", "::tonic_types::Status")
        .compile_fds_with_config(descriptors, config)?;
    Ok(())
}
