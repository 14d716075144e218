"""Random programs in which a thread creates others that run the same function: mostly symmetric, but not always."""

from __future__ import annotations

from random import Random

__all__ = ["random_created"]


def random_created(seed: int) -> str:
    """Make a program as :func:`tests.programs.source.program` takes it.

    What workers do may depend on what they read: they lock, update, publish nodes of their own and read through what
    others have published. The creator sometimes does something between creating two of them, or between joining them,
    reads what one of them returns, or passes them what is its own.
    """
    random = Random(seed)
    workers = random.choice([2, 2, 3])
    returns = random.random() < 0.15
    main = ["define i32 @main() {", "  %own = alloca i32", "  store i32 0, ptr %own"]
    argument = random.choice(["", "", "", "ptr %own", "ptr @x"])
    foreign = random.random() < 0.3
    other = random.random() < 0.3
    numbers = iter(range(1000))
    order = [f"w{number}" for number in range(workers)]

    def act() -> list[str]:
        number, place = next(numbers), random.choice("xy")
        ordering = random.choice(["monotonic", "acquire", "seq_cst"])
        if random.random() < 0.5:
            return [f"  %m{number} = load atomic i32, ptr @{place} {ordering}, align 4"]
        return [f"  store atomic i32 {random.randint(1, 3)}, ptr @{place} release, align 4"]

    if random.random() < 0.4:
        main += act()
    for name in order:
        main.append(f"create {name} @work({argument})")
        if foreign and random.random() < 0.3:
            main += act()
    if other:
        main.append("create other @other()")
    if random.random() < 0.3:
        main += act()
    for name in order:
        if random.random() < 0.9:
            main += [f"  %h.{name} = load i64, ptr %slot.{name}"]
            if returns and random.random() < 0.5:
                number = next(numbers)
                main += [f"  %r{number} = alloca ptr", f"  call i32 @pthread_join(i64 %h.{name}, ptr %r{number})"]
                main += [f"  %v{number} = load ptr, ptr %r{number}", f"  store ptr %v{number}, ptr @p"]
            else:
                main += [f"  call i32 @pthread_join(i64 %h.{name}, ptr null)"]
            if foreign and random.random() < 0.3:
                main += act()
    main += [*(act() if random.random() < 0.5 else []), "  ret i32 0", "}"]
    body = _body(random, random.randint(2, 4), takes=argument != "")
    result = "%node" if returns and random.random() < 0.5 else "null"
    first = ["  %node = call ptr @malloc(i64 4)", "  store i32 5, ptr %node"] if random.random() < 0.4 else []
    if not first:
        body, result = [line for line in body if "%node" not in line], "null"
    work = ["define ptr @work(ptr %argument) {", "entry:", *first, *body, f"  ret ptr {result}", "}"]
    others = ["define ptr @other(ptr %argument) {", "entry:", *_body(random, 2, takes=False), "  ret ptr null", "}"]
    others = [line for line in others if "%node" not in line] if other else []
    head = ["; EXISTS: true", "@m = global [40 x i8] zeroinitializer"]
    return "\n".join([*head, *main, *work, *others]) + "\n"


def _body(random: Random, length: int, *, takes: bool) -> list[str]:
    lines: list[str] = []
    read = ""
    for number in range(length):
        place = random.choice(["@x", "@x", "@y", *(["%argument"] if takes else [])])
        what = random.choice(["load", "load", "store", "add", "exchange", "lock", "publish", "follow", "branch"])
        ordering = random.choice(["monotonic", "acquire"])
        name = f"%a{number}"
        if what == "load":
            lines.append(f"  {name} = load atomic i32, ptr {place} {ordering}, align 4")
            read = name
        elif what == "store":
            value = read if read and random.random() < 0.5 else str(random.randint(1, 2))
            lines.append(f"  store atomic i32 {value}, ptr {place} {random.choice(['monotonic', 'release'])}, align 4")
        elif what == "add":
            lines.append(f"  {name} = atomicrmw add ptr {place}, i32 1 {random.choice(['monotonic', 'acq_rel'])}")
            read = name
        elif what == "exchange":
            lines.append(f"  %c{number} = cmpxchg ptr {place}, i32 {random.randint(0, 1)}, i32 2 acq_rel monotonic")
            lines.append(f"  {name} = extractvalue {{ i32, i1 }} %c{number}, 0")
            read = name
        elif what == "lock":
            lines.append("  call i32 @pthread_mutex_lock(ptr @m)")
            lines.append(f"  {name} = load i32, ptr @y")
            lines.append(f"  %s{number} = add i32 {name}, 1")
            lines.append(f"  store i32 %s{number}, ptr @y")
            lines.append("  call i32 @pthread_mutex_unlock(ptr @m)")
        elif what == "publish":
            lines.append("  store atomic ptr %node, ptr @p release, align 8")
        elif what == "follow":
            lines += [
                f"  %p{number} = load atomic ptr, ptr @p acquire, align 8",
                f"  %n{number} = icmp eq ptr %p{number}, null",
                f"  br i1 %n{number}, label %skip{number}, label %go{number}",
                f"go{number}:",
                f"  {name} = load i32, ptr %p{number}",
                f"  store atomic i32 {name}, ptr @x monotonic, align 4",
                f"  br label %skip{number}",
                f"skip{number}:",
            ]
        elif read:
            lines += [
                f"  %b{number} = icmp eq i32 {read}, {random.randint(0, 1)}",
                f"  br i1 %b{number}, label %yes{number}, label %no{number}",
                f"yes{number}:",
                f"  store atomic i32 3, ptr {random.choice(['@x', '@y'])} monotonic, align 4",
                f"  br label %no{number}",
                f"no{number}:",
            ]
    return lines
