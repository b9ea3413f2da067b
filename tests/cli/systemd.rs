//! What a process reports to the service manager (systemd) at start, reload, and stop. A socket of the test stands in
//! for that of systemd.

use std::os::unix::net::UnixDatagram;

use crate::{prelude::*, running::puzzled};

/// The states that a process tells until it ends. `on_ready` are the signals to answer each READY with.
fn told(args: &str, on_ready: &[Signal]) -> Vec<String> {
    let folder = Arc::new(tempdir().unwrap());
    fs::write(folder.path().join("puzzled.toml"), "").unwrap();
    let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
    let mut command = puzzled(&format!("{args} --config puzzled.toml --database sqlite:stock.db --workers 1"));
    command.current_dir(folder.path()).env("NOTIFY_SOCKET", folder.path().join("notify")).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (mut states, mut signals) = (Vec::new(), on_ready.iter());
    loop {
        let mut text = [0; 256];
        let len = socket.recv(&mut text).unwrap();
        let state = String::from_utf8(text[..len].to_vec()).unwrap().trim_end().to_owned();
        states.push(state.clone());
        match state.as_str() {
            "READY=1" => kill_process(Pid::from_child(&child), *signals.next().unwrap()).unwrap(),
            "STOPPING=1" => break,
            _ => {}
        }
    }
    assert!(child.wait().unwrap().success());
    states
}

#[test]
fn service_manager_is_notified_of_start_reload_and_stop() {
    for command in ["serve --listen 127.0.0.1:0", "work"] {
        let states = told(command, &[Signal::HUP, Signal::TERM]);
        assert_eq!(states, ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"], "{command}");
    }
}
