/** Offline verification that sees sign-outs: what is refused, when the feed is too old, and what it costs the service. */
import * as assert from 'uvu/assert';
import { ServiceError, type Verifier, type VerifierOptions } from '../../src/sdk/server/index.ts';
import { enrolled, faces, type Json, match, soon } from '../support/client.ts';
import { deleteMe, logout } from '../support/me.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Counted, codeOf, countedFetch, down, KEYS, verifierOf } from './server-support.ts';

const test = suite('server SDK: revocations');
const FEED = '/v1/revocations';
const open: Verifier[] = [];

const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  await enrolled(run, app);
});
test.after(() => {
  for (const verifier of open) verifier.close();
});

const signIn = async () => (await match(run, app)).json.token as string;

function withFeed(revocations: VerifierOptions['revocations'] = true, more: Partial<VerifierOptions> = {}) {
  const verifier = verifierOf(run, app, 'live', { secretKey: app.live.sk, revocations, ...more });
  open.push(verifier);
  return verifier;
}

const within = (verifier: Verifier, token: string, code: string) =>
  soon(async () => (await codeOf(verifier.verify(token))) === code, code, 10_000);

for (const [name, revocations] of [
  ['in the background', true],
  ['before a verification', { background: false }],
] as const)
  test(`${name}: what was revoked is refused, what comes is too, and all else is good`, async () => {
    const [before, good, later] = [await signIn(), await signIn(), await signIn()];
    await logout(run, before);
    const verifier = withFeed(revocations);
    await verifier.ready();
    assert.is((await verifier.verify(good)).checked, 'feed');
    assert.is(await codeOf(verifier.verify(before)), 'revoked');
    assert.is(await codeOf(verifier.verify(later)), 'accepted');
    await logout(run, later);
    const leaver = await enrolled(run, app, { descriptors: [faces.genuine(open.length)] });
    await deleteMe(run, leaver.token);
    // For the one that reads only what is older than five seconds.
    run.clock.advance(5_001);
    await within(verifier, later, 'revoked');
    await within(verifier, leaver.token, 'revoked');
    assert.is(await codeOf(verifier.verify(good)), 'accepted');
  });

test('the first verification waits for the feed, and makes no second read', async () => {
  const token = await signIn();
  await logout(run, token);
  const { fetch, asked } = countedFetch();
  const verifier = withFeed({ background: false }, { fetch });
  const codes = await Promise.all([token, token, token].map(one => codeOf(verifier.verify(one))));
  assert.equal([codes, asked[FEED]], [['revoked', 'revoked', 'revoked'], 1]);
  run.clock.advance(4_900);
  await codeOf(verifier.verify(token));
  assert.is(asked[FEED], 1);
  run.clock.advance(200);
  await Promise.all([token, token].map(one => codeOf(verifier.verify(one))));
  assert.is(asked[FEED], 2);
});

test('an online verification that falls back sees sign-outs too', async () => {
  const [token, good] = [await signIn(), await signIn()];
  await logout(run, token);
  const counted = countedFetch();
  counted.instead = path => (path === '/v1/tokens/verify' ? down() : undefined);
  const how = {
    verification: 'online',
    whenUnavailable: 'offline',
    fetch: counted.fetch,
    timeoutMs: 300,
  } as const;
  const verifier = withFeed(true, how);
  assert.is(await codeOf(verifier.verify(token)), 'revoked');
  assert.is((await verifier.verify(good)).checked, 'feed');
});

test('a new key set is fetched when all tokens are revoked, and old tokens are refused', async () => {
  const own = await run.createApp();
  const { token } = await enrolled(run, own);
  const { fetch, asked } = countedFetch();
  const verifier = verifierOf(run, own, 'live', { secretKey: own.live.sk, revocations: true, fetch });
  open.push(verifier);
  assert.is(await codeOf(verifier.verify(token)), 'accepted');
  assert.is(asked[KEYS], 1);
  run.clock.advance(3_000);
  await run.cli(['signing-key', 'rotate', '--revoke-old']);
  await within(verifier, token, 'revoked');
  run.clock.advance(3_000);
  const fresh = (await match(run, own)).json.token as string;
  assert.is(await codeOf(verifier.verify(fresh)), 'accepted');
  assert.is(asked[KEYS], 2);
});

test('a feed that is too old refuses, unless age does not matter, and is read again when it is there', async () => {
  const token = await signIn();
  const makers = [300, 60, Number.POSITIVE_INFINITY].map(maxAgeSeconds => {
    const counted = countedFetch();
    return {
      counted,
      maxAgeSeconds,
      verifier: withFeed({ maxAgeSeconds }, { fetch: counted.fetch, timeoutMs: 3_000 }),
    };
  });
  const codes = () => Promise.all(makers.map(({ verifier }) => codeOf(verifier.verify(token))));
  await Promise.all(makers.map(({ verifier }) => verifier.ready()));
  for (const { counted } of makers) counted.instead = path => (path === FEED ? down() : undefined);
  // Until those that were waiting have been answered, nobody can know that the service is away.
  const other = await signIn();
  await logout(run, other);
  await soon(
    async () => makers.every(({ counted }) => (counted.asked[FEED] ?? 0) > 2),
    'all have failed',
    20_000,
  );
  run.clock.advance(59_000);
  assert.equal(await codes(), ['accepted', 'accepted', 'accepted']);
  run.clock.advance(2_000);
  assert.equal(await codes(), ['accepted', 'revocations_stale', 'accepted']);
  run.clock.advance(240_000);
  assert.equal(await codes(), ['revocations_stale', 'revocations_stale', 'accepted']);
  for (const { counted } of makers) counted.instead = null;
  run.clock.advance(3_000);
  assert.equal(await codes(), ['accepted', 'accepted', 'accepted']);
});

const failing: [name: string, instead: Counted['instead']][] = [
  ['nothing listens', down],
  ['a proxy answers', () => new Response('<html>', { status: 502 })],
  ['the answer lacks its cursor', () => Response.json({ revocations: [] })],
  [
    'the key is unknown',
    () => Response.json({ error: { code: 'unauthorized', message: 'x' } }, { status: 401 }),
  ],
];
for (const [name, instead] of failing)
  test(`never read, because ${name}: refused, and accepted where age does not matter`, async () => {
    const token = await signIn();
    for (const [maxAgeSeconds, code] of [
      [300, 'revocations_stale'],
      [Number.POSITIVE_INFINITY, 'accepted'],
    ] as const)
      for (const background of [true, false]) {
        const counted = countedFetch();
        counted.instead = (path, signal) => (path === FEED ? instead?.(path, signal) : undefined);
        const verifier = withFeed({ maxAgeSeconds, background }, { fetch: counted.fetch, timeoutMs: 3_000 });
        assert.is(await codeOf(verifier.verify(token)), code, `${maxAgeSeconds} ${background}`);
        verifier.close();
      }
  });

test('a stale feed is told with its cause', async () => {
  const counted = countedFetch();
  counted.instead = path => (path === FEED ? down() : undefined);
  const error = await withFeed({ background: false }, { fetch: counted.fetch, timeoutMs: 3_000 })
    .verify(await signIn())
    .catch(thrown => thrown);
  assert.is(error.code, 'revocations_stale');
  assert.is(error.cause.code, 'unavailable');
});

const refused = (work: Promise<unknown>): Promise<Json> =>
  work.then(
    () => assert.unreachable('it was answered'),
    error => error,
  );

test('ready() waits while the service is away, and ends when the key is unknown, aborted or closed', async () => {
  const counted = countedFetch();
  counted.instead = down;
  const verifier = withFeed(true, { fetch: counted.fetch, timeoutMs: 3_000 });
  const ready = verifier.ready();
  await soon(async () => (counted.asked[FEED] ?? 0) > 1, 'it tries again', 10_000);
  counted.instead = null;
  await ready;
  const unknown = withFeed(true, { secretKey: `svc_sk_live_${'x'.repeat(32)}` });
  const error = await refused(unknown.ready());
  assert.instance(error, ServiceError);
  assert.is(error.code, 'unauthorized');
  const away = () => withFeed(true, { fetch: down as never, timeoutMs: 3_000 });
  assert.is((await refused(away().ready({ signal: AbortSignal.timeout(300) }))).code, 'aborted');
  const closed = away();
  const waiting = refused(closed.ready());
  closed.close();
  assert.is((await waiting).code, 'aborted');
  await verifierOf(run, app).ready();
});

test('after close() nothing is read', async () => {
  const { fetch, asked } = countedFetch();
  const verifier = withFeed(true, { fetch });
  await verifier.ready();
  verifier.close();
  const before = asked[FEED];
  const token = await signIn();
  await logout(run, token);
  await new Promise(resume => setTimeout(resume, 1_200));
  assert.is(asked[FEED], before);
  assert.is(await codeOf(verifier.verify(token)), 'accepted', 'what was read last still counts');
  run.clock.advance(301_000);
  assert.is(await codeOf(verifier.verify(await signIn())), 'revocations_stale');
});

test('a cursor that the service does not know leads to the beginning', async () => {
  const [token, kept] = [await signIn(), await signIn()];
  await logout(run, kept);
  const counted = countedFetch();
  const verifier = withFeed(true, { fetch: counted.fetch });
  await verifier.ready();
  let refusals = 0;
  counted.instead = path => {
    if (path !== FEED || refusals++ > 0) return undefined;
    return Response.json({ error: { code: 'invalid_request', message: 'after: …' } }, { status: 400 });
  };
  await logout(run, token);
  await within(verifier, token, 'revoked');
  assert.is(await codeOf(verifier.verify(kept)), 'revoked');
  assert.ok(refusals > 1);
});

test('where too many wait, it reads without waiting', async () => {
  const token = await signIn();
  const counted = countedFetch();
  const paths: string[] = [];
  const fetching: typeof fetch = (input, init) => {
    const { search } = new URL(String(input));
    if (String(input).includes(FEED)) paths.push(search);
    if (search.includes('wait='))
      return Promise.resolve(
        Response.json(
          { error: { code: 'rate_limited', message: 'wait: …' } },
          { status: 429, headers: { 'retry-after': '1' } },
        ),
      );
    return counted.fetch(input, init);
  };
  const verifier = withFeed(true, { fetch: fetching });
  await verifier.ready();
  await logout(run, token);
  await within(verifier, token, 'revoked');
  assert.equal(
    paths.slice(0, 3).map(path => path.includes('wait=')),
    [false, true, false],
  );
});

test('many sign-outs cost few requests', async () => {
  const { fetch, asked } = countedFetch();
  const verifier = withFeed(true, { fetch });
  await verifier.ready();
  const began = performance.now();
  for (let n = 0; n < 40; n++) await logout(run, await signIn());
  const most = 3 + (performance.now() - began) / 500;
  assert.ok((asked[FEED] ?? 0) <= most, `${asked[FEED]} requests, at most ${most}`);
});

test.run();
