/**
 * Which scope each verb names that writes. On SQLite it changes nothing, so that no other test would notice a scope that is
 * too small; an engine with several writers locks by it.
 */
import * as assert from 'uvu/assert';
import { type Driver, writeOneBy } from '../../src/adapters/sql/driver.ts';
import {
  NEW_ROWS,
  OPERATORS,
  ofApp,
  ofGalleries,
  ofGallery,
  ofUser,
  ROWS,
  type Scope,
  SERVICE,
} from '../../src/adapters/sql/scope.ts';
import { storeOn } from '../../src/adapters/sql/store.ts';
import { openContext } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { SIGNING_KEYS, type Store } from '../../src/ports/store.ts';
import { contractOn } from '../contract/engine.ts';
import {
  appRecord,
  challenges,
  enrolled,
  FIRST,
  failedMatch,
  LIVE,
  NOW,
  newKey,
  OTHER,
  signIn,
  signingKey,
  signOut,
  TOKEN,
  UNLIMITED,
} from '../contract/fixtures.ts';
import { locationAt, sqliteEngine } from '../contract/sqlite-engine.ts';
import { newWebhook } from '../contract/webhooks.ts';
import { closing } from '../support/closing.ts';
import type { Suite } from '../support/suite.ts';

const ORIGIN = { ip: '192.0.2.1', userAgent: 'Browser', liveness: undefined };
const USER = ofUser(LIVE, 'usr_1');
const WINDOWS = ['b', 'a', 'b'].map(key => ({ key, limit: 1, length: 1, appId: FIRST }));
const LOCKOUT = { key: 'lock', limit: 5, length: 1_000 };
const CODE = { gallery: LIVE, userId: 'usr_1', id: 'code', hash: 'h', expiresAt: NOW + 1 };
const ATTEMPT = {
  gallery: LIVE,
  userId: 'usr_1',
  hash: 'h',
  at: NOW,
  lockout: LOCKOUT,
  origin: ORIGIN,
  token: TOKEN,
  issuedAt: NOW,
};

const LINK = {
  ...{ id: 'lnk_1', hash: 'h', email: null, operatorId: null, teamId: null, role: null, makesAdmin: true },
  ...{ madeBy: 'command line', createdAt: NOW, expiresAt: NOW + 1 },
};
const REDEEMING = {
  ...{ hash: 'h', now: NOW, signedIn: null, newId: 'opr_1', name: 'Ada', email: 'ada@example.com' },
};
const ENTRY = {
  ...{ at: NOW, actor: 'somebody', actorId: null, action: 'app.change', target: null, teamId: null },
  ...{ appId: null, ip: null, session: null, outcome: 'ok' },
};

const TABLE: readonly (readonly [verb: string, scope: Scope, call: (store: Store) => Promise<unknown>])[] = [
  ['createApp', SERVICE, store => store.createApp(appRecord('app_new'))],
  ['createApp', SERVICE, store => store.createApp(appRecord('app_first'), [])],
  ['updateApp', ofApp(FIRST), store => store.updateApp(FIRST, { name: 'Other' })],
  ['createKey', ofApp(FIRST), store => store.createKey(newKey('key_1'), 9)],
  ['updateKey', ROWS, store => store.updateKey('key_1', { revokedAt: NOW })],
  ['deleteApp', ofApp('app_none'), store => store.deleteApp('app_none', NOW)],
  ['addChallenge', NEW_ROWS, store => challenges(store, 1)],
  ['consumeChallenge', ROWS, store => store.consumeChallenge('ch', LIVE, NOW)],
  ['enrol', ofGallery(LIVE), store => enrolled(store)],
  ['recordSignIn', ofGallery(LIVE), store => store.recordSignIn(signIn(1, 'ch'))],
  ['recordFailedMatch', ofGallery(LIVE), store => store.recordFailedMatch(failedMatch())],
  ['takeWindows', ROWS, store => store.takeWindows(WINDOWS, NOW)],
  ['putCode', USER, store => store.putCode(CODE)],
  ['putCode', USER, store => store.putCode({ ...CODE, email: 'a@example.com', lockoutKey: 'l' })],
  ['retireCode', ROWS, store => store.retireCode('code')],
  ['useCode', ofGallery(LIVE), store => store.useCode({ ...ATTEMPT, auth: UNLIMITED })],
  ['useCode', ofGallery(LIVE), store => store.useCode({ ...ATTEMPT, userId: null, auth: UNLIMITED })],
  ['confirmEmailChange', ofGallery(LIVE), store => store.confirmEmailChange(ATTEMPT)],
  ['updateUser', USER, store => store.updateUser(LIVE, 'usr_1', { faceConfirmedAt: NOW, issuedAt: NOW })],
  ['updateUser', USER, store => store.updateUser(LIVE, 'usr_1', { name: 'Name' })],
  [
    'recordFailedAdd',
    ofGallery(LIVE),
    store => store.recordFailedAdd({ ...ATTEMPT, failures: [], refused: null }),
  ],
  ['addSigningKey', SERVICE, store => store.addSigningKey(signingKey('one'), null)],
  ['revokeToken', USER, store => signOut(store, 'jti', NOW)],
  ['nameEncoder', ofGallery(LIVE), store => store.nameEncoder(LIVE, 'one')],
  ['resetEncoder', ofGallery(LIVE), store => store.resetEncoder(LIVE, null)],
  ['resetEncoder with its templates', ofGallery(LIVE), store => store.resetEncoder(LIVE, null, { at: NOW })],
  ['beginRekey', ofApp(FIRST), store => store.beginRekey(FIRST)],
  ['beginRekey', SERVICE, store => store.beginRekey(SIGNING_KEYS)],
  [
    'deleteUsers',
    ofGalleries([LIVE, OTHER]),
    store =>
      store.deleteUsers(
        [OTHER, LIVE, OTHER].map(gallery => ({ gallery, id: 'usr_1' })),
        NOW,
      ),
  ],
  ['createWebhook', ofGallery(LIVE), store => store.createWebhook(newWebhook('wh_1'), 9)],
  ['updateWebhook', ofGallery(LIVE), store => store.updateWebhook('wh_1', { events: ['*'] })],
  ['recordDeliveries', ROWS, store => store.recordDeliveries([], new Map(), NOW)],
  ['replayWebhook', ROWS, store => store.replayWebhook('wh_1', { since: 0 }, NOW)],
  ['createLink', OPERATORS, store => store.createLink(LINK)],
  ['redeemLink', OPERATORS, store => store.redeemLink(REDEEMING)],
  ['withdrawInvitation', OPERATORS, store => store.withdrawInvitation('team_x', 'lnk_1')],
  ['updateOperator', OPERATORS, store => store.updateOperator('opr_1', { disabledAt: NOW })],
  ['setMember', OPERATORS, store => store.setMember('team_x', 'opr_1', 'viewer', NOW)],
  ['setMember to none', OPERATORS, store => store.setMember('team_x', 'opr_1', null, NOW)],
  ['setRecoveryCodes', OPERATORS, store => store.setRecoveryCodes('opr_1', [], NOW)],
  ['useRecoveryCode', ROWS, store => store.useRecoveryCode('opr_1', 'h')],
  [
    'useCeremony',
    ROWS,
    store =>
      store.useCeremony({
        browser: 'b',
        challenge: 'c',
        purpose: 'sign-in',
        operatorId: null,
        expiresAt: NOW,
      }),
  ],
  ['updateTeam', ROWS, store => store.updateTeam('team_x', { name: 'X' })],
  ['updateTeam to none', SERVICE, store => store.updateTeam('team_x', null)],
  ['appendAudit', OPERATORS, store => store.appendAudit(ENTRY)],
  ['prune audit', OPERATORS, store => store.prune('audit', NOW, 1)],
  ['prune outbox', ROWS, store => store.prune('outbox', NOW, 1)],
  ['prune events', ROWS, store => store.prune('events', NOW, 1)],
  ['prune erasures', SERVICE, store => store.prune('erasures', 0, 1)],
  ['recordJobRun', ROWS, store => store.recordJobRun('job', NOW)],
];

export function scopes(test: Suite): void {
  const check = contractOn(test, sqliteEngine);

  check('each verb names what it locks, on an engine that has several writers', async ({ db }) => {
    const named: Scope[] = [];
    const context = await openContext(locationAt(db.address), systemRandom());
    const write: Driver['write'] = (scope, work) => {
      named.push(scope);
      return context.driver.write(scope, work);
    };
    const recording: Driver = { ...context.driver, write, writeOne: writeOneBy(write) };
    await using store = closing(storeOn({ ...context, driver: recording }));
    for (const [verb, scope, call] of TABLE) {
      named.length = 0;
      await call(store);
      assert.equal(named[0], scope, verb);
    }
  });

  check('who reads what an app is told waits until it is durable', async ({ db }) => {
    const context = await openContext(locationAt(db.address), systemRandom());
    const settled = async () => {
      throw new Error('not durable');
    };
    await using store = closing(storeOn({ ...context, driver: { ...context.driver, settled } }));
    for (const read of [
      () => store.outboxState(LIVE),
      () => store.outboxEvents(LIVE, 0, 9),
      () => store.outboxEvent(LIVE, 'evt_1'),
      () => store.revocations(LIVE, null, NOW),
    ])
      assert.is(await read().then(String, error => error.message), 'not durable');
  });

  check('who locks several does it in one order, whatever the order in which they were given', async () => {
    assert.equal(ofGalleries([LIVE, OTHER, LIVE]), ofGalleries([OTHER, LIVE]));
  });
}
