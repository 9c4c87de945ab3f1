/** What every middleware of the server SDK has to do, asked of a small app of each framework over real HTTP. */
import * as assert from 'uvu/assert';
import type { GuardOptions } from '../../src/sdk/server/guard.ts';
import type { Verifier } from '../../src/sdk/server/index.ts';
import { decoded, enrolled, faces, match } from '../support/client.ts';
import { closing } from '../support/closing.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import type { Suite } from '../support/suite.ts';
import { countedFetch, down, foreign, verifierOf } from './server-support.ts';

/**
 * An app with one route, `/me`, behind the middleware: answers `{sub}` of the claims, null for nobody. It asserts that
 * nothing behind the middleware runs after a refusal by answering 200 alone.
 */
export type Serve = (verifier: Verifier, options?: GuardOptions) => Promise<Served>;
export interface Served {
  ask(headers: Record<string, string>): Promise<Response>;
  close(): Promise<unknown>;
}

const AT_ONCE = 200;

/** Adds the tests to the suite. */
export function testApps(test: Suite, serve: Serve): void {
  let run: Running;
  let app: TestApp;
  const signIn = async (person: number): Promise<string> =>
    (await match(run, app, { descriptors: [faces.genuine(person)] })).json.token;
  test.before(async () => {
    run = await startService();
    app = await run.createApp();
    for (let person = 0; person < 4; person++)
      await enrolled(run, app, { descriptors: [faces.genuine(person)] });
  });
  test.after(() => run?.close());

  async function through(
    verifier: Verifier,
    options: GuardOptions | undefined,
    work: (ask: (token?: string) => Promise<Response>, served: Served) => Promise<void>,
  ): Promise<void> {
    await using served = closing(await serve(verifier, options));
    await work(token => served.ask(token === undefined ? {} : { authorization: `Bearer ${token}` }), served);
  }

  async function assertRefused(response: Response, status: number, code: string): Promise<void> {
    assert.is(response.status, status);
    assert.match(String(response.headers.get('content-type')), /^application\/json\b/);
    assert.is(response.headers.get('cache-control'), 'no-store');
    assert.equal(Object.keys(await response.clone().json()), ['error']);
    assert.is((await response.json()).error.code, code);
    if (status === 401) assert.match(String(response.headers.get('www-authenticate')), /^Bearer\b/);
    if (status === 503) assert.match(String(response.headers.get('retry-after')), /^\d+$/);
  }

  test('a good token passes with its claims; none, and a bad one, are refused', async () => {
    const token = await signIn(0);
    await through(verifierOf(run, app), undefined, async ask => {
      const good = await ask(token);
      assert.equal([good.status, await good.json()], [200, { sub: decoded(token).claims.sub }]);
      await assertRefused(await ask(), 401, 'unauthorized');
      await assertRefused(await ask('nonsense'), 401, 'unauthorized');
      await assertRefused(await ask(await foreign(token, decoded(token).header.kid)), 401, 'unauthorized');
    });
  });

  test('an outage is 503, and its cause goes to onRefused alone', async () => {
    const counted = countedFetch();
    counted.instead = down;
    const reported: string[] = [];
    const verifier = verifierOf(run, app, 'live', { fetch: counted.fetch, timeoutMs: 200 });
    const token = await signIn(0);
    await through(verifier, { onRefused: ({ code }) => void reported.push(code) }, async ask => {
      const response = await ask(token);
      assert.not.match(await response.clone().text(), /fetch|keys/);
      await assertRefused(response, 503, 'service_unavailable');
    });
    assert.equal(reported, ['keys_unavailable']);
  });

  test('a cookie passes where it is asked for, and only there', async () => {
    const token = await signIn(0);
    await through(verifierOf(run, app), { cookie: 'session' }, async (_, served) =>
      assert.is((await served.ask({ cookie: `a=b; session=${token}` })).status, 200),
    );
    await through(verifierOf(run, app), undefined, async (_, served) =>
      assertRefused(await served.ask({ cookie: `session=${token}` }), 401, 'unauthorized'),
    );
  });

  test(`${AT_ONCE} requests at once of four people and of nobody: everybody gets what is his`, async () => {
    const tokens = await Promise.all([0, 1, 2, 3].map(signIn));
    const counted = countedFetch();
    await through(verifierOf(run, app, 'live', { fetch: counted.fetch }), { optional: true }, async ask => {
      const wrong = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, n) => {
          const token = tokens[n % 5];
          const { sub } = (await (await ask(token)).json()) as { sub: string | null };
          return sub === (token ? decoded(token).claims.sub : null);
        }),
      );
      assert.equal(new Set(wrong), new Set([true]));
    });
    assert.is(Object.values(counted.asked).join(), '1', 'one fetch of the keys');
  });
}

/** Speaks to a server that listens. */
export function client(base: string, close: () => Promise<unknown>): Served {
  return { ask: headers => fetch(`${base}/me`, { headers }), close };
}
