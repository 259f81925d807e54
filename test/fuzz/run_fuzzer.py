# ===- run_fuzzer.py - one fuzzer for a while --------------------------------===#
#
# run_fuzzer.py BINARY CORPUS SEEDS FOLDER runs a fuzzer from the seeds CORPUS/SEEDS for a minute, or for half an hour if
# DPL_TEST_LONG is 1 (DPL_FUZZ_SECONDS gives another time). FOLDER/corpus keeps what it found interesting; each run goes
# on from there. A finding is a failure; its input stays in FOLDER, and `BINARY FILE` repeats it.

import os
import subprocess
import sys

KEPT_LINES = 60


def words(binary, corpus, seeds, folder):
    long = os.environ.get("DPL_TEST_LONG") == "1"
    seconds = os.environ.get("DPL_FUZZ_SECONDS", "1800" if long else "60")
    kept = os.path.join(folder, "corpus")
    os.makedirs(kept, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-seed={os.environ.get('DPL_TEST_SEED', '1')}", "-timeout=60",
               "-rss_limit_mb=3000", "-print_final_stats=1", f"-artifact_prefix={folder}/"]
    dictionary = os.path.join(corpus, seeds + ".dict")
    if os.path.exists(dictionary):
        options.append(f"-dict={dictionary}")
    return [binary, *options, kept, os.path.join(corpus, seeds)]


def main():
    binary, corpus, seeds, folder = sys.argv[1:]
    done = subprocess.run(words(binary, corpus, seeds, folder), stderr=subprocess.PIPE, text=True, errors="replace")
    lines = done.stderr.split("\n")
    if done.returncode != 0:
        print("\n".join(lines[-KEPT_LINES:]))
        return f"{os.path.basename(binary)} has a finding; its input is in {folder}"
    stats = dict(line.removeprefix("stat::").split(":") for line in lines if line.startswith("stat::"))
    print(f"{stats['number_of_executed_units'].strip()} inputs, none with a finding")
    return 0


if __name__ == "__main__":
    sys.exit(main())
