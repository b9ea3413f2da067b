//! Generates from `proto/` the Rust code of the API, and the descriptors for reflection. It uses protox, so `protoc` is not needed.

use std::{error::Error, fs, path::PathBuf};

use protox::Compiler;

const FILES: [&str; 8] = ["access", "common", "errors", "puzzle", "job", "stock", "series", "server"];

#[expect(clippy::disallowed_methods, reason = "cargo passes the output folder of a build script in the environment")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=../../proto");
    let mut compiler = Compiler::new(["../../proto"])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(FILES.map(|file| format!("puzzled/v1/{file}.proto")))?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    // The messages of prost have no place for the options that the contract itself defines.
    fs::write(out.join("puzzled_descriptors.bin"), compiler.encode_file_descriptor_set())?;
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
        .compile_fds_with_config(compiler.file_descriptor_set(), config)?;
    Ok(())
}
