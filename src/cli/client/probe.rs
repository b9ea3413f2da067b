//! For `puzzled health`, asks the ops port of a process whether it is ready (`/readyz`). One plain HTTP request needs
//! no HTTP client.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// The maximum number of bytes of a response that are read. A response of `/readyz` has a few hundred.
const ANSWER_MAX: u64 = 16_384;

/// Asks `/readyz` at `address`, HOST:PORT.
///
/// # Errors
/// Why the process is not ready, or why it does not answer.
pub(in crate::cli) async fn ready(address: &str) -> Result<(), String> {
    let unreachable = |error| format!("no ops port answers ({error}); start the process with --ops-listen");
    let mut stream = TcpStream::connect(address).await.map_err(unreachable)?;
    let request = format!("GET /readyz?verbose HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(unreachable)?;
    let mut answer = String::new();
    stream.take(ANSWER_MAX).read_to_string(&mut answer).await.map_err(unreachable)?;
    verdict(&answer)
}

fn verdict(answer: &str) -> Result<(), String> {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    match head.split(' ').nth(1) {
        Some("200") => Ok(()),
        Some("503") => Err(failed(body)),
        _ => Err("the address is not that of an ops port; see --ops-listen".to_owned()),
    }
}

/// The checks that failed, in one line.
fn failed(checks: &str) -> String {
    let failed: Vec<_> = checks.lines().filter_map(|line| line.strip_prefix("[-] ")).collect();
    format!("not ready: {}", failed.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_of_the_port_is_ready_or_names_the_checks_that_failed() {
        assert_eq!(verdict("HTTP/1.1 200 OK\r\n\r\nok\n"), Ok(()));
        let failed = "HTTP/1.1 503 Service Unavailable\r\n\r\n[-] database: no answer\n[+] running: ok\n";
        assert_eq!(verdict(failed), Err("not ready: database: no answer".to_owned()));
        for other in ["HTTP/1.1 404 Not Found\r\n\r\n", "\0\0\u{6}", ""] {
            assert!(verdict(other).unwrap_err().contains("not that of an ops port"), "{other:?}");
        }
    }
}
