"""Tasks below a picture: sentences that tick when the picture has come to a state, or to states one after the other."""

import functools
import tomllib
from collections.abc import Mapping
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

from pe_pictures.fields import Field

State = Mapping[str, Any]


class Task(NamedTuple):
    """What is to be done: a sentence, whose names may stand between asterisks, and the states it takes, in their order.

    A state has fields by name, each with a value or a pair of numbers, from which to which it may lie. A task without
    states is a sentence that no state can decide.
    """

    says: str
    when: tuple[State, ...] = ()


class Tasks(NamedTuple):
    """A list of tasks: its name, by which a browser keeps what is done, and what is said once all are done."""

    name: str
    tasks: tuple[Task, ...]
    done: str

    def checked(self, fields: Mapping[str, Field], state: State) -> "Tasks":
        """Return the tasks; TypeError or ValueError if one names no field, or a value that the field cannot take.

        >>> from pe_pictures import Clocks
        >>> fields = {field.name: field for field in Clocks.fields}
        >>> Tasks("turn", (Task("Turn the hand.", ({"hand": 3},)),), "").checked(fields, Clocks().state)
        Traceback (most recent call last):
        ...
        TypeError: a task must name controls (d_model, base, position, offset), got 'hand'
        """
        for name, value in (item for when in self.states for item in when.items()):
            if name not in fields:
                raise TypeError(f"a task must name controls ({', '.join(fields)}), got {name!r}")
            ends = value if isinstance(value, list) else [value]
            if isinstance(value, list) and not _is_range(value):
                raise ValueError(f"{name} must be a value, or two numbers from which to which, got {value!r}")
            for end in ends:
                fields[name].check(end, state)
        return self

    def plain(self) -> dict[str, Any]:
        """Return the tasks as the script takes them."""
        tasks = [{"says": task.says, "when": [dict(state) for state in task.when]} for task in self.tasks]
        return {"name": self.name, "tasks": tasks, "done": self.done}

    @property
    def states(self) -> list[State]:
        """All states that the tasks ask for."""
        return [state for task in self.tasks for state in task.when]

    @property
    def fields(self) -> list[str]:
        """The fields that the tasks name, in their order, each once."""
        return list(dict.fromkeys(name for state in self.states for name in state))


def _is_range(value: list[Any]) -> bool:
    return len(value) == 2 and all(isinstance(end, Real) for end in value) and value[0] <= value[1]


def read_tasks(path: Path) -> dict[str, Tasks]:
    """Return the lists of tasks of a file by their names."""
    found = {}
    for name, table in tomllib.loads(path.read_text("utf-8")).items():
        tasks = []
        for task in table["tasks"]:
            when = task.get("when", [])
            tasks.append(Task(task["says"], tuple(when if isinstance(when, list) else [when])))
        found[name] = Tasks(name, tuple(tasks), table["done"])
    return found


@functools.cache
def all_tasks() -> dict[str, Tasks]:
    """Return the notebooks' lists of tasks by their names."""
    files = sorted(Path(__file__).with_name("tasks").glob("*.toml"))
    return {name: tasks for file in files for name, tasks in read_tasks(file).items()}


def tasks_named(name: str) -> Tasks:
    """Return a list of tasks by its name; ValueError if there is none of that name."""
    if name not in all_tasks():
        raise ValueError(f"tasks must be one of {', '.join(map(repr, all_tasks()))}, got {name!r}")
    return all_tasks()[name]
