//! The addresses of pictures: `GET /puzzles/ID.svg` and `.pdf` answer what `RenderPuzzle` draws, with headers for browsers, and
//! fail as JSON over HTTP does.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use puzzled_engine::shared::symmetry::Symmetry;
use serde_json::{Value, json};

use super::http::{self, gunzip, send};
use crate::server::Server;

async fn filled() -> Server {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 1).await;
    server
}

async fn get(server: &Server, path: &str) -> http::Answer {
    send(server.address, "GET", path, &[], b"").await
}

#[tokio::test]
async fn address_answers_the_picture_that_the_method_draws() {
    let server = filled().await;
    for (path, request, media_type) in [
        ("puzzle-1.svg", json!({ "format": "PICTURE_FORMAT_SVG" }), "image/svg+xml"),
        ("puzzle-1.pdf", json!({ "format": "PICTURE_FORMAT_PDF" }), "application/pdf"),
        ("puzzle-1.svg?", json!({ "format": "PICTURE_FORMAT_SVG" }), "image/svg+xml"),
        (
            "puzzle-1.svg?solution=true&candidates=false",
            json!({ "format": "PICTURE_FORMAT_SVG", "solution": true }),
            "image/svg+xml",
        ),
        (
            "puzzle-1.pdf?step=3&rules=true&candidates=true&scramble_seed=5",
            json!({ "format": "PICTURE_FORMAT_PDF", "step": 3, "rules": true, "candidates": true, "scrambleSeed": "5" }),
            "application/pdf",
        ),
    ] {
        let mut request = request;
        request["id"] = json!("puzzle-1");
        let by_method = http::post(server.address, "PuzzleService/RenderPuzzle", &request).await.json();
        let picture = BASE64_STANDARD.decode(by_method["picture"].as_str().unwrap()).unwrap();
        let path = format!("/puzzles/{path}");
        let answer = get(&server, &path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, media_type), "{path}");
        assert_eq!(by_method["mediaType"], media_type);
        assert_eq!(answer.body, picture, "{path}");
        let head = send(server.address, "HEAD", &path, &[], b"").await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        for name in ["content-type", "content-length", "cache-control", "content-security-policy"] {
            assert_eq!(head.header(name), answer.header(name), "{name}");
        }
        let headers = [("accept-encoding", "gzip")];
        let packed = send(server.address, "GET", &path, &headers, b"").await;
        let is_text = media_type == "image/svg+xml";
        assert_eq!(packed.header("content-encoding"), if is_text { "gzip" } else { "" }, "{path}");
        assert_eq!(if is_text { gunzip(&packed.body) } else { packed.body }, picture);
    }
}

#[tokio::test]
async fn headers_let_no_picture_run_or_leave_its_origin() {
    let answer = get(&filled().await, "/puzzles/puzzle-1.svg").await;
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "private"),
        ("vary", "accept-encoding"),
        ("access-control-allow-origin", ""),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    assert!(!answer.header("x-request-id").is_empty());
    let text = answer.text();
    assert!(!["<script", "<style", "style=", "href", "url("].iter().any(|word| text.contains(word)), "{text}");

    let ours = "https://example.org";
    let server = Server::with(|options| options.settings.server.cors_origins = ours.to_owned()).await;
    server.fill(Symmetry::None, 12, 1).await;
    let answer = send(server.address, "GET", "/puzzles/puzzle-1.svg", &[("origin", ours)], b"").await;
    assert_eq!(answer.header("access-control-allow-origin"), ours);
    assert_eq!(answer.header("cross-origin-resource-policy"), "");
}

#[tokio::test]
async fn refusals_are_those_of_json_over_http() {
    let server = filled().await;
    for (path, status, code, message) in [
        ("puzzle-9.svg", 404, "not_found", "there is no puzzle \"puzzle-9\"; ListPuzzles lists all (`puzzled list`)"),
        ("nine.pdf", 404, "not_found", "there is no puzzle \"nine\"; ListPuzzles lists all (`puzzled list`)"),
        ("puzzle-1.svg?step=0", 400, "invalid_argument", "step: 0 is not a step; steps count from 1"),
        (
            "puzzle-1.svg?step=+3",
            400,
            "invalid_argument",
            "step: \"+3\" is not allowed; use a whole number up to 4294967295",
        ),
        ("puzzle-1.svg?solution", 400, "invalid_argument", "solution: \"\" is not allowed; use true or false"),
        ("puzzle-1.svg?solution=yes", 400, "invalid_argument", "solution: \"yes\" is not allowed; use true or false"),
        ("puzzle-1.svg?step=1&step=2", 400, "invalid_argument", "query: \"step\" is set twice; set it once"),
        (
            "puzzle-1.svg?size=9",
            400,
            "invalid_argument",
            "query: unknown parameter \"size\"; use solution, candidates, rules, step, or scramble_seed",
        ),
    ] {
        let answer = get(&server, &format!("/puzzles/{path}")).await;
        assert_eq!((answer.status, answer.header("content-type")), (status, "application/json"), "{path}");
        let error: Value = answer.json();
        assert_eq!((&error["code"], &error["message"]), (&json!(code), &json!(message)), "{path}");
        assert!(!error["details"].as_array().unwrap().is_empty());
    }
    let beyond = json!({ "id": "puzzle-1", "format": "PICTURE_FORMAT_SVG", "step": 999 });
    let by_method = http::post(server.address, "PuzzleService/RenderPuzzle", &beyond).await;
    let by_address = get(&server, "/puzzles/puzzle-1.svg?step=999").await;
    assert_eq!((by_address.status, &by_address.json()["message"]), (by_method.status, &by_method.json()["message"]));
}

#[tokio::test]
async fn other_paths_and_methods_are_no_pictures() {
    let server = filled().await;
    for (method, path) in [
        ("GET", "/puzzles/"),
        ("GET", "/puzzles/.svg"),
        ("GET", "/puzzles/puzzle-1"),
        ("GET", "/puzzles/puzzle-1.png"),
        ("GET", "/puzzles/a/puzzle-1.svg"),
        ("POST", "/puzzles/puzzle-1.svg"),
    ] {
        let answer = send(server.address, method, path, &[], b"").await;
        assert_eq!((answer.status, answer.header("content-type")), (404, "text/plain; charset=utf-8"), "{path}");
    }
}
