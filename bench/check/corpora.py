"""The files that checkers are measured with: made anew for each run, the same ones each time."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: worker-{number}
  namespace: team-{team}
  labels:
    app: worker-{number}
spec:
  replicas: {team}
  selector:
    matchLabels:
      app: worker-{number}
  template:
    metadata:
      labels:
        app: worker-{number}
        {label}
    spec:
      schedulerName: {scheduler}
      containers:
        - name: main
          image: registry.example.com/team-{team}/worker:1.{number}
          args: ["--port", "8080"]
          env:
            - name: LEVEL
              value: "info"
          ports:
            - containerPort: 8080
          resources:
            limits:
              memory: 8Gi
              {resource}
"""
# 64 blocks of 128 MiB divide by 2 cards and not by 3.
KINDS = {
    "clean": {"label": 'volcano.sh/gpu-num: "2"', "scheduler": "volcano", "resource": 'volcano.sh/gpu-mem.128Mi: "64"'},
    "with a finding": {"label": 'volcano.sh/gpu-num: "3"', "scheduler": "volcano", "resource": 'volcano.sh/gpu-mem.128Mi: "64"'},
    "without marks": {"label": "tier: backend", "scheduler": "default-scheduler", "resource": 'cpu: "4"'},
}
_TEAMS = 7
_TEMPLATE = "{{{{- range .Values.workers }}}}\n{text}\n{{{{- end }}}}\n"
_SCHEMA = {
    "type": "object",
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"type": "object", "properties": {"name": {"type": "string"}, "namespace": {"type": "string"}}},
        "spec": {
            "type": "object",
            "properties": {
                "replicas": {"type": "integer"},
                "template": {
                    "type": "object",
                    "properties": {
                        "spec": {"type": "object", "properties": {"containers": {"type": "array", "items": {"type": "object"}}}}
                    },
                },
            },
        },
    },
}


class Corpora(NamedTuple):
    """Folders of files by kind; `one` holds one clean file, `large` is one file of many documents, `charts` a folder of charts."""

    folders: dict[str, Path]
    one: Path
    large: Path
    charts: Path
    schemas: Path


def text(kind: str, number: int) -> str:
    """Return one document of some 30 lines."""
    return _DEPLOYMENT.format(number=number, team=number % _TEAMS, **KINDS[kind])


def write(below: Path, files: int, large_bytes: int) -> Corpora:
    """Write all corpora."""
    folders = {kind: below / kind.replace(" ", "-") for kind in KINDS}
    for kind, folder in folders.items():
        _fill(folder, kind, files)
    _fill(below / "one", "clean", 1)
    with (below / "large.yaml").open("w", encoding="utf-8") as file:
        file.writelines(_documents(large_bytes))
    _write_charts(below / "charts", files // 20)
    (below / "schemas").mkdir()
    (below / "schemas" / "deployment.json").write_text(json.dumps(_SCHEMA), encoding="utf-8")
    return Corpora(folders, below / "one", below / "large.yaml", below / "charts", below / "schemas")


def _fill(folder: Path, kind: str, files: int) -> None:
    folder.mkdir()
    for number in range(files):
        (folder / f"{number:05}.yaml").write_text(text(kind, number), encoding="utf-8")


def _documents(size: int) -> Iterator[str]:
    """Yield documents, every tenth of which shares cards, until they are `size` bytes."""
    written = number = 0
    while written < size:
        document = f"---\n{text('without marks' if number % 10 else 'clean', number)}"
        written += len(document)
        number += 1
        yield document


def _write_charts(folder: Path, charts: int) -> None:
    for number in range(charts):
        templates = folder / f"chart-{number}" / "templates"
        templates.mkdir(parents=True)
        (templates.parent / "Chart.yaml").write_text(f"apiVersion: v2\nname: chart-{number}\nversion: 0.1.0\n", encoding="utf-8")
        (templates.parent / "values.yaml").write_text("workers: []\n", encoding="utf-8")
        for template in range(8):
            kind = "clean" if template % 2 else "without marks"
            (templates / f"{template}.yaml").write_text(_TEMPLATE.format(text=text(kind, template)), encoding="utf-8")
