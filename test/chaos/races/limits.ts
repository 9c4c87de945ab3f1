/**
 * The limits of the specification that count something, as data: of a burst of ten times as many exactly so many get
 * through. Here those of days and months; the shorter ones are in limit-bursts.ts.
 */
import { faces, someEmail, usage } from '../../support/client.ts';
import { freshCode, VERIFY_PATH } from '../../support/codes.ts';
import {
  address,
  codeRequest,
  idleMatch,
  type Limit,
  manyChallenges,
  newMember,
  PER_MINUTE,
  PER_QUARTER_AND_HOUR,
} from './limit-bursts.ts';
import { count, differs, enrollRequest, kinds, matchRequest, pageRequest, times } from './setup.ts';

/** A plan of so many auths a month, for bursts that are small. */
export const TINY_PLAN = { tiny: 30 };

const PER_DAY: readonly Limit[] = [
  {
    name: 'live code requests of one app in a day (free plan)',
    limit: 50,
    fine: ['202'],
    async burst({ run }, limit) {
      const app = await run.createApp({ plan: 'free' });
      return { requests: times(10 * limit, () => codeRequest(app, 'live')) };
    },
  },
  {
    name: 'test enrolls of one app in a day (and 100 test users at once)',
    limit: 200,
    fine: ['201', '403 test_limit_reached'],
    wide: true,
    every: 10,
    async burst({ run }, limit) {
      const app = await run.createApp();
      const ids = await manyChallenges(run, app, 'test', 10 * limit);
      return {
        requests: ids.map((id, n) => enrollRequest(app, 'test', id, faces.genuine(n), someEmail())),
        after: replies => [
          ...differs('enrolled', kinds(replies)['201'], 100),
          ...differs('users', count(run, 'users', 'app_id = ?', app.id), 100),
        ],
      };
    },
  },
  {
    name: 'test matches of one app in a day',
    limit: 1_000,
    fine: ['400 challenge_invalid'],
    wide: true,
    every: 20,
    async burst({ run }, limit) {
      const app = await run.createApp();
      return { requests: times(10 * limit, () => idleMatch(app, 'test')) };
    },
  },
  {
    name: 'test code requests of one app in a day',
    limit: 200,
    fine: ['202'],
    wide: true,
    every: 10,
    async burst({ run }, limit) {
      const app = await run.createApp();
      return { requests: times(10 * limit, () => codeRequest(app, 'test')) };
    },
  },
];

const PER_MONTH: readonly Limit[] = [
  {
    name: 'auths of a plan of 30: match, enroll, code',
    limit: 30,
    fine: ['200', '201', '401 no_match', '409 face_already_enrolled'],
    refused: '429 plan_limit_reached',
    async burst({ run }, limit) {
      const app = await run.createApp({ plan: 'tiny' });
      const signIns: object[] = [];
      const members = 5;
      for (let person = 0; person < members; person++) {
        const { email } = (await newMember(run, app, 'live', person)).user;
        signIns.push({ email, code: await freshCode(run, app, email, { ip: address() }) });
      }
      const ids = await manyChallenges(run, app, 'live', 10 * limit);
      const requests = ids.map((id, n) => {
        const ip = address();
        const signIn = signIns[n / 10];
        if (signIn) return pageRequest(app, 'live', VERIFY_PATH, signIn, ip);
        if (n % 4 === 0) return matchRequest(app, 'live', id, faces.genuine(n % members, n), ip);
        if (n % 4 === 1) return matchRequest(app, 'live', id, faces.stranger(n), ip);
        return enrollRequest(app, 'live', id, faces.genuine(n % 4 === 2 ? n : n % members), someEmail(), ip);
      });
      return {
        requests,
        spent: members,
        after: replies => [
          ...differs('auths', usage(run, app).auths, limit),
          ...differs(
            'reported as used',
            [...new Set(replies.map(({ json }) => json?.error?.used ?? limit))],
            [limit],
          ),
        ],
      };
    },
  },
  {
    name: 'auths of the free plan of 1,000: match',
    limit: 1_000,
    fine: ['200'],
    refused: '429 plan_limit_reached',
    wide: true,
    every: 50,
    async burst({ run }, limit) {
      const app = await run.createApp({ plan: 'free' });
      await newMember(run, app, 'live');
      const ids = await manyChallenges(run, app, 'live', 10 * limit);
      const face = faces.genuine(0, 1);
      return {
        requests: ids.map(id => matchRequest(app, 'live', id, face)),
        spent: 1,
        after: () => differs('auths', usage(run, app).auths, limit),
      };
    },
  },
];

export const LIMITS: readonly Limit[] = [...PER_MINUTE, ...PER_QUARTER_AND_HOUR, ...PER_DAY, ...PER_MONTH];
