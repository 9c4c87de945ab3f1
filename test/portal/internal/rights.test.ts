/**
 * Every role and every route that needs a right: the outcome is that of the table of rights, with and without a recent
 * step-up. Made from both tables.
 */
import * as assert from 'uvu/assert';
import { OPERATIONS } from '../../../src/operations/index.ts';
import type { Right as RightNeeds } from '../../../src/operations/table/needs.ts';
import type { Operation } from '../../../src/operations/table/operation.ts';
import { MINUTE } from '../../../src/protocol/limits.ts';
import { MODES, type Mode } from '../../../src/protocol/mode.ts';
import { type Action, RANKS, type Rank, RIGHTS, type Right } from '../../../src/protocol/portal/roles.ts';
import { ask, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { type Place, wellFormed } from './requests.ts';
import { placeIn, stateOf } from './setup.ts';

const test = suite('internal: rights');
const run = serviceFor(test);
const operators = operatorsFor(test, run);

const rightRoutes = OPERATIONS.filter(
  (route): route is Operation & { needs: RightNeeds } =>
    route.needs.who === 'right' && route.needs.scope !== 'listing',
);

/** The action that the request of requests.ts needs. */
const CHOSEN: Readonly<Record<string, (mode: Mode) => Action>> = {
  createApp: () => 'app.create',
  changeApp: () => 'app.rename',
  makeKey: mode => (mode === 'test' ? 'key.test' : 'key.live.secret'),
  rollKey: mode => (mode === 'test' ? 'key.test' : 'key.live.secret'),
  revokeKey: mode => (mode === 'test' ? 'key.test' : 'key.live.revoke'),
};

function expected(action: Action, rank: Rank, scope: RightNeeds['scope'], mode: Mode, isFresh: boolean) {
  const right: Right = scope === 'installation' && rank !== 'admin' ? 'no' : RIGHTS[action][rank];
  const isTest = scope === 'gallery' && mode === 'test';
  if (right === 'no' || (right === 'test' && !isTest)) return 'forbidden';
  if (!isFresh && (right === 'step-up' || (right === 'step-up-live' && !isTest))) return 'step_up_required';
  return 'allowed';
}

async function sessionOf(rank: Rank, place: Place): Promise<Session> {
  return operators.create(
    rank === 'admin' ? { isAdmin: true } : { teams: { [place.team]: rank }, name: rank },
  );
}

for (const rank of RANKS) {
  for (const isFresh of [false, true]) {
    test(`${rank}, ${isFresh ? 'just signed in' : 'signed in some time ago'}`, async () => {
      const place = await placeIn(operators, `Of ${rank}`);
      const session = await sessionOf(rank, place);
      if (!isFresh) run.clock.advance(5 * MINUTE);
      for (const route of rightRoutes) {
        const { needs, id, method } = route;
        const modes = needs.scope === 'gallery' || CHOSEN[id] ? MODES : (['live'] as const);
        for (const mode of modes) {
          const action = CHOSEN[id]?.(mode) ?? needs.actions[0];
          const wanted = expected(action, rank, needs.scope, mode, isFresh);
          const { path, json } = wellFormed(route, place, mode);
          const before = wanted === 'allowed' ? '' : stateOf(run);
          const answer = await ask(run, method, path, { json, as: session });
          const at = `${method} ${path} ${JSON.stringify(json)} as ${rank} → ${answer.text.slice(0, 200)}`;
          const code = answer.json?.error?.code;
          if (wanted === 'allowed') assert.ok(![401, 403].includes(answer.status), at);
          else {
            assert.is(answer.status, 403, at);
            assert.is(code, wanted, at);
            if (wanted === 'forbidden') assert.match(answer.json.error.message, /Needed: admin/, at);
            assert.is(stateOf(run), before, at);
          }
        }
      }
    });
  }
}

test('every action of the table is asked by a route', () => {
  const asked = new Set(rightRoutes.flatMap(({ needs }) => needs.actions));
  const missing = (Object.keys(RIGHTS) as Action[]).filter(action => !asked.has(action));
  assert.equal(missing, []);
});

test.run();
