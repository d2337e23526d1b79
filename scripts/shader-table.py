#!/usr/bin/env python3
"""Prints the table of docs/measured/shaders.md: shaders that do not reach a goal, each by its worst variant.

scripts/shader-table.py out/shaders/{polaris10,vega10,navi21,navi31,gfx1201}.json [NVIDIA.json]

The files are those of `meniscus shaders --json`, one of each family; scripts/shader-report writes those of AMD.
"""

import json
import pathlib
import sys

# Waves per SIMD, without spills.
GOALS = {"polaris10": 4, "navi31": 8}


def worst(rows, key, choose):
    """By shader, the row whose figure is the worst."""
    found = {}
    for row in rows:
        if row[key] is None:
            continue
        name = row["shader"]
        if name not in found or choose(row[key], found[name][key]) == row[key]:
            found[name] = row
    return found


def size(count):
    return "" if count is None else f"{count:.0f} B"


def main(files):
    amd, nvidia, device = {}, {}, None
    for file in files:
        report = json.loads(pathlib.Path(file).read_text())
        if any(row["waves"] is not None for row in report["rows"]):
            amd[pathlib.Path(file).stem] = worst(report["rows"], "waves", min)
        else:
            device = report["device"]["name"]
            registers = worst(report["rows"], "registers", max)
            local = worst(report["rows"], "scratch_bytes", max)
            nvidia = {name: (row["registers"], local[name]["scratch_bytes"]) for name, row in registers.items()}

    def is_below(name):
        for family, goal in GOALS.items():
            row = amd.get(family, {}).get(name)
            if row and (row["waves"] < goal or row["spilled"] or row["scalar_spilled"]):
                return True
        return nvidia.get(name, (0, 0))[1] > 0

    names = sorted({name for rows in amd.values() for name in rows} | set(nvidia))
    columns = [device + ": registers", device + ": local memory"] if device else []
    print("| shader | shared | " + " | ".join([*amd, *columns]) + " |")
    print("|---" * (2 + len(amd) + len(columns)) + "|")
    for name in filter(is_below, names):
        rows = [found.get(name) for found in amd.values()]
        shared = max((row["shared_bytes"] for row in rows if row), default=None)
        cells = [f"{row['waves']} ({row['registers']})" if row else "" for row in rows]
        if device:
            registers, local = nvidia.get(name, ("", None))
            cells += [str(registers), size(local)]
        print(f"| {name} | {size(shared)} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
