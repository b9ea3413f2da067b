//! What each rule is there to find.

use super::*;

#[test]
fn a_layer_that_reaches_up() {
    let cases = [
        ("src/store/mod.rs", "use crate::queue::Queue;", "1: store may not use queue"),
        ("src/queue/mod.rs", "\nfn f() { crate::service::call(); }", "2: queue may not use service"),
        (
            "src/stock/mod.rs",
            "use crate::{\n    clock::Clock,\n    worker::{self, cpu},\n};",
            "3: stock may not use worker",
        ),
        ("src/store/sqlite/mod.rs", "use super::super::stock;", "1: store may not use stock"),
        ("src/service/mod.rs", "use crate::worker::Worker as W;", "1: service may not use worker"),
        ("src/clock.rs", "mod tests {\n    use super::super::app;\n}", "2: clock may not use app"),
        ("src/main.rs", "fn main() { puzzled::app::serve(); }", "1: main may not use app"),
    ];
    for (file, source, wanted) in cases {
        assert_eq!(layer_faults(file, source), [format!("{file}:{wanted}")], "{source}");
    }
}

#[test]
fn an_engine_that_is_not_pure() {
    let cases = [
        ("use std::time::Instant;", "std::time"),
        ("use std::{fmt, sync::Arc, thread};", "std::thread"),
        ("fn f() { std::env::var(\"X\"); }", "std::env"),
        ("use std::{collections::{HashMap, HashSet}, fs::{self, File}};", "std::fs"),
    ];
    for (source, wanted) in cases {
        let faults = engine_faults("crates/engine/src/rng.rs", source);
        assert!(faults[0].ends_with(&format!("the engine may not use {wanted}")), "{source}: {faults:?}");
    }
}

#[test]
fn nothing_where_nothing_is_wrong() {
    let cases = [
        ("src/clock.rs", "// use std::time;\n/// crate::store\nconst A: &str = \"crate::store\";"),
        ("src/clock.rs", "const A: &str = r#\"std::fs \"quoted\" std::fs\"#; const B: char = '\"';"),
        ("src/clock.rs", "use std::time::Instant;\nmod tests { use super::*; }"),
        ("src/store/job.rs", "use crate::{clock::Millis, store::rows};"),
        ("src/cli/mod.rs", "use super::cli::serve; fn f<'a>(x: &'a str) -> Vec<&'a str> { crate::app::serve(x) }"),
    ];
    for (file, source) in cases {
        assert_eq!(layer_faults(file, source), [""; 0], "{source}");
    }
}

#[test]
fn a_file_without_a_layer() {
    assert_eq!(layer_faults("src/util.rs", "").len(), 1);
}

#[test]
fn a_kind_without_an_engine() {
    let proto = "enum Kind {\n  KIND_UNSPECIFIED = 0;\n  // Sudoku.\n  KIND_SUDOKU = 1;\n  KIND_KAKURO = 2;\n}";
    let line = "use super::sudoku::Sudoku;";
    let cases = [
        (line, "sudoku", &[("kakuro", "later")][..], ""),
        ("// sudoku", "sudoku", &[("kakuro", "later")], "sudoku is on the wire"),
        (line, "", &[("kakuro", "later")], "sudoku is on the wire"),
        (line, "sudoku", &[], "kakuro is on the wire"),
        (line, "sudoku", &[("sudoku", "later"), ("kakuro", "later")], "sudoku is made here"),
        (line, "sudoku", &[("kakuro", "later"), ("hitori", "later")], "hitori is reserved"),
    ];
    for (registry, folder, reserved, wanted) in cases {
        let faults = kind_faults(proto, registry, |kind| kind == folder, reserved);
        assert!(faults.concat().starts_with(wanted) && faults.is_empty() == wanted.is_empty(), "{faults:?}");
    }
}

#[test]
fn a_file_that_says_nothing_or_too_much() {
    assert_eq!(file_faults("src/a.rs", "//! Why.\n#![cfg(test)]\n").len(), 0);
    assert_eq!(file_faults("tests/a.rs", "#![cfg(test)]\n//! Why.\n").len(), 0);
    assert_eq!(file_faults("src/a.rs", "use std::fmt;\n//! Why.\n").len(), 1);
    assert_eq!(file_faults("src/a.rs", "").len(), 1);
    assert_eq!(file_faults("src/a.rs", &"//! Why.\n".repeat(LINES_MAX)).len(), 0);
    assert_eq!(file_faults("src/a.rs", &"//! Why.\n".repeat(LINES_MAX + 1)).len(), 1);
}

#[test]
fn a_lock_file_that_lags_behind() {
    let manifest = "[dependencies]\nprotox = \"1\"\nrand = \"1\"\ntokio-util = \"1\"\n";
    let lock = |names: &[&str]| {
        let names = names.iter().map(|name| format!(" \"{name}\",\n")).collect::<Vec<_>>().concat();
        let other = "[[package]]\nname = \"other\"\n\n";
        format!("{other}[[package]]\nname = \"puzzled-engine\"\ndependencies = [\n{names}]\n\n[[package]]\n")
    };
    let cases = [
        (&["protox", "rand 0.10.3", "tokio-util"][..], &[][..]),
        (&["protox", "rand"], &["Cargo.lock: lacks tokio_util"]),
        (&["protox", "rand", "tokio-util", "toml"], &["Cargo.lock: still has toml"]),
    ];
    for (names, wanted) in cases {
        assert_eq!(lock_faults("Cargo.lock", &lock(names), manifest), wanted, "{names:?}");
    }
    assert_eq!(lock_faults("Cargo.lock", "", manifest).len(), 3);
}
