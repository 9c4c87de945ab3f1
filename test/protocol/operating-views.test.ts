/** What operators are shown: exactly the fields of the contract, whatever else a record holds. */
import * as assert from 'uvu/assert';
import {
  appNumbersView,
  appView,
  dayView,
  eventView,
  jobView,
  signingKeyView,
  userView,
} from '../../src/operations/views.ts';
import { suite } from '../support/suite.ts';

const test = suite('operating: views');
const AT = Date.parse('2026-03-15T12:00:00.000Z');
const ISO = '2026-03-15T12:00:00.000Z';
const gallery = { appId: 'app_1', mode: 'live', sequence: 7 } as const;
const app = {
  ...{ id: 'app_1', name: 'Shop', allowedOrigins: ['https://a.example'], firstParty: true, plan: 'free' },
  ...{ createdAt: AT, teamId: 'team_1' },
};
const user = {
  ...{ id: 'usr_1', email: 'ada@example.com', name: 'Ada', emailVerified: true, faceInQuestion: false },
  ...{ createdAt: AT, lastSignInAt: null },
};
const event = {
  id: 'evt_1',
  gallery,
  userId: null,
  type: 'match',
  at: AT,
  ip: '192.0.2.1',
  userAgent: 'x',
  liveness: { score: 1 },
} as const;
/** Nothing of it may be shown. */
const more = { hash: 'HIDDEN', sealed: 'HIDDEN', nearUserId: 'HIDDEN' };

test('an app, its keys, a person, an event, a day, a signing key and a job', () => {
  const rows: [object, object][] = [
    [
      appView({ ...app, ...more }),
      {
        ...{
          id: 'app_1',
          team_id: 'team_1',
          name: 'Shop',
          allowed_origins: ['https://a.example'],
          first_party: true,
        },
        ...{ plan: 'free', created_at: ISO },
      },
    ],
    [
      userView({ gallery, user: { ...user, ...more }, templateCount: 3 }),
      {
        ...{ id: 'usr_1', email: 'ada@example.com', name: 'Ada', email_verified: true, created_at: ISO },
        ...{ last_sign_in_at: null, mode: 'live', template_count: 3 },
      },
    ],
    [
      eventView({ ...event, ...more }),
      {
        ...{ id: 'evt_1', app_id: 'app_1', mode: 'live', user_id: null, type: 'match', at: ISO },
        ...{ ip: '192.0.2.1', user_agent: 'x', liveness: { score: 1 } },
      },
    ],
    [
      dayView({ day: AT, mode: 'live', type: 'match', count: 2, ...more }),
      { day: '2026-03-15', mode: 'live', type: 'match', count: 2 },
    ],
  ];
  rows.push(
    [
      signingKeyView({ kid: 'k', status: 'next', createdAt: AT, ...more }),
      { kid: 'k', status: 'next', created_at: ISO },
    ],
    [
      jobView({ name: 'events', schedule: '* * * * *', lastRun: null, ...more }),
      { name: 'events', schedule: '* * * * *', last_run: null },
    ],
  );
  for (const [shown, wanted] of rows) assert.equal(shown, wanted);
});

test('numbers of an app: both modes, and the use of its plan to a tenth of a percent', () => {
  const none = { users: 0, templates: 0, auths: 0, enrolls: 0, matchesOk: 0, matchesFailed: 0 };
  const live = { users: 1, templates: 2, auths: 3, enrolls: 4, matchesOk: 5, matchesFailed: 6, ...more };
  const zero = { users: 0, templates: 0, auths: 0, enrolls: 0, matches_ok: 0, matches_failed: 0 };
  const shown = appNumbersView({ app, numbers: { live, test: none }, limit: 900, used: 100 / 3 });
  assert.equal(shown, {
    ...{ id: 'app_1', name: 'Shop', plan: 'free', monthly_auths: 900, plan_used_percent: 33.3 },
    live: { users: 1, templates: 2, auths: 3, enrolls: 4, matches_ok: 5, matches_failed: 6 },
    test: zero,
  });
  const unlimited = appNumbersView({ app, numbers: { live, test: none }, limit: null, used: null });
  assert.equal([unlimited.monthly_auths, unlimited.plan_used_percent], [null, null]);
});

test.run();
