/**
 * Galleries that take long to load, in a running service: requests wait and get through, operators see how far it is,
 * and what cannot be loaded is said once, keeps nobody else waiting and leaves nothing behind.
 */
import * as assert from 'uvu/assert';
import {
  assertError,
  atOnce,
  call,
  challenge,
  enroll,
  enrolled,
  faces,
  match,
  soon,
} from '../support/client.ts';
import { addLargeGallery, change, type Known } from '../support/large-gallery.ts';
import { type AppOptions, type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('gallery loading');
const LARGE = 16_000;
/** Read beside the event loop, but not told of. So many templates take about 3 MB. */
const MEDIUM = 3_000;

// biome-ignore lint/suspicious/noExplicitAny: JSON as an operator's tool reads it
async function health(run: Running): Promise<{ status: number; json: any }> {
  const answer = await fetch(`${run.portal}/health`);
  return { status: answer.status, json: await answer.json() };
}

interface Given {
  readonly run: Running;
  readonly app: TestApp;
  readonly known: Known[];
}

async function given(
  count: number,
  body: (given: Given) => Promise<void>,
  env: Record<string, string> = {},
  options: AppOptions = {},
): Promise<void> {
  await using run = await startService({ env });
  const app = await run.createApp(options);
  const known = addLargeGallery(run, app, count);
  await body({ run, app, known });
}

const lines = (run: Running) => run.logs.map(line => JSON.parse(line));
const logged = (run: Running, start: RegExp) => lines(run).filter(({ msg }) => start.test(msg));
const captureOf = ({ person }: Known) => [faces.genuine(person, 1)];

test('requests wait for the gallery and get through, and operators see how far it is', () =>
  given(LARGE, async ({ run, app, known }) => {
    const answers = atOnce(20, i => {
      const someone = known[i % known.length] as Known;
      return i % 4 === 3
        ? enroll(run, app, { descriptors: [faces.genuine(i)] })
        : match(run, app, { descriptors: captureOf(someone) });
    });
    let isDone = false;
    const done = Promise.allSettled([answers]).then(() => {
      isDone = true;
    });
    const seen: number[] = [];
    while (!isDone) {
      const { status, json } = await health(run);
      assert.is(status, 200);
      // Few faces, many times: as soon as it is loaded, the app is found to be unsafe.
      assert.equal(
        json.problems.filter((problem: { name: string }) => problem.name !== 'unsafe-app'),
        [],
      );
      const [loading, ...others] = json.galleries.loading;
      assert.equal(others, []);
      if (!loading) continue;
      const { loaded, total, ...gallery } = loading;
      assert.equal(gallery, { app_id: app.id, mode: 'live' });
      assert.ok(total === LARGE || total === 0, `${total} in all`);
      seen.push(loaded);
    }
    await done;
    assert.ok(
      seen.some(loaded => loaded > 0 && loaded < LARGE),
      `seen: ${seen}`,
    );
    assert.equal(
      seen,
      [...seen].sort((a, b) => a - b),
    );
    for (const [i, answer] of (await answers).entries()) {
      assert.is(answer.status, i % 4 === 3 ? 201 : 200, answer.text);
      if (i % 4 !== 3) assert.is(answer.json.user.id, known[i % known.length]?.userId);
    }
    const { galleries } = (await health(run)).json;
    assert.equal([galleries.loading, galleries.loaded], [[], 1]);
    assert.ok(galleries.bytes >= LARGE * 512 && galleries.bytes < galleries.budget_bytes);
    const publicly = await call(run, 'GET', '/health');
    assert.equal(Object.keys(publicly.json).sort(), ['db', 'status', 'version']);
  }));

test('the log reports the beginning and the end, by app and mode alone', () =>
  given(LARGE, async ({ run, app, known }) => {
    assert.is((await match(run, app, { descriptors: captureOf(known[2] as Known) })).status, 200);
    const bare = ({ time, pid, hostname, requestId, ...line }: Record<string, unknown>) => line;
    const gallery = { app_id: app.id, mode: 'live' };
    const info = { level: 30, ...gallery };
    assert.equal(logged(run, /^a gallery/).map(bare), [
      { ...info, loaded: 0, total: LARGE, percent: 0, msg: 'a gallery is being loaded' },
      { ...info, templates: LARGE, ms: 0, msg: 'a gallery is loaded' },
    ]);
  }));

test('the most used galleries are loaded at the start, without a request', async () => {
  let run = await startService();
  try {
    const [app, unused] = [await run.createApp(), await run.createApp({ name: 'Unused' })];
    const known = addLargeGallery(run, app, MEDIUM);
    addLargeGallery(run, unused, MEDIUM);
    assert.is((await match(run, app, { descriptors: captureOf(known[0] as Known) })).status, 200);
    const { bytes } = (await health(run)).json.galleries;
    run = await run.restart();
    await soon(async () => {
      const { galleries } = (await health(run)).json;
      return galleries.loaded === 1 && galleries.bytes === bytes;
    }, 'loaded');
  } finally {
    await run.close();
  }
});

test('galleries give way to each other within the budget, and come back', () =>
  given(
    MEDIUM,
    async ({ run, app, known }) => {
      const other = await run.createApp({ name: 'Other' });
      const others = addLargeGallery(run, other, MEDIUM);
      for (let i = 0; i < 3; i++) {
        for (const [of, people] of [
          [app, known],
          [other, others],
        ] as const) {
          const answer = await match(run, of, { descriptors: captureOf(people[i] as Known) });
          assert.is(answer.json.user?.id, people[i]?.userId, answer.text);
          const { loaded, bytes, budget_bytes } = (await health(run)).json.galleries;
          assert.is(loaded, 1);
          assert.ok(bytes <= budget_bytes, `${bytes} of ${budget_bytes}`);
        }
      }
    },
    { MATCH_MEMORY_MB: '5' },
  ));

test('a gallery beyond the budget is refused, and uses nothing up; others are served', () =>
  given(
    MEDIUM,
    async ({ run, app, known }) => {
      const small = await run.createApp({ name: 'Small' });
      await enrolled(run, small);
      const { challenge_id: challengeId } = await challenge(run, app);
      const before = run.rows('SELECT * FROM usage');
      for (let i = 0; i < 3; i++) {
        const answer = await match(run, app, { challengeId, descriptors: captureOf(known[0] as Known) });
        assertError(answer, 'service_unavailable');
        assert.is(answer.headers['retry-after'], '30');
      }
      assertError(await enroll(run, app), 'service_unavailable');
      assert.equal(run.rows('SELECT * FROM usage'), before);
      assert.is(run.rows('SELECT id FROM challenges WHERE id = ?', challengeId).length, 1, 'not consumed');
      assert.is((await match(run, small)).status, 200);
      const { loading, loaded } = (await health(run)).json.galleries;
      assert.equal([loading, loaded], [[], 1]);
      const [line, ...more] = logged(run, /MATCH_MEMORY_MB/);
      assert.equal([line.app_id, line.mode, line.templates, line.level], [app.id, 'live', MEDIUM, 50]);
      assert.equal(more, []);
    },
    { MATCH_MEMORY_MB: '1' },
  ));

test('a row that does not open is left out of the load, with one line in the log, and the others sign in', () =>
  given(MEDIUM, async ({ run, app, known }) => {
    const [someone, victim] = [known[0] as Known, known[2] as Known];
    const [{ sealed }] = run.rows('SELECT sealed FROM templates WHERE id = ?', victim.templateId);
    const spoilt = Buffer.from(sealed);
    spoilt[200] = (spoilt[200] as number) ^ 1;
    change(run, 'UPDATE templates SET sealed = ? WHERE id = ?', spoilt, victim.templateId);
    const all = await atOnce(5, () => match(run, app, { descriptors: captureOf(someone) }));
    for (const answer of all) assert.is(answer.json.user?.id, someone.userId, answer.text);
    assertError(await match(run, app, { descriptors: captureOf(victim) }), 'no_match');
    const { loaded, unreadable } = (await health(run)).json.galleries;
    assert.equal([loaded, unreadable], [1, [{ app_id: app.id, mode: 'live', templates: 1 }]]);
    const [line, ...more] = logged(run, /do not open and are left out/);
    assert.equal([line.app_id, line.mode, line.templates, line.level, more], [app.id, 'live', 1, 50, []]);
    assert.equal(logged(run, /could not be loaded/), []);
  }));

test('an app that is deleted while its gallery is loaded leaves nothing in memory', () =>
  given(LARGE, async ({ run, app, known }) => {
    const waiting = match(run, app, { descriptors: captureOf(known[0] as Known) });
    while ((await health(run)).json.galleries.loading[0]?.loaded === undefined);
    assert.is((await run.cli(['app', 'delete', app.id, '--yes'])).code, 0);
    const answer = await waiting;
    // Found before it was gone, or not any more, or refused with its key or challenge.
    assert.ok([200, 400, 401].includes(answer.status), answer.text);
    await soon(async () => {
      const { loading, loaded, bytes } = (await health(run)).json.galleries;
      return loading.length === 0 && loaded === 0 && bytes === 0;
    }, 'gone');
    assert.equal(logged(run, /could not be loaded/), []);
  }));

test('a user who is deleted while the gallery is loaded is found by nobody afterwards', () =>
  given(LARGE, async ({ run, app, known }) => {
    const [leaver, stayer] = [known[0] as Known, known[1] as Known];
    const waiting = match(run, app, { descriptors: captureOf(stayer) });
    while ((await health(run)).json.galleries.loading[0]?.loaded === undefined);
    const path = `/v1/users/${leaver.userId}`;
    const deleted = await call(run, 'DELETE', path, { headers: { authorization: `Bearer ${app.live.sk}` } });
    assert.is(deleted.status, 204, deleted.text);
    assert.is((await waiting).json.user?.id, stayer.userId);
    assertError(await match(run, app, { descriptors: captureOf(leaver) }), 'no_match');
  }));

test('a stop while a gallery is loaded refuses who waits, at once, and is no failure', async () => {
  const run = await startService();
  const app = await run.createApp();
  const [someone] = addLargeGallery(run, app, LARGE);
  const waiting = match(run, app, { descriptors: captureOf(someone as Known) });
  while ((await health(run)).json.galleries.loading[0]?.loaded === undefined);
  const began = performance.now();
  await run.close();
  assert.ok(performance.now() - began < 5_000);
  assertError(await waiting, 'service_unavailable');
  assert.equal(
    lines(run)
      .filter(({ level, msg }) => level >= 50 && msg !== 'request failed')
      .map(({ msg }) => msg),
    [],
  );
  assert.is(lines(run).at(-1).msg, 'closed');
});

test.run();
