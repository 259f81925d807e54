# ===- lit_format.py - which files lit takes for tests ---------------------===#

import os

import lit.formats


class Tests(lit.formats.ShTest):
    """Files with RUN lines. A .dpl file without any is what other tests read;
    any other file without one is a mistake, which lit reports."""

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        path = testSuite.getSourcePath(path_in_suite)
        if path.endswith(".dpl"):
            with open(path, "rb") as f:
                if b"RUN:" not in f.read():
                    return []
        return super().getTestsForPath(testSuite, path_in_suite, litConfig, localConfig)
