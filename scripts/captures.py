#!/usr/bin/python3
"""Lists the passes of a RenderDoc capture with their GPU times, without a display.

    scripts/captures.py FILE.rdc                        labels, the calls below them, microseconds
    scripts/captures.py FILE.rdc --images               the named images, too
    scripts/captures.py FILE.rdc --save NAME PICTURE    the image of that name as it is at the end of the frame (.png, .exr, .dds)

Needs RenderDoc's Python module (Debian and Ubuntu: python3-renderdoc), which belongs to the system's own Python, and a driver
that can replay the capture, which is the one that made it.
"""

import argparse
import contextlib
import math
import signal
import sys

try:
    import renderdoc as rd
except ImportError:
    sys.exit("captures.py: RenderDoc's Python module is missing: install python3-renderdoc and use /usr/bin/python3")


@contextlib.contextmanager
def replay(path):
    """Opens a capture on this machine's driver; yields the controller, closes all of it after."""
    rd.InitialiseReplay(rd.GlobalEnvironment(), [])
    file = rd.OpenCaptureFile()
    try:
        result = file.OpenFile(path, "", None)
        if result != rd.ResultCode.Succeeded:
            sys.exit(f"captures.py: {path}: expected a RenderDoc capture, {result}")
        if file.LocalReplaySupport() != rd.ReplaySupport.Supported:
            sys.exit(f"captures.py: {path}: no driver here replays it (it was made with {file.DriverName()})")
        result, controller = file.OpenCapture(rd.ReplayOptions(), None)
        if result != rd.ResultCode.Succeeded:
            sys.exit(f"captures.py: {path}: cannot be replayed, {result}")
        try:
            yield controller
        finally:
            controller.Shutdown()
    finally:
        file.Shutdown()
        rd.ShutdownReplay()


def durations_us(controller):
    """GPU time of each event in microseconds; empty where the driver has no such counter."""
    counter = rd.GPUCounter.EventGPUDuration
    if counter not in controller.EnumerateCounters():
        return {}
    return {r.eventId: r.value.d * 1e6 for r in controller.FetchCounters([counter]) if math.isfinite(r.value.d)}


def time_us(action, durations):
    """Time of an action and of all below it."""
    return durations.get(action.eventId, 0.0) + sum(time_us(child, durations) for child in action.children)


def says_something(action):
    """Labels and work: not the calls that only begin or end something."""
    begins_or_ends = rd.ActionFlags.PopMarker | rd.ActionFlags.PassBoundary | rd.ActionFlags.CommandBufferBoundary
    return bool(action.children) or not action.flags & begins_or_ends


def print_actions(actions, structure, durations, depth=0):
    for action in filter(says_something, actions):
        time = time_us(action, durations)
        shown = f"{time:10.1f}" if time else " " * 10
        print(f"{action.eventId:6} {shown}  {'  ' * depth}{action.GetName(structure)}")
        print_actions(action.children, structure, durations, depth + 1)


def save_image(controller, textures, names, name, picture):
    """Writes level 0 of the image of that name, as it is after the last call of the frame."""
    kinds = {"png": rd.FileType.PNG, "exr": rd.FileType.EXR, "dds": rd.FileType.DDS}
    ending = picture.rsplit(".", 1)[-1]
    if ending not in kinds:
        sys.exit(f"captures.py: {picture}: expected a name that ends in .png, .exr or .dds")
    found = [t for t in textures if names[t.resourceId] == name]
    if not found:
        sys.exit(f"captures.py: no image is named {name}; --images lists them")
    if ending == "png" and found[0].format.compType == rd.CompType.Float:
        # RenderDoc 1.24 would draw it to make bytes of it, and crashes there on a software driver.
        sys.exit(f"captures.py: {name} holds floats: name the picture .exr")
    last = controller.GetRootActions()[-1]
    while last.children:
        last = last.children[-1]
    controller.SetFrameEvent(last.eventId, True)
    save = rd.TextureSave()
    save.resourceId = found[0].resourceId
    save.mip = 0
    save.slice.sliceIndex = 0
    save.alpha = rd.AlphaMapping.Discard
    save.destType = kinds[ending]
    result = controller.SaveTexture(save, picture)
    if result not in (True, rd.ResultCode.Succeeded):
        sys.exit(f"captures.py: {picture} could not be written: {result}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("capture", help="the .rdc file")
    parser.add_argument("--images", action="store_true", help="list the named images")
    parser.add_argument("--save", nargs=2, metavar=("NAME", "PICTURE"), help="write an image")
    arguments = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it quietly

    with replay(arguments.capture) as controller:
        names = {resource.resourceId: resource.name for resource in controller.GetResources()}
        textures = controller.GetTextures()
        print(f"{'event':>6} {'us':>10}  label or call")
        print_actions(controller.GetRootActions(), controller.GetStructuredFile(), durations_us(controller))
        if arguments.images:
            for texture in textures:
                mips = f", {texture.mips} levels" if texture.mips > 1 else ""
                print(f"{names[texture.resourceId]}: {texture.width}x{texture.height} {texture.format.Name()}{mips}")
        if arguments.save:
            save_image(controller, textures, names, *arguments.save)


if __name__ == "__main__":
    main()
