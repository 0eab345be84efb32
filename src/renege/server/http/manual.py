"""The page `/docs`: what the server can be asked and every message with its fields, without a script."""

from html import escape
from typing import Any, cast

from pydantic import TypeAdapter

from renege.server.lookback import Judged
from renege.server.messages import FromPage, ToPage, Trouble

METHODS = ("get", "post", "delete")
BODY = "max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font-family: system-ui, sans-serif; line-height: 1.5"
Schema = dict[str, Any]


def add_messages(schema: Schema) -> Schema:
    """OpenAPI leaves WebSockets out; their messages belong with the others, and so do troubles and reviews."""
    known = schema["components"]["schemas"]
    kinds: dict[str, Any] = {"FromPage": FromPage, "ToPage": ToPage, "Trouble": Trouble, "Judged": Judged}
    for name, kind in kinds.items():
        found = TypeAdapter[Any](kind).json_schema(ref_template="#/components/schemas/{model}")
        for other, message in found.pop("$defs", {}).items():
            known.setdefault(other, message)
        known[name] = found
    schema["components"]["schemas"] = dict(sorted(known.items()))
    return schema


def write_manual(schema: Schema) -> str:
    asked = [
        _operation(path, method, methods[method])
        for path, methods in schema["paths"].items()
        for method in METHODS
        if method in methods
    ]
    messages = [_message(name, message) for name, message in schema["components"]["schemas"].items()]
    parts = [
        f"<h1>{escape(schema['info']['title'])} {escape(schema['info']['version'])}</h1>",
        *(f"<p>{escape(part)}</p>" for part in schema["info"]["description"].split("\n\n")),
        '<p>For programs: <a href="/openapi.json">openapi.json</a>.</p>',
        "<h2>Requests</h2>",
        *asked,
        "<h2>Messages</h2>",
        *messages,
    ]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    scheme = '<meta name="color-scheme" content="light dark">'
    return (
        f'<!doctype html><html lang="en"><head>{head}{scheme}<title>{escape(schema["info"]["title"])}</title></head>'
        f'<body style="{BODY}">{"".join(parts)}</body></html>'
    )


def _operation(path: str, method: str, operation: Schema) -> str:
    rows = [
        (entry["name"], f"in {entry['in']}", _type(entry["schema"]), "" if entry.get("required") else "may be left out")
        for entry in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {})
    lines = [f"Body: {_type(content['schema'])}" for content in body.values()]
    for status, response in operation["responses"].items():
        content = response.get("content", {})
        kinds = ", ".join(f"{_type(found['schema'])} ({escape(kind)})" for kind, found in content.items())
        lines.append(f"{escape(status)}: {escape(response['description'])} {kinds}")
    said = operation.get("description") or operation.get("summary", "")
    return (
        f"<h3><code>{method.upper()} {escape(path)}</code></h3><p>{escape(said)}</p>{_rows(rows)}"
        f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"
    )


def _message(name: str, message: Schema) -> str:
    needed = message.get("required", ())
    rows = [
        (field, _type(kind), "" if field in needed else f"usually {escape(str(kind.get('default', 'nothing')))}")
        for field, kind in message.get("properties", {}).items()
    ]
    said = message.get("description", "")
    alone = "" if rows else f"<p>{_type(message)}</p>"
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{escape(said)}</p>{_rows(rows)}{alone}'


def _rows(rows: list[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _type(kind: Schema) -> str:
    """A type in words, with links to other messages."""
    if "$ref" in kind:
        name = escape(kind["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if either := kind.get("anyOf") or kind.get("oneOf"):
        return " or ".join(map(_type, either))
    if "const" in kind:
        return f"<code>{escape(str(kind['const']))}</code>"
    if "enum" in kind:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in kind["enum"])
    if kind.get("type") == "array":
        return f"list of {_type(kind.get('items', {}))}"
    if kind.get("type") == "object":
        inner = kind.get("additionalProperties")
        return f"object of {_type(cast(Schema, inner))}" if isinstance(inner, dict) else "object"
    bounds = [
        f"{word} {kind[key]}"
        for key, word in (("minimum", "from"), ("maximum", "to"), ("maxLength", "at most"), ("pattern", "like"))
        if key in kind
    ]
    named = "nothing" if kind.get("type") == "null" else str(kind.get("type", "anything"))
    return escape(" ".join([named, *bounds]))
