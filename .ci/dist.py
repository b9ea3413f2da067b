"""Writes the licenses of all dependencies of `puzzled`, and a list of its components (SBOM) as CycloneDX JSON.

Arguments: the target triple, and the folder of the archive, which gets `licenses/dependencies.txt` and `sbom.cdx.json`.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The files of a package that have a license or a notice, also those of C code in its folders.
LICENSE_FILE = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)([-._].*)?", re.IGNORECASE)
# C code within a package: the name and the license of the component, and where its version stands.
BUNDLED = {"libsqlite3-sys": ("sqlite", "blessing", "sqlite3/sqlite3.h", r'#define SQLITE_VERSION +"([^"]+)"')}


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def used(edges, target):
    """Names and versions of the packages that the program is built from. `cargo metadata` alone also has what tests turn on."""
    lines = cargo("tree", "--locked", "-p", "puzzled", "-e", edges, "--target", target, "--prefix", "none", "--format", "{p}")
    words = [line.split() for line in lines.splitlines() if line]
    return {(name, version.removeprefix("v")) for name, version, *_ in words}


def key(package):
    return package["name"], package["version"]


def expression(package):
    """The license by SPDX. Old packages separate alternatives by a slash."""
    return re.sub(r" ?/ ?", " OR ", package["license"])


def license_texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.rglob("*") if path.is_file() and LICENSE_FILE.fullmatch(path.name))
    texts = [path.read_text(errors="replace").strip() for path in files if path.suffix != ".rs"]
    if texts:
        return texts
    # Some packages name their license and have no file with its text.
    words = expression(package).split()
    if "Apache-2.0" in words:
        return [(ROOT / "LICENSE-APACHE").read_text().strip()]
    if "MIT" in words:
        text = (ROOT / "LICENSE-MIT").read_text().strip()
        authors = ", ".join(package["authors"]) or f"The authors of {package['name']}"
        return [re.sub(r"Copyright .*", lambda _: f"Copyright (c) {authors}", text, count=1)]
    raise SystemExit(f"{package['name']}: no text of its license {package['license']}; add it to the package or to this script")


def write_licenses(packages, path):
    """Each text once, below the packages that it covers."""
    covered = {}
    for package in packages:
        for text in license_texts(package):
            covered.setdefault(text, {})[f"{package['name']} {package['version']} ({expression(package)})"] = None
    rule = "=" * 80
    parts = ["puzzled is built from the packages below. Each text is the license or a notice of the packages above it."]
    parts += [f"{rule}\n" + "\n".join(names) + f"\n{rule}\n\n{text}" for text, names in covered.items()]
    path.write_text("\n\n".join(parts) + "\n")


def component(package, checksums, delivered):
    name, version = key(package)
    found = {"type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version}
    found["scope"] = "required" if key(package) in delivered else "excluded"
    if digest := checksums.get(key(package)):
        found["hashes"] = [{"alg": "SHA-256", "content": digest}]
    found["licenses"] = [{"expression": expression(package)}]
    if package["source"]:
        found["purl"] = f"pkg:cargo/{name}@{version}"
    if name in BUNDLED:
        bundled, license_id, header, pattern = BUNDLED[name]
        text = (pathlib.Path(package["manifest_path"]).parent / header).read_text()
        version = re.search(pattern, text).group(1)
        found["components"] = [{"type": "library", "bom-ref": f"{bundled}@{version}", "name": bundled, "version": version,
                                "licenses": [{"expression": license_id}], "purl": f"pkg:generic/{bundled}@{version}"}]
    return found


def main():
    target, out = sys.argv[1], pathlib.Path(sys.argv[2])
    metadata = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target))
    delivered, all_used = used("normal", target), used("normal,build", target)
    packages = sorted((package for package in metadata["packages"] if key(package) in all_used), key=key)
    program = next(package for package in packages if package["name"] == "puzzled")
    others = [package for package in packages if package is not program]
    # The project's own license has files of its own.
    write_licenses([package for package in others if package["source"]], out / "licenses" / "dependencies.txt")

    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {key(package): package["checksum"] for package in locked if "checksum" in package}
    refs = {package["id"]: f"{package['name']}@{package['version']}" for package in packages}
    dependencies = []
    for node in metadata["resolve"]["nodes"]:
        if node["id"] in refs:
            needed = [entry["pkg"] for entry in node["deps"] if any(kind["kind"] != "dev" for kind in entry["dep_kinds"])]
            dependencies.append({"ref": refs[node["id"]], "dependsOn": sorted(refs[id] for id in needed if id in refs)})
    named = component(program, checksums, delivered) | {"type": "application"}
    components = [component(package, checksums, delivered) for package in others]
    moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
    sbom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same components have the same number.
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_OID, hashlib.sha256(json.dumps(components).encode()).hexdigest()).urn,
        "version": 1,
        "metadata": {"timestamp": moment.isoformat().replace("+00:00", "Z"), "component": named},
        "components": components,
        "dependencies": sorted(dependencies, key=lambda entry: entry["ref"]),
    }
    (out / "sbom.cdx.json").write_text(json.dumps(sbom, indent=1) + "\n")
    print(f"{len(components)} components, {len(delivered) - 1} of them in the program")


if __name__ == "__main__":
    main()
