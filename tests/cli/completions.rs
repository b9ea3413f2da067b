//! `puzzled completions`: Bash loads its script and completes commands and flags; there is a script for every shell.

use std::process::Command;

use crate::prelude::*;

/// What Bash offers for the last of these words.
fn completed(script: &Path, words: &[&str]) -> String {
    let last = words.len() - 1;
    let call = format!(
        "source {} && COMP_WORDS=({}) && COMP_CWORD={last} && _puzzled puzzled '{}' '{}' && echo \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.join(" "),
        words[last],
        words[last - 1]
    );
    let ran = ran(Command::new("bash").args(["--norc", "-c", &call]).output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words:?}");
    ran.out.trim_end().to_owned()
}

#[test]
fn bash_completes_commands_and_flags() {
    let script = run("completions bash");
    assert_eq!((script.code, script.err.as_str()), (Some(0), ""));
    let folder = tempdir().unwrap();
    let file = folder.path().join("puzzled");
    fs::write(&file, &script.out).unwrap();
    for (words, expected) in [
        (&["puzzled", "enq"][..], "enqueue"),
        (&["puzzled", "enqueue", "--req"], "--request-id"),
        (&["puzzled", "queue", "pa"], "pause"),
        (&["puzzled", "completions", "power"], "powershell"),
    ] {
        assert_eq!(completed(&file, words), expected, "{words:?}");
    }
}

#[test]
fn every_shell_has_a_script_with_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&format!("completions {shell}"));
        assert_eq!(script.code, Some(0), "{shell}: {}", script.err);
        for command in ["serve", "enqueue", "validate", "completions"] {
            assert!(script.out.contains(command), "{shell}: {command}");
        }
        assert!(!script.out.contains("halt-at"), "{shell}: a hidden flag is offered");
    }
    let unknown = run("completions tcsh");
    assert!(unknown.code == Some(1) && unknown.err.contains("bash, elvish, fish, powershell, zsh"), "{}", unknown.err);
}
