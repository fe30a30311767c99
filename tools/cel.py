"""Writes CEL expressions that find keys at known paths of an object, whatever the object's parts turn out to be.

An API server evaluates them before it calls a webhook. One that fails at run time refuses the object under
`failurePolicy: Fail`, so that every step asks first whether it can be taken.
"""

from collections.abc import Iterable, Sequence

# Steps of a path beside field names: each item of a list, each value of a mapping.
EACH_ITEM = "[*]"
EACH_VALUE = "*"


def path_steps(path: str) -> list[str]:
    """Return the steps of a path such as `spec.tasks[*].template`."""
    return path.replace(EACH_ITEM, f".{EACH_ITEM}").split(".") if path else []


def texts(values: Iterable[str]) -> str:
    """Return a list literal of texts, sorted."""
    return f"[{', '.join(map(_text, sorted(values)))}]"


def starts_with(variable: str, prefixes: Iterable[str]) -> str:
    """Return an expression: does the variable start with one of the prefixes?"""
    return " || ".join(f"{variable}.startsWith({_text(prefix)})" for prefix in sorted(prefixes))


def holds_any(mapping: str, keys: Iterable[str]) -> str:
    """Return an expression: does the mapping hold one of the keys? It costs less than asking for each key of a list."""
    return " || ".join(f"{_text(key)} in {mapping}" for key in sorted(keys))


def _text(value: str) -> str:
    if "'" in value or "\\" in value:
        message = f"a key must need no escape in CEL: {value!r}"
        raise ValueError(message)
    return f"'{value}'"


def values_at(root: str, path: str) -> str:
    """Return an expression for the list of all values at a path below `root`, empty where there are none.

    A path may go through one list or mapping as a whole.
    """
    found = f"[{root}]"
    for step in path_steps(path):
        if step == EACH_ITEM:
            found = f"({found}.filter(at, type(at) == list) + [[]])[0]"
        elif step == EACH_VALUE:
            found = f"({found}.filter(at, type(at) == map).map(at, at.map(key, at[key])) + [[]])[0]"
        else:
            found = f"{found}.map(at, type(at) == map && has(at.{step}), at.{step})"
    # CEL wants the items of a list to be of one type: an item of a list is anything, what filter returns is a list.
    return f"{found}.filter(at, true)" if found.endswith("[0]") else found


def any_at(root: str, paths: Sequence[str], variable: str, condition: Sequence[str]) -> list[str]:
    """Return the lines of an expression: does a value at one of the paths, as `variable`, meet the condition?"""
    lists = [f"  {values_at(root, path)}," for path in paths]
    lists[-1] = lists[-1].removesuffix(",")
    return ["[", *lists, f"].exists(found, found.exists({variable},", *indented(condition), "))"]


def any_key(root: str, fields: Sequence[str], condition: str) -> list[str]:
    """Return the lines of an expression: does a key of one of the mappings in `root`, as `key`, meet the condition?"""
    within = f"field in {root} && type({root}[field]) == map"
    return [f"type({root}) == map && {texts(fields)}.exists(field, {within} && {root}[field].exists(key,", f"  {condition}", "))"]


def any_known_key(root: str, fields: Sequence[str], keys: Iterable[str]) -> list[str]:
    """Return the lines of an expression: does one of the mappings in `root` hold one of the keys?"""
    within = f"field in {root} && type({root}[field]) == map"
    return [f"type({root}) == map && {texts(fields)}.exists(field, {within} &&", f"  {texts(keys)}.exists(key, key in {root}[field])", ")"]


def either(*parts: Sequence[str]) -> list[str]:
    """Return the lines of a disjunction."""
    lines: list[str] = []
    for number, part in enumerate(parts):
        lines += [*(["||"] if number else []), "(", *indented(part), ")"]
    return lines


def indented(lines: Iterable[str]) -> list[str]:
    """Return the lines two blanks further to the right."""
    return [f"  {line}" for line in lines]
