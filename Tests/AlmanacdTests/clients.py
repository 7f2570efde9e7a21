#!/usr/bin/env python3
"""Two client generators (PyPI: openapi-python-client, datamodel-code-generator) against a running daemon: what they make
of /openapi.json compiles, reads every collection into its types, and edits.

    Tests/AlmanacdTests/clients.py --bin .build/debug [--venv FOLDER] [--out FOLDER]

The generators are installed into --venv, which is made where it is missing."""
import argparse
import compileall
import importlib
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

from stage import Stage, ask

PACKAGES = ["openapi-python-client==0.29.1", "datamodel-code-generator==0.89.0", "pydantic==2.14.3"]


def tools(folder):
    folder = pathlib.Path(folder)
    if not (folder / "bin" / "openapi-python-client").exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", *PACKAGES], check=True)
    for site in folder.glob("lib/python*/site-packages"):
        sys.path.insert(0, str(site))
    return folder / "bin"


def run(bin, command, *arguments, folder, known=()):
    """Runs a generator. A warning fails it, but for those about the known operations."""
    environment = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}"}
    done = subprocess.run([bin / command, *arguments], cwd=folder, capture_output=True, text=True, env=environment)
    warnings = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("WARNING")]
    if done.returncode or any(not any(one in line for one in known) for line in warnings):
        raise SystemExit(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")


def operations(document):
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def python_client(bin, folder, document, stage):
    """openapi-python-client: every operation is a function; the lists give objects of the right types."""
    # It knows JSON, text and plain bytes: the picture is left out.
    run(bin, "openapi-python-client", "generate", "--path", "openapi.json", "--meta", "none", "--output-path",
        "almanac_client", "--overwrite", folder=folder, known=["GET /api/v1/media "])
    if not compileall.compile_dir(folder / "almanac_client", quiet=1):
        raise SystemExit("the client of openapi-python-client does not compile")
    client = importlib.import_module("almanac_client").AuthenticatedClient(
        base_url=stage.url, token=stage.token["Authorization"].split()[1])
    functions = {}
    for file in (folder / "almanac_client" / "api").rglob("*.py"):
        if file.stem != "__init__":
            name = ".".join(file.relative_to(folder).with_suffix("").parts)
            functions[file.stem] = importlib.import_module(name)
    described = [operation["operationId"] for _, _, operation in operations(document)]
    if len(functions) != len(described):
        raise SystemExit(f"{len(described)} operations, {len(functions)} functions")
    records = 0
    for name in (one["name"] for one in stage.get("/api/v1/collections")["items"]):
        call = functions[f"list_{name}"].sync
        page = call(client=client, limit=50, total=True)
        if not hasattr(page, "items") or page.total < len(page.items):
            raise SystemExit(f"{name}: {page}")
        one = functions[f"get_{name}_record"].sync
        for item in page.items[:3]:
            same = one(id=item.id, client=client)
            if type(same) is not type(item) or same.to_dict() != item.to_dict():
                raise SystemExit(f"{name}/{item.id}: {same}")
        records += len(page.items)
    # Pages of a sorted and filtered list, through the cursor.
    seen, after = [], None
    while True:
        more = {} if after is None else {"after": after}
        page = functions["list_people"].sync(
            client=client, limit=20, sort="-birthday", where=["birthday >= 1900-01-01"], total=True, **more)
        seen += page.items
        after = page.next_ if isinstance(page.next_, str) else None
        if after is None:
            break
    if len(seen) != page.total or not seen or seen != sorted(seen, key=lambda one: one.birthday, reverse=True):
        raise SystemExit(f"people by birthday: {len(seen)} of {page.total}")
    models = importlib.import_module("almanac_client.models")
    made = functions["add_person"].sync(
        client=client, body=models.NewPerson(first_name="Generated", last_name="Client", birthday="1980-02-29"))
    if not isinstance(made, models.Person) or made.full_name != "Generated Client":
        raise SystemExit(f"added: {made}")
    again = functions["add_person"].sync(
        client=client, body=models.NewPerson(first_name="Generated", last_name="Client", birthday="1980-02-29"))
    if not isinstance(again, models.Problem) or again.status != 409:
        raise SystemExit(f"added again: {again}")
    return len(functions), records


def models(bin, folder, document, stage):
    """datamodel-code-generator: every schema is a pydantic model that takes what the daemon answers."""
    run(bin, "datamodel-codegen", "--input", "openapi.json", "--input-file-type", "openapi", "--output",
        "almanac_models.py", "--output-model-type", "pydantic_v2.BaseModel", "--disable-timestamp", folder=folder)
    module = importlib.import_module("almanac_models")
    count = sum(1 for _, one in inspect.getmembers(module, inspect.isclass) if one.__module__ == "almanac_models")
    records = 0
    for path, method, operation in operations(document):
        schema = operation["responses"].get("200", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if method != "get" or "{" in path or "$ref" not in schema:
            continue
        if any(one.get("required") and one["in"] == "query" for one in operation.get("parameters", [])):
            continue
        model = getattr(module, schema["$ref"].split("/")[-1])
        answer = json.loads(ask(stage.url + path, headers=stage.token)[2])
        value = model.model_validate(answer)
        if hasattr(value, "items"):
            records += len(value.items)
    return count, records


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--venv")
    parser.add_argument("--out", help="keep the clients here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(arguments.out or work).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        bin = tools(arguments.venv or pathlib.Path(work) / "venv")
        stage_folder = pathlib.Path(work) / "stage"
        stage_folder.mkdir()
        stage = Stage(arguments.bin, stage_folder)
        try:
            stage.fill()
            (folder / "openapi.json").write_text(json.dumps(stage.get("/openapi.json")))
            document = json.loads((folder / "openapi.json").read_text())
            sys.path.insert(0, str(folder))
            functions, records = python_client(bin, folder, document, stage)
            print(f"openapi-python-client: {functions} operations, {records} records read")
            count, records = models(bin, folder, document, stage)
            print(f"datamodel-code-generator: {count} models, {records} records read")
        finally:
            stage.end()


if __name__ == "__main__":
    main()
