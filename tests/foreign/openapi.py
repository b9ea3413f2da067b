"""Validates the description of JSON over HTTP, and requests and answers of a server against its schemas.

Prints a line for each answer: its status, its reason if it is an error, and the path.
Arguments: the file of the description, the address.
"""

import json
import sys
import urllib.error
import urllib.request

from openapi_schema_validator import OAS31Validator, oas31_format_checker
from openapi_spec_validator import validate

PUZZLES, JOBS, STOCK, SERIES, SERVER = (
    f"/puzzled.v1.{name}Service/" for name in ("Puzzle", "Job", "Stock", "Series", "Server")
)
ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
SUDOKU = {"kind": "KIND_SUDOKU"}
PARTS = ("Solution", "Ratings", "Drawing", "Structure", "Record", "Links")
WHOLE = SUDOKU | {f"include{part}": True for part in PARTS} | {"wait": True, "enqueueIfShort": True}

CALLS = [
    (SERVER + "GetServerInfo", {}),
    (PUZZLES + "GetPuzzle", WHOLE),
    (PUZZLES + "GetPuzzle", WHOLE | {"audience": "player-7", "scrambleSeed": "18446744073709551615"}),
    (PUZZLES + "GetPuzzle", {"kind": "KIND_KAKURO", "level": "LEVEL_EVIL"}),
    (PUZZLES + "GetPuzzle", {"id": "puzzle-999"}),
    (PUZZLES + "BatchGetPuzzles", {"requests": [SUDOKU, {"id": "puzzle-999"}]}),
    (PUZZLES + "Solve", SUDOKU | {"text": ESCARGOT, "includeSteps": True, "includeOpenSteps": True}),
    (PUZZLES + "Solve", SUDOKU | {"text": "." * 81}),
    (PUZZLES + "Hint", {"id": "puzzle-1"}),
    (PUZZLES + "Validate", SUDOKU | {"text": "." * 81}),
    (PUZZLES + "RenderPuzzle", {"id": "puzzle-1", "format": "PICTURE_FORMAT_SVG"}),
    (PUZZLES + "Generate", SUDOKU | {"count": 1, "labels": {"for": "test"}, "notBeforeTime": "2024-01-01T00:00:00Z"}),
    (JOBS + "ListJobs", {}),
    (JOBS + "GetJob", {"id": "job-999"}),
    (JOBS + "GetQueue", {}),
    (STOCK + "CreateStockTarget", SUDOKU | {"target": 1}),
    (STOCK + "CreateStockTarget", SUDOKU | {"target": 1}),
    (STOCK + "UpdateStockTarget", {"id": "target-1", "target": 2, "updateMask": "target"}),
    (STOCK + "GetStock", {}),
    (SERIES + "ListDailySeries", {}),
    (SERVER + "ListProcesses", {}),
    (SERVER + "ListAuditEntries", {}),
]


def main(file, address):
    with open(file, encoding="utf-8") as opened:
        document = json.load(opened)
    validate(document)
    components = {"components": document["components"]}
    close(document["components"]["schemas"].values())

    def fits(schema, instance):
        checker = OAS31Validator(schema | components, format_checker=oas31_format_checker)
        return [f"{fault.json_path}: {fault.message}" for fault in checker.iter_errors(instance)]

    def check(path, operation, request):
        status, media_type, answer = send(address, path, request)
        described = operation["responses"].get(str(status)) or document["components"]["responses"]["Error"]
        schema = described["content"][media_type].get("schema", {})
        message = json.loads(answer) if media_type == "application/json" else None
        assert not fits(schema, message), (path, message, fits(schema, message))
        if message is not None:
            assert fits(schema, message | {"other": 1}), f"{path}: the schema fits everything"
        print(status, reason(message) if status != 200 else "OK", path)
        return message

    for path, request in CALLS:
        operation = document["paths"][path]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert not fits(schema, request), (path, request, fits(schema, request))
        check(path, operation, request)
    for path, item in document["paths"].items():
        if "get" in item:
            picture = path.replace("{id}", "puzzle-1")
            check(picture, item["get"], None)
            check(picture.replace("1", "999"), item["get"], None)
            queries = [each["name"] for each in item["get"]["parameters"] if each.get("in") == "query"]
            values = {"step": 1, "scramble_seed": 7}
            for query in queries:
                check(f"{picture}?{query}={values.get(query, 'true')}", item["get"], None)
            continue
        schema = item["post"]["requestBody"]["content"]["application/json"]["schema"]
        if fits(schema, {}):
            refused = check(path, item["post"], {})
            assert refused["code"] == "invalid_argument", (path, refused)


def close(schemas):
    """Lets messages have no properties but their own: the server sends no others."""
    for schema in schemas:
        if schema["type"] == "object":
            schema.setdefault("additionalProperties", False)


def send(address, path, request):
    body = None if request is None else json.dumps(request).encode()
    call = urllib.request.Request(f"http://{address}{path}", body, {"content-type": "application/json"})
    try:
        answer = urllib.request.urlopen(call, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.headers.get_content_type(), answer.read()


def reason(error):
    return error["details"][0]["debug"]["reason"]


main(*sys.argv[1:])
