//! Access tokens: bad ones are refused and never repeated in an error, each works until it expires, and rotation fails
//! no call.

use serde_json::json;
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::server::{Entry, Server, access_file, directory, entry, token_of};

#[tokio::test]
async fn each_caller_learns_its_name_its_role_and_its_right() {
    let blind = Entry { solutions: false, ..entry("blind", "ops") };
    let server = Server::start(&[entry("reader", "reader"), blind]).await;
    for (name, expected) in [
        ("reader", json!({ "name": "reader", "role": "ROLE_READER", "solutions": true })),
        ("blind", json!({ "name": "blind", "role": "ROLE_OPS" })),
    ] {
        let info = server.client(name).await.call("GetServerInfo", json!({})).await.unwrap().unwrap();
        assert_eq!(info["caller"], expected);
    }
}

#[tokio::test]
async fn bad_token_is_refused_with_what_is_wrong_and_never_repeated() {
    let entries = [entry("reader", "reader"), entry("other", "reader")];
    // `other` has no token.
    let server = Server::with_file(&access_file(&entries, 1)).await;
    let good = format!("Bearer {}", token_of("reader"));
    let swapped = good.replace("reader", "readed");
    let secret = good.rsplit('_').next().unwrap();
    for (headers, words) in [
        (vec![], "authorization: missing"),
        (vec!["Basic eDp5"], "authorization: not of the form"),
        (vec!["Bearer pzd_reader_123"], "authorization: not of the form"),
        (vec![secret], "authorization: not of the form"),
        (vec![&swapped], "authorization: the token is unknown or was revoked"),
        (vec![&good, &good], "authorization: sent 2 times; send it once"),
    ] {
        let mut client = server.stranger().await;
        for header in headers {
            client = client.with(header);
        }
        let refused = client.call("GetServerInfo", json!({})).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated);
        assert_eq!(refused.get_details_error_info().unwrap().reason, "UNAUTHENTICATED");
        assert!(refused.message().starts_with(words), "{}", refused.message());
        assert!(!format!("{refused:?}").contains(secret), "{refused:?}");
    }
    server.client("reader").await.call("GetServerInfo", json!({})).await.unwrap();
}

#[tokio::test]
async fn token_works_until_it_expires_by_the_wall_clock() {
    let entries = [entry("reader", "reader")];
    let file = access_file(&entries, 1) + "expires_at = 2100-01-01T00:00:00+01:00\n";
    let server = Server::with_file(&file).await;
    let reader = server.client("reader").await;
    reader.call("GetServerInfo", json!({})).await.unwrap();
    // No time passes, but the wall clock is set.
    server.clock.jump_ms(80 * 366 * 24 * 60 * 60 * 1_000);
    let expired = reader.call("GetServerInfo", json!({})).await.unwrap_err();
    assert_eq!(expired.code(), Code::Unauthenticated);
    assert!(expired.message().contains("the token \"reader\" has expired"), "{}", expired.message());
}

#[tokio::test]
async fn tokens_of_one_principal_are_rotated_without_a_failed_call() {
    let principal = access_file(&[entry("reader", "reader")], 0);
    let entry_of = |id: &str| {
        let digest = puzzled::access::token::hex(&puzzled::access::token::digest(&token_of(id)));
        format!("[[token]]\nid = '{id}'\nsha256 = '{digest}'\nprincipal = 'reader'\n")
    };
    let server = Server::with_file(&(principal.clone() + &entry_of("t0"))).await;
    for turn in 0..20 {
        let [old, new] = [turn, turn + 1].map(|turn| format!("t{turn}"));
        server.gate.set(directory(&(principal.clone() + &entry_of(&old) + &entry_of(&new))));
        for id in [&old, &new] {
            server.client(id).await.call("GetServerInfo", json!({})).await.unwrap();
        }
        server.gate.set(directory(&(principal.clone() + &entry_of(&new))));
        let revoked = server.client(&old).await.call("GetServerInfo", json!({})).await.unwrap_err();
        assert_eq!(revoked.code(), Code::Unauthenticated);
        server.client(&new).await.call("GetServerInfo", json!({})).await.unwrap();
    }
}
