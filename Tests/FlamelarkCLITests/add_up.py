"""Adds up a report of `flamelark blame --format json` or `flamelark hitch` from standard input.

It shares no code with the package: it checks every sum and key of the schemas flamelark.blame/2 and
flamelark.hitch/1 from their description in Documentation/BlameJSON.md and HitchJSON.md. Exit status
0 if all is right, 1 with what isn't.
"""

import json
import sys

problems = []


def check(condition, text):
    if not condition:
        problems.append(text)


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def near(a, b):
    return abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))


KINDS = ("span", "folded", "uninstrumented", "preempted", "blocked", "queued", "backlog", "other")
NAMED = ("span", "folded", "preempted", "blocked", "queued")
LINKS = ("lock", "condition", "semaphore", "queue", "await", "wait", "flow", "stage")
HITCH_KINDS = ("app late", "render late", "inherited", "pipeline full", "paused by the system",
               "unknown")


def key_of(cause):
    return (cause["kind"], cause["thread"], tuple(cause["path"]))


def named(causes):
    """What causes bear that have a name: those of them that stand out explain a hitch."""
    return sum(c["blame_ns"] for c in causes if c["kind"] in NAMED)


def check_causes(where, causes, total):
    check(sum(c["blame_ns"] for c in causes) == total, f"{where}: causes don't add up to {total}")
    if total > 0:
        check(near(sum(c["share"] for c in causes), 1), f"{where}: shares don't add up to 1")
    blames = [c["blame_ns"] for c in causes]
    check(blames == sorted(blames, reverse=True), f"{where}: causes are not largest first")
    keys = [key_of(c) for c in causes]
    check(len(keys) == len(set(keys)), f"{where}: a cause is there twice")
    for c in causes:
        check(c["kind"] in KINDS, f"{where}: kind {c['kind']}")
        check(c["thread"] is None or isinstance(c["thread"], str), f"{where}: thread")
        check(c["link"] is None or c["link"] in LINKS, f"{where}: link {c['link']}")
        check(c["gap"] is None or set(c["gap"]) == {"after", "before"}, f"{where}: gap")
        check(c["gap"] is None or c["kind"] == "uninstrumented", f"{where}: a gap in a span")
        check(all(isinstance(n, str) for n in c["path"]), f"{where}: path {c['path']}")
        check((c["kind"] in ("span", "folded")) <= bool(c["path"]), f"{where}: a span without a path")
        check(is_int(c["blame_ns"]) and c["blame_ns"] >= 0, f"{where}: blame {c['blame_ns']}")
        check(0 <= c["share"] <= 1, f"{where}: share {c['share']}")
        if total > 0:
            check(near(c["share"], c["blame_ns"] / total), f"{where}: share of {c['path']}")
        for key in ("normal_ns", "late_ns"):
            check(is_int(c[key]) and c[key] >= 0, f"{where}: {key}")
        for key in ("normal_calls", "late_calls"):
            check(c[key] >= 0, f"{where}: {key}")
        check(c["file"] is None or isinstance(c["file"], str), f"{where}: file")
        check(c["line"] is None or is_int(c["line"]), f"{where}: line")


def check_clusters(name, s):
    lateness = {h["frame"]: h["lateness_ns"] for h in s["hitches"]}
    members = [f for c in s["clusters"] for f in c["frames"]]
    check(sorted(members) == sorted(lateness), f"{name}: not every hitch is in one cluster")
    for c in s["clusters"]:
        check(c["lateness_ns"] == sum(lateness.get(f, 0) for f in c["frames"]),
              f"{name}: lateness of cluster {c['signature']}")
        check(c["frames"] == sorted(c["frames"]), f"{name}: order of cluster {c['signature']}")
    sizes = [c["lateness_ns"] for c in s["clusters"]]
    check(sizes == sorted(sizes, reverse=True), f"{name}: order of the clusters")


def check_confidence(name, s):
    told = [c for c in s["causes"] if c["p_first"] is not None]
    count = s["confidence_hitches"]
    check((count is None) == (not told), f"{name}: confidence_hitches {count}")
    check(count is None or count == s["hitch_count"] >= 5, f"{name}: confidence_hitches {count}")
    check(sum(c["p_first"] for c in told) <= 1 + 1e-9, f"{name}: more than one cause comes first")
    for c in s["causes"]:
        low, high = c["blame_low_ns"], c["blame_high_ns"]
        check((low is None) == (high is None) == (c["p_first"] is None), f"{name}: interval")
        check(low is None or 0 <= low <= high <= s["hitch_ns"], f"{name}: interval of {c['path']}")
        check(c["p_first"] is None or 0 <= c["p_first"] <= 1, f"{name}: p_first of {c['path']}")
        ratio = c["if_normal_ms_per_s"]
        check(ratio is None or 0 <= ratio <= 1000, f"{name}: if_normal of {c['path']}")
    ratio = s["if_first_three_normal_ms_per_s"]
    check(ratio is None or 0 <= ratio <= 1000, f"{name}: if_first_three_normal")


def check_hitch(where, h):
    check(is_int(h["frame"]) and h["frame"] >= 0, f"{where}: number")
    check(is_int(h["start_ns"]), f"{where}: start_ns")
    check(h["end_ns"] >= h["start_ns"], f"{where}: end_ns")
    check(is_int(h["lateness_ns"]) and h["lateness_ns"] > 0, f"{where}: lateness_ns")
    check_causes(where, h["causes"], h["lateness_ns"])
    explained = h["explained"] * h["lateness_ns"]
    sums = {0}
    for c in h["causes"]:
        if c["kind"] in NAMED and c["share"] >= 0.2:
            sums |= {s + c["blame_ns"] for s in sums}
    check(any(near(explained, s) for s in sums), f"{where}: explained is no sum of causes")
    check(explained <= named(h["causes"]) * (1 + 1e-9), f"{where}: explained")
    check(h["hitch_kind"] in HITCH_KINDS, f"{where}: hitch_kind {h['hitch_kind']}")
    check(0 <= h["root_frame"] <= h["frame"], f"{where}: root_frame")
    check((h["hitch_kind"] == "inherited") == (h["root_frame"] < h["frame"]),
          f"{where}: inherited from frame {h['root_frame']}")
    check(h["deviations"] is None or h["deviations"] >= 0, f"{where}: deviations")


def check_steps(hitch, steps):
    where = f"frame {hitch['frame']}"
    time = hitch["start_ns"]
    for step in steps:
        check(step["start_ns"] == time, f"{where}: a gap before the step at {step['start_ns']}")
        check(step["end_ns"] >= time, f"{where}: a step of less than nothing at {time}")
        check(step["kind"] in KINDS, f"{where}: kind {step['kind']}")
        check(step["hops"] >= 0, f"{where}: hops")
        check(step["link"] is None or step["link"] in LINKS, f"{where}: link {step['link']}")
        check((step["hops"] == 0) <= (step["link"] is None), f"{where}: a link without a hop")
        time = step["end_ns"]
    check(not steps or time == hitch["end_ns"], f"{where}: the steps end at {time}")


def check_hitch_report(report):
    hitch, alike = report["hitch"], report["alike"]
    check_hitch(f"frame {hitch['frame']}", hitch)
    check_steps(hitch, report["steps"])
    check(alike is None or hitch["frame"] in alike["frames"], "a hitch is not alike to itself")
    check(alike is None or alike["lateness_ns"] >= hitch["lateness_ns"], "lateness of those alike")


def check_series(s):
    name = s["name"]
    check(s["mode"] in ("marks", "display-link", "presented", "spans"), f"{name}: mode")
    for key in ("frames", "active_ns", "hitch_ns", "idle_ns", "hitch_count", "estimated_targets"):
        check(is_int(s[key]) and s[key] >= 0, f"{name}: {key}")
    hitches = s["hitches"]
    check(len(hitches) == s["hitch_count"], f"{name}: hitch_count")
    check(s["exact_hitches"] == s["hitch_count"], f"{name}: hitches that don't add up")
    check(sum(h["lateness_ns"] for h in hitches) == s["hitch_ns"], f"{name}: hitch_ns")
    ratio = 1000 * s["hitch_ns"] / s["active_ns"] if s["active_ns"] else 0
    check(near(ratio, s["hitch_ratio_ms_per_s"]), f"{name}: hitch_ratio_ms_per_s")
    check(0 <= s["hitch_ratio_ms_per_s"] <= 1000, f"{name}: ratio out of range")
    numbers = [h["frame"] for h in hitches]
    check(numbers == sorted(set(numbers)), f"{name}: hitches are not by frame number")
    totals = {}
    firsts = {}
    counts = {}
    for h in hitches:
        where = f"{name}, frame {h['frame']}"
        check_hitch(where, h)
        check(h["frame"] in s["clusters"][h["cluster"]]["frames"], f"{where}: cluster")
        for index, c in enumerate(h["causes"]):
            key = key_of(c)
            totals[key] = totals.get(key, 0) + c["blame_ns"]
            counts[key] = counts.get(key, 0) + (c["blame_ns"] > 0)
            firsts[key] = firsts.get(key, 0) + (index == 0)
    check_causes(name, s["causes"], s["hitch_ns"])
    explained = sum(h["explained"] * h["lateness_ns"] for h in hitches)
    check(near(s["explained"] * s["hitch_ns"], explained), f"{name}: explained")
    check(s["declines"] == (len(hitches) > 0 and s["explained"] < 0.5), f"{name}: declines")
    check_clusters(name, s)
    check_confidence(name, s)
    of_series = {key_of(c): c for c in s["causes"]}
    check(
        {k: v for k, v in totals.items() if v} ==
        {k: c["blame_ns"] for k, c in of_series.items() if c["blame_ns"]},
        f"{name}: the causes of the series are not the sums of those of its hitches")
    for key, c in of_series.items():
        check(c["hitches"] == counts.get(key, 0), f"{name}: hitches of {key}")
        check(c["first_in"] == firsts.get(key, 0), f"{name}: first_in of {key}")
    late = sorted(h["lateness_ns"] for h in hitches)
    for key, percent in (("p50_ns", 50), ("p90_ns", 90), ("max_ns", 100)):
        rank = max(1, -(-len(late) * percent // 100))
        check(s["lateness"][key] == (late[rank - 1] if late else 0), f"{name}: {key}")
    for key in ("placed_ns", "left_ns"):
        check(is_int(s["folded"][key]) and s["folded"][key] >= 0, f"{name}: folded {key}")
    check(s["folded"]["placed_ns"] > 0 or all(c["kind"] != "folded" for c in s["causes"]),
          f"{name}: a cause of kind folded without folded time")
    check(s["frozen"]["hitches"] <= len(hitches), f"{name}: frozen")
    for stratum in s["strata"]:
        check(stratum["interval_ns"] > 0 and stratum["frames"] > 0, f"{name}: strata")


def main():
    report = json.load(sys.stdin)
    if report["schema"] == "flamelark.hitch/1":
        check_hitch_report(report)
        for problem in problems:
            print(problem)
        return 1 if problems else 0
    check(report["schema"] == "flamelark.blame/2", "schema")
    check("zero_unix_ns" in report and "zero_utc" in report, "no wall-clock time of zero")
    for s in report["series"]:
        check_series(s)
    worst = max((s["hitch_ratio_ms_per_s"] for s in report["series"]), default=0)
    check(report["verdict"]["hitch_ratio_ms_per_s"] == worst, "the verdict is not the worst series")
    for problem in problems:
        print(problem)
    print(f"{len(report['series'])} series, {sum(len(s['hitches']) for s in report['series'])} hitches")
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyError, TypeError, ValueError) as error:
        print(f"not a report: {error!r}")
        sys.exit(1)
