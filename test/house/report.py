# ===- report.py - counts the tests of a run, and judges what was skipped --===
#
# report.py FOLDER reads the XML reports that the GoogleTests and lit left in
# FOLDER. It prints the count and each reason for which tests were skipped, and
# fails if a skip gives no known reason or one that does not hold here.

import os
import re
import sys
import xml.etree.ElementTree as xml

import features

REASON = re.compile(r"(?:needs|missing required feature\(s\):)\s+([\w-]+)")


def read(folder, present):
    """Returns (tests, {reason: [names]}, problems)."""
    count, skips, problems = 0, {}, []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".xml"):
            continue
        try:
            root = xml.parse(os.path.join(folder, name)).getroot()
        except xml.ParseError as error:
            problems.append(f"{name}: no whole report: {error}")
            continue
        for suite in root.iter("testsuite"):
            for case in suite.iter("testcase"):
                count += 1
                skipped = case.find("skipped")
                if skipped is not None:
                    test = f"{case.get('classname') or suite.get('name')}.{case.get('name')}"
                    _judge(test, skipped.get("message", ""), present, skips, problems)
    return count, skips, problems


def _judge(test, message, present, skips, problems):
    match = REASON.search(message)
    if not match or match.group(1) not in features.FEATURES:
        problems.append(f"{test}: skipped without a reason that test/house/features.py knows: {message.strip()}")
    elif match.group(1) in present:
        problems.append(f"{test}: skipped because it needs {match.group(1)}, which is here")
    else:
        skips.setdefault(match.group(1), []).append(test)


def main():
    count, skips, problems = read(sys.argv[1], features.available())
    print(f"{count} GoogleTest and lit tests, {sum(map(len, skips.values()))} skipped")
    for reason, tests in sorted(skips.items()):
        print(f"  skipped, needs {reason}: {', '.join(tests)}")
    for problem in problems:
        print(f"error: {problem}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
