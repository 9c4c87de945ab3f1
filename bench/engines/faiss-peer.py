"""FAISS as an engine of the search trial: the protocol of child.ts, with every search timed here.

search_c with preallocated buffers is the thinnest layer between Python and the library.
"""
import sys
import time

import faiss
import numpy as np

DIMENSIONS = 128
COUNT = 2
EVICT = np.zeros(96 * 2**20, dtype=np.uint8)

faiss.omp_set_num_threads(1)
base = None
probes = None
indexes = {}
scores = np.empty((8, COUNT), dtype=np.float32)
labels = np.empty((8, COUNT), dtype=np.int64)
scores_at, labels_at = faiss.swig_ptr(scores), faiss.swig_ptr(labels)


def index_of(engine):
    name, _, ef = engine.partition(":")
    index = indexes[name]
    if ef:
        index.hnsw.efSearch = int(ef)
    return index


def run(engine, cold, untimed, *order):
    index = index_of(engine)
    order = [int(i) for i in order]
    pointers = {i: faiss.swig_ptr(probes[i]) for i in order}
    q = probes.shape[1]
    untimed = int(untimed)
    for i in order[:untimed]:
        index.search_c(q, pointers[i], COUNT, scores_at, labels_at)
    answers = []
    for i in order[untimed:]:
        if cold == "1":
            EVICT[::64] += 1
        start = time.perf_counter()
        index.search_c(q, pointers[i], COUNT, scores_at, labels_at)
        ms = (time.perf_counter() - start) * 1000
        best = int(scores[:q, 0].argmax())
        answers += [labels[best, 0], 1 - scores[best, 0], 1 - scores[best, 1], ms]
    return " ".join(map(str, answers))


def upkeep(engine, file, count):
    index = index_of(engine)
    extra = np.fromfile(file, dtype=np.float32).reshape(int(count), 1, DIMENSIONS)
    n = index.ntotal

    def micros(work):
        taken = []
        for i in range(int(count)):
            start = time.perf_counter()
            work(i)
            taken.append((time.perf_counter() - start) * 1e6)
        return np.median(taken)

    add = micros(lambda i: index.add(extra[i]))
    if ":" in engine:
        return f"{add} nan"
    return f"{add} {micros(lambda i: index.remove_ids(np.array([n])))}"


def build(m, construction, threads, file):
    index = faiss.IndexHNSWFlat(DIMENSIONS, int(m), faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = int(construction)
    faiss.omp_set_num_threads(int(threads))
    index.add(base)
    faiss.omp_set_num_threads(1)
    faiss.write_index(index, file)
    return "ok"


def load(name, file):
    indexes[name] = faiss.read_index(file)
    return "ok"


def gallery(vectors, _users, n):
    global base
    base = np.fromfile(vectors, dtype=np.float32).reshape(int(n), DIMENSIONS)
    start = time.perf_counter()
    indexes["flat"] = faiss.IndexFlatIP(DIMENSIONS)
    indexes["flat"].add(base)
    return f"ok {time.perf_counter() - start}"


def queries(file, count, q):
    global probes
    probes = np.fromfile(file, dtype=np.float32).reshape(int(count), int(q), DIMENSIONS)
    return "ok"


def about():
    options = faiss.get_compile_options().strip() or "none reported"
    return f"FAISS {faiss.__version__} (Debian, compile options: {options})"


COMMANDS = {f.__name__: f for f in (run, upkeep, build, load, gallery, queries, about)}
for line in sys.stdin:
    command, *words = line.split()
    try:
        print(COMMANDS[command](*words), flush=True)
    except Exception as error:  # reported to child.ts, which ends the trial
        print(f"error {error!r}".replace("\n", " "), flush=True)
