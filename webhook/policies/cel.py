"""Writes CEL, the language of Kubernetes' admission policies: literals, lists, and texts that quote what stands in an object.

An expression that fails at run time refuses the object, so that nothing here reads a field without asking for it first.
"""

from collections.abc import Iterable

from webhook.core.finding import QUOTED_CHARACTERS

# What a rule yields where it has nothing to say.
NOTHING = "[]"


def text(value: str) -> str:
    """Return a text as a literal."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def texts(values: Iterable[str]) -> str:
    """Return a list of texts as a literal, in their order."""
    return f"[{', '.join(map(text, values))}]"


def field(root: str, *names: str) -> str:
    """Return an expression for an optional field below `root`, an optional value itself."""
    return f"{root}{''.join(f'.?{name}' for name in names)}"


def mapping_at(root: str, *names: str) -> str:
    """Return an expression for the mapping at a path, an empty one where there is none."""
    return f"{field(root, *names)}.orValue({{}})"


def list_at(root: str, *names: str) -> str:
    """Return an expression for the list at a path, an empty one where there is none."""
    return f"{field(root, *names)}.orValue([])"


def is_one_of(variable: str, patterns: Iterable[str]) -> str:
    """Return a condition: is the text one of the patterns, in which a trailing * matches any ending?"""
    known = list(dict.fromkeys(patterns))
    exact = [pattern for pattern in known if not pattern.endswith("*")]
    starts = [pattern.removesuffix("*") for pattern in known if pattern.endswith("*")]
    parts = [f"{variable} in {texts(exact)}"] if exact else []
    return any_of([*parts, *(f"{variable}.startsWith({text(start)})" for start in starts)])


def any_of(conditions: Iterable[str]) -> str:
    """Return a disjunction, false where there are no conditions."""
    return _joined(" || ", conditions) or "false"


def all_of(conditions: Iterable[str]) -> str:
    """Return a conjunction, true where there are no conditions."""
    return _joined(" && ", conditions) or "true"


def _joined(operator: str, conditions: Iterable[str]) -> str:
    parts = list(conditions)
    return parts[0] if len(parts) == 1 else operator.join(f"({part})" if " " in part else part for part in parts)


def said(*parts: str) -> str:
    """Return a concatenation of text expressions."""
    return " + ".join(parts)


def quoted(value: str) -> str:
    """Return an expression for a text between quotes; one that is long or could break a line is only described.

    The API server drops messages with line breaks, and messages that are long in bytes.
    """
    plain = f"{value}.size() <= {QUOTED_CHARACTERS} && {value}.matches('^[ -~]*$')"
    return f"""({plain} ? "'" + {value} + "'" : 'a text of ' + string({value}.size()) + ' characters')"""


def only_if(condition: str, message: str) -> str:
    """Return a list with the message where the condition holds, else an empty one."""
    return f"({condition} ? [{message}] : [])"


def joined(lists: Iterable[str]) -> str:
    """Return a concatenation of list expressions."""
    return "\n+ ".join(lists) or NOTHING


def joined_lines(operator: str, conditions: Iterable[str]) -> str:
    """Return conditions in parentheses, one a line."""
    return f"\n{operator} ".join(f"({condition})" for condition in conditions)
