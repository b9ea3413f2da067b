//! Finds the end of an HTTP/1 head as its bytes arrive, and checks that they begin with a request line. The code that
//! limits the size and time of a head needs no more.

use std::io;

/// The maximum size of a head in bytes: hyper's limit for HTTP/2.
pub(super) const LEN_MAX: usize = 16 << 10;

/// The versions that a request line may end in. A client of HTTP/1.0 gets an answer that says what to use.
const VERSIONS: [&[u8]; 2] = [b" HTTP/1.1", b" HTTP/1.0"];

/// A head that is being read.
#[derive(Debug, Default)]
pub(super) struct Head {
    is_line_read: bool,
    /// Bytes that are known not to end the head.
    scanned: usize,
}

impl Head {
    /// Whether the bytes so far contain a whole head. Each call passes the earlier bytes again.
    ///
    /// # Errors
    /// `InvalidData` if they do not begin with a request line of HTTP/1.
    pub(super) fn is_whole(&mut self, bytes: &[u8]) -> io::Result<bool> {
        if !self.is_line_read {
            self.is_line_read = is_line_whole(bytes)?;
        }
        let new = &bytes[self.scanned..];
        // An empty line ends the head. A bare line feed ends a line too, as hyper reads it.
        let is_whole = new.windows(4).any(|end| end == b"\r\n\r\n") || new.windows(2).any(|end| end == b"\n\n");
        self.scanned = bytes.len().saturating_sub(3);
        Ok(self.is_line_read && is_whole)
    }
}

/// Whether the bytes contain a whole request line.
fn is_line_whole(bytes: &[u8]) -> io::Result<bool> {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let line = &bytes[..end.unwrap_or(bytes.len())];
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_text = line.iter().all(|byte| (b' '..=b'~').contains(byte));
    let is_method =
        line.iter().take_while(|byte| **byte != b' ').all(|byte| byte.is_ascii_uppercase() || *byte == b'-');
    let is_version = end.is_none() || VERSIONS.iter().any(|version| line.ends_with(version));
    if is_text && is_method && is_version { Ok(end.is_some()) } else { Err(io::ErrorKind::InvalidData.into()) }
}
