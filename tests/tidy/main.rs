//! The wall between the layers, and the house rules that no lint knows: which layer may use which, what the engine may
//! not touch, that each kind on the wire has an engine, that files say what they are and stay small, and that no lock file
//! lags behind.
#![cfg(test)]

mod paths;
mod the_wall_catches;

use std::{
    fs,
    path::{Path, PathBuf},
};

use paths::{modules_of, paths, tokens};

/// Each layer and the ones that it may use. A layer is a file or folder of `src/`.
const LAYERS: [(&str, &[&str]); 15] = [
    ("lib", &[]),
    ("main", &["cli"]),
    (
        "cli",
        &["app", "service", "worker", "queue", "stock", "store", "config", "telemetry", "proto", "clock", "chance"],
    ),
    ("app", &["service", "worker", "queue", "stock", "store", "config", "telemetry", "proto", "clock", "chance"]),
    ("service", &["queue", "stock", "store", "proto", "clock", "chance"]),
    ("worker", &["queue", "stock", "store", "clock", "chance"]),
    ("queue", &["store", "rules", "clock", "chance"]),
    ("stock", &["store", "rules", "clock", "chance"]),
    ("config", &["queue", "store", "telemetry"]),
    ("store", &["rules", "clock"]),
    ("rules", &["clock"]),
    ("chance", &[]),
    ("proto", &[]),
    ("telemetry", &[]),
    ("clock", &[]),
];

/// What of the standard library waits, or sees the machine.
const IMPURE: [&str; 6] = ["time", "env", "fs", "thread", "net", "process"];

/// Kinds that the contract names before there is an engine for them.
const RESERVED_KINDS: [(&str, &str); 0] = [];

/// The lock files of the packages that build this one from outside; nothing else says that they lag behind before somebody runs
/// such a package.
const OTHER_LOCKS: [&str; 2] = ["fuzz/Cargo.lock", "benches/peers/Cargo.lock"];

/// Most lines of a file.
const LINES_MAX: usize = 400;

#[test]
fn no_layer_reaches_up_and_the_engine_stays_pure() {
    let faults = rust_files("src").into_iter().flat_map(|file| layer_faults(&file, &read(&file)));
    let impure = rust_files("crates/engine/src").into_iter().flat_map(|file| engine_faults(&file, &read(&file)));
    assert_none(&faults.chain(impure).collect::<Vec<_>>());
}

#[test]
fn every_kind_on_the_wire_has_an_engine_or_a_reason_not_to() {
    let (proto, registry) = (read("proto/puzzled/v1/common.proto"), read("crates/engine/src/registry.rs"));
    let has_folder = |kind: &str| root().join("crates/engine/src").join(kind).is_dir();
    assert_none(&kind_faults(&proto, &registry, has_folder, &RESERVED_KINDS));
}

#[test]
fn every_file_says_what_it_is_and_stays_small() {
    let files =
        ["src", "tests", "benches", "crates/engine"].into_iter().flat_map(rust_files).chain(["build.rs".to_owned()]);
    assert_none(&files.flat_map(|file| file_faults(&file, &read(&file))).collect::<Vec<_>>());
}

/// Faults of one file against [`LAYERS`], each with file and line.
#[test]
fn every_lock_file_knows_what_the_crate_depends_on() {
    let manifest = read("crates/engine/Cargo.toml");
    let faults = OTHER_LOCKS.into_iter().flat_map(|file| lock_faults(file, &read(file), &manifest));
    assert_none(&faults.collect::<Vec<_>>());
}

fn layer_faults(file: &str, source: &str) -> Vec<String> {
    let modules = modules_of(file);
    let layer = modules.first().cloned().unwrap_or_else(|| stem(file));
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
        return vec![format!("{file}: {layer:?} is no layer of tests/tidy/main.rs; give it its place there")];
    };
    let mut faults: Vec<_> = paths(source, &modules)
        .into_iter()
        .filter_map(|(line, path)| Some(format!("{file}:{line}: {}", reach(&layer, allowed, &path)?)))
        .collect();
    faults.dedup();
    faults
}

/// What is wrong with a path in a layer, if anything is.
fn reach(layer: &str, allowed: &[&str], path: &[String]) -> Option<String> {
    let names: Vec<_> = path.iter().map(String::as_str).collect();
    let is_layer = |name: &str| LAYERS.iter().any(|(layer, _)| *layer == name);
    match names[..] {
        ["crate", used, ..] if used == layer || allowed.contains(&used) || !is_layer(used) => None,
        ["crate", used, ..] => Some(format!("{layer} may not use {used}")),
        _ => None,
    }
}

/// What of the standard library the engine may not touch, and does.
fn engine_faults(file: &str, source: &str) -> Vec<String> {
    let found = paths(source, &[]).into_iter().filter(|(_, path)| path[0] == "std");
    let impure = found.filter(|(_, path)| path.get(1).is_some_and(|module| IMPURE.contains(&module.as_str())));
    impure.map(|(line, path)| format!("{file}:{line}: the engine may not use std::{}", path[1])).collect()
}

fn kind_faults(
    proto: &str,
    registry: &str,
    has_folder: impl Fn(&str) -> bool,
    reserved: &[(&str, &str)],
) -> Vec<String> {
    let registered = |kind: &str| tokens(registry).iter().any(|token| token.text == kind);
    let on_wire: Vec<_> = proto
        .lines()
        .filter_map(|line| line.trim().strip_prefix("KIND_")?.split_once(" = "))
        .map(|(name, _)| name.to_lowercase())
        .filter(|name| name != "unspecified")
        .collect();
    let unmade = on_wire.iter().filter_map(|kind| {
        let is_reserved = reserved.iter().any(|(name, _)| name == kind);
        match (has_folder(kind) && registered(kind), is_reserved) {
            (true, false) | (false, true) => None,
            (true, true) => Some(format!("{kind} is made here, so it is no longer a reserved kind")),
            (false, false) => {
                Some(format!("{kind} is on the wire, but has no folder in crates/engine/src and registry line"))
            }
        }
    });
    let unknown = reserved.iter().filter(|(name, _)| !on_wire.iter().any(|kind| kind == name));
    unmade.chain(unknown.map(|(name, _)| format!("{name} is reserved, but not on the wire"))).collect()
}

fn file_faults(file: &str, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !source.lines().find(|line| !line.starts_with("#![")).is_some_and(|line| line.starts_with("//! ")) {
        faults.push(format!("{file}:1: does not begin with a `//!` line that says why the file exists"));
    }
    let lines = source.lines().count();
    if lines > LINES_MAX {
        faults.push(format!("{file}:{lines}: has {lines} lines, at most {LINES_MAX} are allowed"));
    }
    faults
}

/// What a lock file that has this package among others says otherwise than its manifest.
fn lock_faults(file: &str, lock: &str, manifest: &str) -> Vec<String> {
    let of_package =
        lock.lines().skip_while(|line| *line != "name = \"puzzled-engine\"").take_while(|line| *line != "]");
    // A name comes with its version where there are several.
    let name = |line: &str| line.trim_start().strip_prefix('"')?.split([' ', '"']).next().map(spelt);
    let known: Vec<_> = of_package.filter_map(name).collect();
    let mut wanted = ["[dependencies]"].map(|section| dependencies(manifest, section)).concat();
    wanted.sort();
    wanted.dedup();
    let missing = wanted.iter().filter(|name| !known.contains(name)).map(|name| format!("{file}: lacks {name}"));
    let left = known.iter().filter(|name| !wanted.contains(name)).map(|name| format!("{file}: still has {name}"));
    missing.chain(left).collect()
}

/// Names of the crates in a section of a manifest, as paths spell them.
fn dependencies(manifest: &str, section: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|line| *line != section).skip(1);
    let own = lines.take_while(|line| !line.starts_with('['));
    own.filter_map(|line| line.split_once(" = ")).map(|(name, _)| spelt(name)).collect()
}

fn spelt(name: &str) -> String {
    name.replace('-', "_")
}

fn stem(file: &str) -> String {
    Path::new(file).file_stem().unwrap().to_string_lossy().into_owned()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// All Rust files below a folder of the package, as paths from its root; none if there is no such folder.
fn rust_files(folder: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(root().join(folder)) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_type().unwrap().is_dir(), format!("{folder}/{}", entry.file_name().to_string_lossy())))
        // The peers' bench is a package of its own, with a build folder.
        .filter(|(is_folder, name)| !is_folder || !root().join(name).join("Cargo.toml").exists())
        .flat_map(|(is_folder, name)| if is_folder { rust_files(&name) } else { vec![name] })
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    files
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
