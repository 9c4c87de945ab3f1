/**
 * uvu's suite with a time limit per test. A test that hangs fails by name instead of stalling the run, and something
 * thrown that is not an Error fails too (uvu alone crashes on it and still exits 0). A test that was written but never
 * ran, because its suite is not run or was run before, fails its file; and what a `before` hook threw is shown, which
 * uvu alone swallows. Every test file uses this one; test/repo/runner.long.test.ts holds it.
 *
 * With TEST_LIST=1 nothing runs, neither tests nor hooks: the names of the tests are kept for test/repo/test-names.ts.
 * With TEST_ONLY, a JSON list of how names begin, a file has only those tests, for test/breaks.
 */
import { suite as uvuSuite } from 'uvu';
import { isNamed } from './test-name.ts';

const LIMIT_MS = Number(process.env.TEST_LIMIT_MS ?? 180_000);
const LISTING = process.env.TEST_LIST === '1';
const ONLY: string[] | null = process.env.TEST_ONLY ? JSON.parse(process.env.TEST_ONLY) : null;

/** Names of the tests written so far, where they are only listed. */
export const listed: string[] = [];

let written = 0;
let ended = 0;
process.on('exit', () => {
  if (ended === written) return;
  console.error(
    `${written - ended} of ${written} tests never ran: does every suite call run() after its last test?`,
  );
  process.exitCode ||= 1;
});

type Body = () => unknown;
export interface Suite {
  (name: string, body: Body): void;
  before: (hook: Body) => void;
  after: (hook: Body) => void;
  run: () => void;
}

export function suite(name: string): Suite {
  return LISTING ? listing() : running(name);
}

function listing(): Suite {
  const nothing = () => undefined;
  const add = (test: string) => void listed.push(test);
  return Object.assign(add, { before: nothing, after: nothing, run: nothing });
}

function running(name: string): Suite {
  const inner = uvuSuite(name);
  const add = (test: string, body: Body) => {
    if (ONLY && !ONLY.some(name => isNamed(test, name))) return;
    written++;
    inner(test, () => limited(test, body).finally(() => ended++));
  };
  const hooked = (when: string, hook: Body) => () =>
    limited(`${name}: ${when}`, hook).catch(error => {
      console.error(`${name}: the ${when} hook failed:`, error);
      throw error;
    });
  return Object.assign(add, {
    before: (hook: Body) => inner.before(hooked('before', hook)),
    after: (hook: Body) => inner.after(hooked('after', hook)),
    run: () => inner.run(),
  });
}

async function limited(what: string, body: Body): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no end after ${LIMIT_MS} ms`)), LIMIT_MS);
  });
  try {
    await Promise.race([Promise.resolve().then(body), late]);
  } catch (thrown) {
    throw thrown instanceof Error
      ? thrown
      : new Error(`${what}: threw ${String(thrown)}, which is not an Error`);
  } finally {
    clearTimeout(timer);
  }
}
