#!/usr/bin/env bash
# Queues a job, polls it, and gets its puzzles, as JSON over HTTP. Prints the same lines as the other examples.
set -euo pipefail
url="http://${PUZZLED_ADDRESS:-127.0.0.1:50051}/puzzled.v1"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
head=(-H 'content-type: application/json')
[ -z "${PUZZLED_TOKEN:-}" ] || head+=(-H "authorization: Bearer $PUZZLED_TOKEN")

# call METHOD REQUEST SECONDS: makes a call with a deadline. Writes the answer to $body, and sets $status to its HTTP status.
# curl repeats the call if it cannot connect, or if the status is transient, such as 503 (UNAVAILABLE). Each call below is safe to
# repeat, because it only reads or has a request ID.
call() {
    status=$(curl -sS "${head[@]}" -H "connect-timeout-ms: $3000" -d "$2" --max-time "$(($3 + 1))" \
        --retry 5 --retry-connrefused -o "$body" -w '%{http_code}' "$url.$1")
}
# As `call`, but ends the script if the call fails.
must() {
    call "$@"
    [ "$status" = 200 ] || { echo "$1: $(jq -r .message "$body")" >&2; exit 1; }
}
get() { jq -r "$1" "$body"; }
# As `must`, but makes the call twice. The value at the path must be the same in both answers. Sets $id to it.
twice() {
    must "$1" "$2" "$3"
    id=$(get "$4")
    must "$1" "$2" "$3"
    [ "$(get "$4")" = "$id" ]
}
new_id() { cat /proc/sys/kernel/random/uuid; }

# A repeat with the same request ID queues no second job.
request=$(jq -n --arg id "$(new_id)" '{kind: "KIND_SUDOKU", count: 30, requestId: $id}')
twice PuzzleService/Generate "$request" 5 .job.id
job=$id
echo "queued 30 puzzles, and the repeat returned the same job"

# WatchJob answers with a stream, which curl cannot read. Poll GetJob instead.
must JobService/GetJob "{\"id\": \"$job\"}" 5
while [[ $(get .job.state) =~ QUEUED|RUNNING ]]; do
    sleep 0.5
    must JobService/GetJob "{\"id\": \"$job\"}" 5
done
echo "job ended with $(get .job.state), $(get .job.made) of $(get .job.wanted) puzzles"

# No audience gets a puzzle twice, but a repeat with the same request ID returns the same puzzle. With `wait`, the call waits for
# a puzzle until shortly before its deadline.
request=$(jq -n --arg id "$(new_id)" '{kind: "KIND_SUDOKU", audience: "reader-1", wait: true, requestId: $id}')
twice PuzzleService/GetPuzzle "$request" 10 .puzzle.id
echo "delivered a Sudoku of $(get '.puzzle.text | length') characters, and the repeat returned the same puzzle"

# Without `wait`, an empty stock is an error. Its details say why, and when to repeat the call.
detail() { get "first(.details[] | select(.type == \"google.rpc.$1\") | .debug) | $2"; }
request=$(jq -n --arg id "$(new_id)" \
    '{kind: "KIND_KAKURO", audience: "reader-1", enqueueIfShort: true, requestId: $id}')
call PuzzleService/GetPuzzle "$request" 5
if [ "$status" != 200 ]; then
    [ "$(detail ErrorInfo .reason)" = STOCK_EXHAUSTED ]
    [ -n "$(detail ErrorInfo '.metadata.job // empty')" ]
    echo "no Kakuro in stock: STOCK_EXHAUSTED, a job was queued"
fi
for _ in {1..20}; do
    [ "$status" != 200 ] || break
    sleep "$(detail RetryInfo '.retryDelay | rtrimstr("s")')"
    call PuzzleService/GetPuzzle "$request" 5
done
[ "$status" = 200 ]
echo "delivered a $(get .puzzle.kind) after the delay"

# The last page has no token.
pages=0 listed=0 token=
while [ $pages = 0 ] || [ -n "$token" ]; do
    must PuzzleService/ListPuzzles "{\"kind\": \"KIND_SUDOKU\", \"pageSize\": 12, \"pageToken\": \"$token\"}" 5
    pages=$((pages + 1)) listed=$((listed + $(get '.puzzles | length'))) token=$(get '.nextPageToken // empty')
done
echo "listed $listed puzzles on $pages pages"
