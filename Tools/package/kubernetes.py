#!/usr/bin/env python3
"""Checks the manifests for Kubernetes: against its schemas, and as processes that do what the pods do.

    kubernetes.py PROGRAMS

Needs the package kubernetes-validate, and PostgreSQL for the processes. They have the commands, environment, volumes and
probes of the manifests; only the folders, the ports and the address of the database are others.
"""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import kubernetes_validate
import yaml

MANIFESTS = pathlib.Path(__file__).resolve().parents[2] / "Apps/almanacd/deploy/kubernetes.yaml"
VERSIONS = ("1.30", "1.36")


class Database:
    """A PostgreSQL server for the duration of the block."""

    def __init__(self, programs, work):
        self.programs, self.folder = programs, work / "database"

    def run(self, *command):
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run([*user, *map(str, command)], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def __enter__(self):
        self.folder.mkdir()
        if os.getuid() == 0:
            self.folder.parent.chmod(0o755)
            shutil.chown(self.folder, "postgres")
        data = self.folder / "data"
        self.run(self.programs / "initdb", "-A", "trust", "-U", "almanac", "--no-sync", "-D", data)
        self.run(self.programs / "pg_ctl", "-w", "-D", data, "-l", self.folder / "log", "start", "-o",
                 f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off")
        return f"postgres://almanac@/postgres?host={self.folder}"

    def __exit__(self, *_):
        self.run(self.programs / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")


class Pod:
    """A pod's volumes as folders, and its containers as processes."""

    def __init__(self, documents, programs, store, work):
        self.documents, self.programs = documents, programs
        self.spec = documents["StatefulSet"]["spec"]["template"]["spec"]
        self.container = self.spec["containers"][0]
        self.folders = {}
        claims = documents["StatefulSet"]["spec"]["volumeClaimTemplates"]
        for volume in self.spec["volumes"] + [{"name": claim["metadata"]["name"]} for claim in claims]:
            folder = self.folders[volume["name"]] = work / volume["name"]
            folder.mkdir(parents=True)
            files = {}
            if "configMap" in volume:
                files = documents["ConfigMap"]["data"]
            if "secret" in volume:
                files = {item["path"]: documents["Secret"]["stringData"][item["key"]] for item in volume["secret"]["items"]}
            for name, text in files.items():
                (folder / name).write_text(text)
        for container in self.spec["initContainers"]:
            subprocess.run(self.command(container), check=True)
        self.environment = self.variables()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        inner = next(entry["containerPort"] for entry in self.container["ports"])
        command = [part.replace(f":{inner}", f":{port}") for part in self.command(self.container)]
        assert f"--listen=0.0.0.0:{port}" in command, f"{command} does not listen on the port of the container"
        # There is no such host here. An address of another form would end with another status.
        assert self.run("almanac", "status").returncode == 75
        self.environment["ALMANAC_STORE"] = store
        self.log = open(work / "log", "w")
        self.process = subprocess.Popen(command, env=self.environment, stderr=self.log)

    def placed(self, container, texts):
        """Texts with the folders of a container's volumes."""
        folders = {mount["mountPath"]: str(self.folders[mount["name"]]) for mount in container["volumeMounts"]}
        paths = rf"(?:^|(?<=[ =]))({'|'.join(map(re.escape, folders))})(?=/)"
        return [re.sub(paths, lambda found: folders[found.group()], text) for text in texts]

    def command(self, container):
        program, *arguments = self.placed(container, container["command"])
        return [str(self.programs / program) if program == "almanacd" else program, *arguments]

    def variables(self):
        """The variables of the daemon."""
        secret = self.documents["Secret"]["stringData"]
        entries = {entry["name"]: entry.get("value") or secret[entry["valueFrom"]["secretKeyRef"]["key"]]
                   for entry in self.container["env"]}
        placed = self.placed(self.container, entries.values())
        return {"PATH": os.environ["PATH"], "HOME": str(self.folders["temporary"])} | dict(zip(entries, placed))

    def run(self, program, *arguments):
        """Runs a program in the container of the daemon."""
        return subprocess.run(
            [self.programs / program, *arguments], env=self.environment, capture_output=True, text=True)

    def get(self, path, **headers):
        """The status and the body of an answer; no status while nobody answers."""
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""
        except OSError:
            return None, ""

    def wait(self, path, condition, **headers):
        """Waits until an answer meets a condition."""
        begun = time.monotonic()
        while not condition(*self.get(path, **headers)):
            assert self.process.poll() is None, pathlib.Path(self.log.name).read_text()
            assert time.monotonic() - begun < 60, f"{path}: {self.get(path, **headers)}"
            time.sleep(0.05)

    def is_working(self, token):
        return "\nalmanac_working 1" in self.get("/metrics", Authorization=f"Bearer {token}")[1]


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    documents = {}
    for document in yaml.safe_load_all(MANIFESTS.read_text()):
        for version in VERSIONS:
            kubernetes_validate.validate(document, version, strict=True)
        documents[document["kind"]] = document
    print(f"Kubernetes: the manifests fit the schemas of {' and '.join(VERSIONS)}")
    servers = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not servers:
        print("skipped: the processes of the manifests, PostgreSQL is not installed")
        return
    token = documents["Secret"]["stringData"]["token"]
    pods = []
    with tempfile.TemporaryDirectory() as folder, Database(servers[-1].parent, pathlib.Path(folder)) as store:
        try:
            for number in range(documents["StatefulSet"]["spec"]["replicas"]):
                pods.append(Pod(documents, programs, store, pathlib.Path(folder, str(number))))
            for pod in pods:
                for probe in ("livenessProbe", "readinessProbe"):
                    pod.wait(pod.container[probe]["httpGet"]["path"], lambda status, _: status == 200)
                link = pod.run("almanac", "dashboard")
                assert link.returncode == 0 and link.stdout.startswith("https://almanac.example/"), link
                pod.wait("/api/v1/status", lambda status, _: status == 200, Authorization=f"Bearer {token}")
            (working,) = [pod for pod in pods if pod.is_working(token)]
            working.process.terminate()
            assert working.process.wait(working.spec["terminationGracePeriodSeconds"]) == 0
            (other,) = [pod for pod in pods if pod is not working]
            other.wait("/metrics", lambda _, text: "\nalmanac_working 1" in text, Authorization=f"Bearer {token}")
        finally:
            for pod in pods:
                pod.process.kill()
                pod.process.wait()
                pod.log.close()
    print("Kubernetes: processes with their commands are ready, have the token, and one takes over when the other ends")


if __name__ == "__main__":
    main()
