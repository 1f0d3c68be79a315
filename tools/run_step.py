"""Runs a command as one step.

Usage: `python -m tools.run_step "Installing Python packages" pip install --editable .`
"""

import argparse
import sys

from tools.steps import Display, Interrupted, Runner, Step


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="show the output")
    parser.add_argument("--optional", action="store_true", help="report a failure in one line")
    parser.add_argument("title")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    step = Step(options.title, options.command, is_optional=options.optional)
    try:
        (result,) = Runner(Display(sys.stdout), verbose=options.verbose).run([step])
    except Interrupted as interrupted:
        return interrupted.exit_code
    return 0 if result.ok else 1


if __name__ == "__main__":
    sys.exit(main())
