/** The version of what nodes remember: by it each of them notices what another one has changed. */
import * as assert from 'uvu/assert';
import { DAY } from '../../src/protocol/limits.ts';
import {
  appRecord,
  challenges,
  enrolled,
  FIRST,
  NOW,
  newKey,
  SECOND,
  signIn,
  signingKey,
} from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { nodesOn } from './given.ts';

export function versions(test: Suite): void {
  const check = nodesOn(test);

  check(
    'the version is raised in the transaction of each change of what nodes remember',
    async ({ db, store }) => {
      /** With the transaction that wrote it. */
      const version = async () => {
        const [row] = await db.rows<{ value: string; xmin: string }>(
          `SELECT value, CAST(xmin AS TEXT) AS xmin FROM meta WHERE name = 'version'`,
        );
        return { value: Number(row?.value), xmin: row?.xmin };
      };
      const rotated = (kid: string, now: number, revokeOld: boolean) =>
        store.addSigningKey(signingKey(kid, now), { now, keep: DAY, revokeOld });
      await store.createKey(newKey('key_1'), 9);
      await store.createKey(newKey('key_2'), 9);
      const changes: [what: string, act: () => Promise<unknown>, rows: string][] = [
        ['a new app', () => store.createApp(appRecord('app_third')), `apps WHERE id = 'app_third'`],
        [
          'other origins',
          () => store.updateApp(FIRST, { allowedOrigins: ['https://other.example'] }),
          `apps WHERE id = '${FIRST}'`,
        ],
        [
          'a first-party app',
          () => store.updateApp(FIRST, { firstParty: true }),
          `apps WHERE id = '${FIRST}'`,
        ],
        ['a revoked key', () => store.updateKey('key_1', { revokedAt: NOW }), `api_keys WHERE id = 'key_1'`],
        [
          'a key that ends',
          () => store.rollKey('key_2', newKey('key_3'), NOW + DAY, NOW),
          `api_keys WHERE id IN ('key_2', 'key_3')`,
        ],
        ['the first signing key', () => store.addSigningKey(signingKey('one'), null), 'signing_keys'],
        ['another signing key', () => rotated('two', NOW + DAY, false), 'signing_keys'],
        ['signing keys revoked', () => rotated('three', NOW + 2 * DAY, true), 'signing_keys'],
      ];
      for (const [what, act, rows] of changes) {
        const before = await version();
        await act();
        const after = await version();
        assert.ok(after.value > before.value, what);
        const written = await db.rows<{ xmin: string }>(`SELECT CAST(xmin AS TEXT) AS xmin FROM ${rows}`);
        assert.ok(written.length > 0, what);
        for (const { xmin } of written) assert.is(after.xmin, xmin, `${what}: in one transaction`);
      }
      const there = await version();
      await store.deleteApp(SECOND, NOW);
      assert.is((await version()).value - there.value, 2, 'once it is gone, and once its key is');

      const before = await version();
      const { number } = await enrolled(store);
      const [id = ''] = await challenges(store, 1);
      assert.is((await store.recordSignIn(signIn(number, id))).outcome, 'signed_in');
      await store.createApp(appRecord(FIRST)).catch(() => undefined);
      assert.equal(await version(), before, 'sign-ins, enrolments and what fails raise nothing');
    },
  );
}
