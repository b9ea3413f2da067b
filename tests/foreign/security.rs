//! Clients that share no code with this project against an encrypted server: OpenSSL, curl, and the Python programs of
//! `docs/security.md`. If a client is not installed, its test is reported as ignored, which only shows at run time.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Stdio},
};

use libtest_mimic::{Failed, Trial};
use tempfile::{TempDir, tempdir};

use crate::{
    authority::Authority,
    running::{Running, puzzled},
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The name of the client's certificate, and that of a certificate which the access file does not list.
const NAMES: [&str; 2] = ["spiffe://corp/newspaper", "spiffe://corp/stranger"];

pub(crate) fn trials() -> Vec<Trial> {
    let [python, also_python] = [python(), python()];
    let has_python = has(&python, &["-c", "import grpc, grpc_tools"]) || is_named();
    let has_openssl = has("openssl", &["version"]);
    let has_curl = says("curl", &["--version"], "HTTP2");
    vec![
        Trial::test("openssl_agrees_on_both_versions_of_tls", openssl_connects).with_ignored_flag(!has_openssl),
        Trial::test("openssl_is_refused_with_an_older_version", openssl_is_refused).with_ignored_flag(!has_openssl),
        Trial::test("curl_is_known_by_token_and_certificate_by_both_versions_of_http", curl_is_known)
            .with_ignored_flag(!has_curl),
        Trial::test("curl_command_of_the_page_is_answered", curl_of_the_page).with_ignored_flag(!has_curl),
        Trial::test("python_program_is_known_by_its_certificate", move || certificate_is_known(&python))
            .with_ignored_flag(!has_python),
        Trial::test("python_program_is_known_by_its_token", move || token_is_known(&also_python))
            .with_ignored_flag(!has_python),
    ]
}

fn openssl_connects() -> Result<(), Failed> {
    let server = Server::start();
    for (flag, version) in [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")] {
        let (_, said) = server.openssl(&[flag, "-cert", "mine.pem", "-key", "mine.key"]);
        for expected in ["Verify return code: 0 (ok)", "ALPN protocol: h2", "Acceptable client certificate CA names"] {
            if !said.contains(expected) {
                return Err(format!("{version}: no {expected:?} in: {said}").into());
            }
        }
        if !said.contains(version) {
            return Err(format!("not {version}: {said}").into());
        }
    }
    Ok(())
}

fn openssl_is_refused() -> Result<(), Failed> {
    // OpenSSL's own level of security would refuse it first.
    let (is_connected, said) = Server::start().openssl(&["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"]);
    if is_connected || !said.contains("SSL alert number") { Err(said.into()) } else { Ok(()) }
}

/// Calls by JSON with each version of HTTP, and with each proof of identity.
fn curl_is_known() -> Result<(), Failed> {
    let server = Server::start();
    let bearer = |token: &str| format!("authorization: Bearer {token}");
    let (mine, stranger) = (bearer(&server.token), bearer(&Server::draw_token().0));
    for (flag, version) in [("--http1.1", "1.1"), ("--http2", "2")] {
        for (identity, code) in [
            (&["--cert", "mine.pem", "--key", "mine.key"][..], "200"),
            (&["--cert", "stranger.pem", "--key", "stranger.key"], "401"),
            (&["-H", &mine], "200"),
            (&["-H", &stranger], "401"),
            (&[], "401"),
        ] {
            let said = server.curl(&[&[flag], identity].concat());
            if !said.ends_with(&format!("\n{version} {code}")) {
                return Err(format!("not {version} {code} with {identity:?}: {said}").into());
            }
        }
    }
    Ok(())
}

/// Runs the command of the page on security.
fn curl_of_the_page() -> Result<(), Failed> {
    let server = Server::start();
    let page = fs::read_to_string(Path::new(ROOT).join("docs/security.md")).unwrap();
    let command = page.split("```sh\n").find(|block| block.starts_with("curl ")).unwrap();
    let command = command.split_once("```").unwrap().0.replace("localhost:50051", &server.address);
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(server.folder.path()).env("PUZZLED_TOKEN", &server.token);
    let said = String::from_utf8(shell.output().unwrap().stdout).unwrap();
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    if said.contains(&version) { Ok(()) } else { Err(said.into()) }
}

/// Runs the first program with the listed certificate, then with the other one.
fn certificate_is_known(python: &str) -> Result<(), Failed> {
    let server = Server::start();
    let [mine, stranger] = ["mine", "stranger"].map(|name| {
        fs::copy(server.path(&format!("{name}.pem")), server.path("client.pem")).unwrap();
        fs::copy(server.path(&format!("{name}.key")), server.path("client.key")).unwrap();
        server.runs(python, 0, "")
    });
    is_served_and_refused(&mine, &stranger)
}

/// Runs the second program with the token of the access file, then with another one.
fn token_is_known(python: &str) -> Result<(), Failed> {
    let server = Server::start();
    let mine = server.runs(python, 1, &server.token);
    let stranger = server.runs(python, 1, &Server::draw_token().0);
    is_served_and_refused(&mine, &stranger)
}

fn is_served_and_refused(mine: &str, stranger: &str) -> Result<(), Failed> {
    if mine.trim() != env!("CARGO_PKG_VERSION") {
        return Err(mine.into());
    }
    if stranger.contains("UNAUTHENTICATED") { Ok(()) } else { Err(stranger.into()) }
}

/// A Python block of the page on security.
fn program(number: usize) -> String {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/security.md")).unwrap();
    let block = page.split("```python\n").nth(number + 1).unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

/// The interpreter that `PUZZLED_TEST_PYTHON` names, else `python3`.
fn python() -> String {
    named().unwrap_or_else(|| "python3".to_owned())
}

fn is_named() -> bool {
    named().is_some()
}

#[expect(clippy::disallowed_methods, reason = "a person or a script names the interpreter")]
fn named() -> Option<String> {
    std::env::var("PUZZLED_TEST_PYTHON").ok()
}

fn has(command: &str, args: &[&str]) -> bool {
    Command::new(command).args(args).output().is_ok_and(|ran| ran.status.success())
}

fn says(command: &str, args: &[&str], words: &str) -> bool {
    let ran = Command::new(command).args(args).output();
    ran.is_ok_and(|ran| String::from_utf8_lossy(&ran.stdout).contains(words))
}

/// An encrypted server that knows one client, by its certificate and by a token. It ends with this value.
struct Server {
    token: String,
    /// The address with the host of its certificate.
    address: String,
    folder: TempDir,
    _running: Running,
}

impl Server {
    fn start() -> Self {
        let (folder, authority) = (tempdir().unwrap(), Authority::new());
        let path = |name: &str| folder.path().join(name);
        authority.issue("localhost").write(folder.path(), "server");
        for (name, file) in NAMES.into_iter().zip(["mine", "stranger"]) {
            authority.issue(name).write(folder.path(), file);
        }
        fs::write(path("ca.pem"), authority.pem()).unwrap();
        let (token, entry) = Self::draw_token();
        let principal = format!("[[principal]]\nname = '{}'\nrole = 'reader'\n{entry}", NAMES[0]);
        fs::write(path("access.toml"), principal).unwrap();
        symlink(Path::new(ROOT).join("proto"), path("proto")).unwrap();
        let args = "serve --listen 127.0.0.1:0 --database sqlite:stock.db --workers 0 --access access.toml \
                    --tls-cert server.pem --tls-key server.key --tls-client-ca ca.pem";
        let running = Running::spawn(puzzled(args).current_dir(&folder));
        Self { token, address: running.address().replace("127.0.0.1", "localhost"), folder, _running: running }
    }

    /// A new token of the listed client, and its entry for the access file.
    fn draw_token() -> (String, String) {
        let ran = puzzled(&format!("token new --principal {}", NAMES[0])).output().unwrap();
        let said = String::from_utf8(ran.stdout).unwrap();
        let token = said.split_whitespace().find(|word| word.starts_with("pzd_")).unwrap().to_owned();
        let entry = said[said.find("[[token]]").unwrap()..].to_owned();
        (token, entry)
    }

    /// What a program of the page prints.
    fn runs(&self, python: &str, number: usize, token: &str) -> String {
        fs::write(self.path("first.py"), program(number).replace("localhost:50051", &self.address)).unwrap();
        let mut command = Command::new(python);
        let ran = command.current_dir(self.folder.path()).arg("first.py").env("PUZZLED_TOKEN", token).output().unwrap();
        let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        out + &err
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Calls with curl, and returns the answer, followed by a line with the version of HTTP and the code.
    fn curl(&self, args: &[&str]) -> String {
        let url = format!("https://{}/puzzled.v1.ServerService/GetServerInfo", self.address);
        let mut command = Command::new("curl");
        command.args(["-sS", "--cacert", "ca.pem", "-H", "content-type: application/json", "-d", "{}"]).args(args);
        command.args(["-w", "\n%{http_version} %{http_code}", &url]);
        let ran = command.current_dir(self.folder.path()).output().unwrap();
        let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        err + &out
    }

    /// Connects with OpenSSL, and returns whether that worked with all that it printed.
    fn openssl(&self, args: &[&str]) -> (bool, String) {
        let mut command = Command::new("openssl");
        command.args(["s_client", "-connect", &self.address, "-servername", "localhost", "-CAfile", "ca.pem"]);
        command.args(["-verify_return_error", "-alpn", "h2"]).args(args);
        let ran = command.current_dir(self.folder.path()).stdin(Stdio::null()).output().unwrap();
        let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        (ran.status.success(), out + &err)
    }
}
