"""FAISS and ScaNN as engines of the search trial: the protocol of child.ts, with every search timed here.

An engine is called NAME:SHAPE:EFFORT; its index, which does not depend on the effort, NAME:SHAPE. FAISS is called by
search_c with preallocated buffers, the thinnest layer between Python and the library.
"""
import os
import sys
import time
from importlib.metadata import version

import faiss
import numpy as np
import scann

DIMENSIONS = 128
EVICT = np.zeros(96 * 2**20, dtype=np.uint8)
#: Templates that a code is learned from.
SAMPLE = 100_000

faiss.omp_set_num_threads(1)
base = users = probes = None
#: Neighbours of a probe that are sure to include another user's.
count = 0
indexes = {}


def gallery(vectors, owners, n):
    global base, users, count, scores, labels
    base = np.fromfile(vectors, dtype=np.float32).reshape(int(n), DIMENSIONS)
    users = np.fromfile(owners, dtype=np.uint32)
    count = int(np.bincount(users).max()) + 1
    scores = np.empty((8, count), dtype=np.float32)
    labels = np.empty((8, count), dtype=np.int64)
    start = time.perf_counter()
    indexes["flat"] = faiss.IndexFlatIP(DIMENSIONS)
    indexes["flat"].add(base)
    return f"ok {time.perf_counter() - start}"


def kept(file, index, build):
    """What takes long to build is kept in a file, and the seconds beside it."""
    if not os.path.exists(file):
        faiss.omp_set_num_threads(2)
        start = time.perf_counter()
        build(index)
        np.save(f"{file}.npy", time.perf_counter() - start)
        faiss.omp_set_num_threads(1)
        faiss.write_index(index, f"{file}.draft")
        os.replace(f"{file}.draft", file)
    return faiss.read_index(file), float(np.load(f"{file}.npy"))


def pqfs(shape, file):
    index = faiss.index_factory(DIMENSIONS, shape, faiss.METRIC_INNER_PRODUCT)
    index, seconds = kept(file, index, lambda index: index.train(base[:SAMPLE]))
    start = time.perf_counter()
    if shape.startswith("PCA"):
        # Without the mean, products would not be those of the templates.
        faiss.downcast_VectorTransform(index.chain.at(0)).have_bias = False
    index.add(base)
    return faiss.IndexRefine(index, indexes["flat"]), seconds + time.perf_counter() - start, index.sa_code_size()


def hnsw(m, file):
    index = faiss.IndexHNSWFlat(DIMENSIONS, m, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = 200
    return kept(file, index, lambda index: index.add(base))


def ah(dimensions):
    builder = scann.scann_ops_pybind.builder(base, count, "dot_product")
    builder.score_ah(dimensions, anisotropic_quantization_threshold=0.2, training_sample_size=SAMPLE)
    return builder.reorder(100).set_n_training_threads(1).build()


def make(name, file):
    engine, shape = name.split(":")
    start = time.perf_counter()
    if engine == "faiss-hnsw":
        indexes[name], seconds = hnsw(int(shape), file)
        return f"ok {seconds} {os.path.getsize(file)}"
    if engine == "scann":
        indexes[name] = ah(int(shape))
        return f"ok {time.perf_counter() - start} unknown"
    indexes[name], seconds, code = pqfs(shape, file)
    return f"ok {seconds} {base.nbytes + len(base) * code}"


def search_of(engine):
    """What searches the query of a number, and fills scores and labels."""
    name, _, effort = engine.rpartition(":")
    index = indexes[name or engine]
    q = probes.shape[1]
    if name.startswith("scann"):

        def search(i):
            for p in range(q):
                labels[p], scores[p] = index.search(probes[i, p], count, int(effort))

        return search
    if name.startswith("faiss-pqfs"):
        index.k_factor = int(effort) / count
    if name.startswith("faiss-hnsw"):
        index.hnsw.efSearch = int(effort)
    pointers = [faiss.swig_ptr(one) for one in probes]
    scores_at, labels_at = faiss.swig_ptr(scores), faiss.swig_ptr(labels)
    return lambda i: index.search_c(q, pointers[i], count, scores_at, labels_at)


def answer(near, found):
    """The nearest template, its distance, and that of the nearest of another user."""
    near, found = near.ravel(), found.ravel()
    best = near.argmax()
    others = near[users[found] != users[found[best]]]
    return [found[best], 1 - near[best], 1 - others.max(initial=-np.inf)]


def run(engine, cold, untimed, *order):
    search = search_of(engine)
    order = [int(i) for i in order]
    for i in order[: int(untimed)]:
        search(i)
    answers = []
    for i in order[int(untimed) :]:
        if cold == "1":
            EVICT[::64] += 1
        start = time.perf_counter()
        search(i)
        ms = (time.perf_counter() - start) * 1000
        answers += [*answer(scores[: probes.shape[1]], labels[: probes.shape[1]]), ms]
    return " ".join(map(str, answers))


def decide():
    """Every query exactly: found in one batch, then compared in double."""
    _, found = indexes["flat"].search(probes.reshape(-1, DIMENSIONS), count)
    found = found.reshape(*probes.shape[:2], count)
    answers = []
    for asked, templates in zip(probes.astype(float), found):
        answers += [*answer(np.einsum("pd,pcd->pc", asked, base[templates]), templates), 0]
    return " ".join(map(str, answers))


def upkeep(engine, file, amount):
    index = indexes[engine]
    extra = np.fromfile(file, dtype=np.float32).reshape(int(amount), 1, DIMENSIONS)
    n = index.ntotal

    def micros(work):
        taken = []
        for one in extra:
            start = time.perf_counter()
            work(one)
            taken.append((time.perf_counter() - start) * 1e6)
        return np.median(taken)

    add = micros(index.add)
    return f"{add} {micros(lambda _: index.remove_ids(np.array([n]))) if engine == 'flat' else 'nan'}"


def queries(file, amount, q):
    global probes
    probes = np.fromfile(file, dtype=np.float32).reshape(int(amount), int(q), DIMENSIONS)
    return "ok"


def about():
    built = faiss.get_compile_options().strip()
    return f"FAISS {faiss.__version__} from PyPI ({built}); ScaNN {version('scann')} from PyPI"


COMMANDS = {f.__name__: f for f in (run, decide, upkeep, make, gallery, queries, about)}
for line in sys.stdin:
    command, *words = line.split()
    try:
        print(COMMANDS[command](*words), flush=True)
    except Exception as error:  # reported to child.ts, which ends the trial
        print(f"error {error!r}".replace("\n", " "), flush=True)
