/**
 * Several workers on one pass. The gallery's owner opens a job in its scratch and starts to scan. A helper that sees
 * the job in time joins it, copies the searches into its own scratch, claims blocks as the owner does, and writes its
 * results back. It prepares the probes itself, because the owner may be preparing its own for another coding. The owner
 * closes the job when no block is left and waits only for helpers that joined, so a late helper costs nothing, and no
 * gallery changes while a helper reads it. A helper stays for the jobs of one batch of calls, or until the host reports
 * that the owner has ended. If a helper dies after joining, the owner stops. Held by test/matcher/help.long.test.ts.
 */
import * as layout from './layout';
import { beginLook } from './look';
import { scan } from './scan';
import { begin, merge } from './select';

// Fields of a job.
/** i32: OPEN while helpers may join; number of helpers that joined in bits 0 to 7, that left in bits 8 to 15. */
const WORD: usize = 0;
const CLAIMS: usize = 4; // i32: blocks claimed so far
const GALLERY: usize = 8; // u32
const SEARCHES: usize = 12; // u32
const FOUND: usize = 32; // STATEs of each helper's searches
const OPEN: i32 = 1 << 16;
const JOINED: i32 = 1;
const LEFT: i32 = 1 << 8;
/** How often a helper checks, at least, whether it is still needed; nanoseconds. */
const LOOK: i64 = 1_000_000;
const SOON: i64 = 50_000;
/**
 * How often an owner polls for its helpers before it sleeps: about as long as a block takes. A wake-up takes longer.
 */
const LOOKS_AWAKE: i32 = 50_000;
/** No pass takes a helper this long, so it must have died; nanoseconds. */
const GONE: i64 = 10_000_000_000;

/** Scans a gallery for the first `searches` searches. With `helped`, other workers may help. */
export function pass(gallery: u32, searches: u32, helped: bool): void {
  const job = layout.jobAddress(layout.scratchAt(0));
  atomic.store<i32>(job, 0, CLAIMS);
  if (!helped) return scan(gallery, searches, job + CLAIMS);
  store<u32>(job, gallery, GALLERY);
  store<u32>(job, searches, SEARCHES);
  atomic.store<i32>(job, OPEN, WORD);
  atomic.notify(job + WORD, layout.MAX_HELPERS);
  scan(gallery, searches, job + CLAIMS);
  let word = atomic.and<i32>(job, ~OPEN, WORD) & ~OPEN;
  const joined = word & 0xff;
  for (let looks = 0; ((word >> 8) & 0xff) != joined; looks++) {
    const isAwake = looks < LOOKS_AWAKE;
    if (!isAwake && atomic.wait<i32>(job + WORD, word, GONE) == AtomicWaitResult.TIMED_OUT) unreachable();
    word = atomic.load<i32>(job, WORD);
  }
  for (let helper = 0; helper < joined; helper++) {
    for (let s: u32 = 0; s < searches; s++)
      merge(layout.searchAddress(s) + layout.STATE, found(job, helper, s));
  }
  memory.fill(job + FOUND, 0, <usize>joined * layout.MAX_SEARCHES * layout.STATE_BYTES);
}

/** Ends the batch, and with it the wait of its helpers. */
export function endBatch(): void {
  atomic.add<i32>(layout.batchesAddress(layout.scratchAt(0)), 1);
  atomic.notify(layout.jobAddress(layout.scratchAt(0)) + WORD, layout.MAX_HELPERS);
}

/** Helps the instance with scratch at `owner` until it has answered `batches` batches. @returns the jobs joined */
export function assist(owner: usize, batches: i32): u32 {
  const job = layout.jobAddress(owner);
  const answered = layout.batchesAddress(owner);
  let jobs: u32 = 0;
  while (atomic.load<i32>(answered) - batches < 0) {
    const joined = join(owner);
    if (joined) jobs++;
    const word = atomic.load<i32>(job, WORD);
    const isNew = (word & OPEN) != 0 && !joined;
    // After a job that it joined, no block is left: it waits for the job to close before it looks for the next one.
    if (!isNew && atomic.load<i32>(answered) - batches < 0)
      atomic.wait<i32>(job + WORD, word, joined ? SOON : LOOK);
  }
  return jobs;
}

/** False if there is no job: none is open, or it has enough helpers. */
function join(owner: usize): bool {
  const job = layout.jobAddress(owner);
  let word = atomic.load<i32>(job, WORD);
  for (;;) {
    if ((word & OPEN) == 0 || <u32>(word & 0xff) >= layout.MAX_HELPERS) return false;
    const seen = atomic.cmpxchg<i32>(job, word, word + JOINED, WORD);
    if (seen == word) break;
    word = seen;
  }
  const helper = word & 0xff;
  const searches = load<u32>(job, SEARCHES);
  memory.copy(
    layout.searchAddress(0),
    layout.searchAddress(0) - layout.scratchAt(0) + owner,
    <usize>searches * layout.SEARCH_BYTES,
  );
  for (let s: u32 = 0; s < searches; s++) {
    const search = layout.searchAddress(s);
    begin(search + layout.STATE);
    beginLook(search);
  }
  scan(load<u32>(job, GALLERY), searches, job + CLAIMS);
  for (let s: u32 = 0; s < searches; s++)
    memory.copy(found(job, helper, s), layout.searchAddress(s) + layout.STATE, layout.STATE_BYTES);
  atomic.add<i32>(job, LEFT, WORD);
  atomic.notify(job + WORD, layout.MAX_HELPERS + 1);
  layout.wipe();
  return true;
}

function found(job: usize, helper: i32, search: u32): usize {
  return job + FOUND + (<usize>helper * layout.MAX_SEARCHES + search) * layout.STATE_BYTES;
}
