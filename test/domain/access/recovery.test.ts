/** Recovery codes, and the limits of the portal that are not about links and passkeys. */
import * as assert from 'uvu/assert';
import {
  INVITATIONS_PER_DAY,
  takeExport,
  takeInvitation,
  takePeople,
} from '../../../src/domain/access/limits.ts';
import { changeOperator } from '../../../src/domain/access/operators.ts';
import { newCodes, signInByCode } from '../../../src/domain/access/recovery.ts';
import { suite } from '../../support/suite.ts';
import { client, portalFor, refused } from './operated.ts';

const test = suite('operators: recovery and limits');
const portal = portalFor(test);
let addresses = 0;
const anywhere = () => client(`203.0.113.${++addresses}`);
const enter = (email: string, code: string, from = anywhere()) =>
  signInByCode(portal.deps, from, email, code);

test('wrong, unknown, of somebody else, of a disabled operator: one answer', async () => {
  const { deps } = portal;
  const cleo = await portal.operator('Cleo');
  const dan = await portal.operator('Dan');
  const [code = ''] = await newCodes(deps, cleo.signedIn);
  const [disabled = ''] = await newCodes(deps, dan.signedIn);
  await changeOperator(deps, dan.signedIn.operator.id, { disabled: true });
  const messages = new Set<string>();
  for (const [email, given] of [
    ['cleo@example.com', 'x'.repeat(20)],
    ['nobody@example.com', code],
    ['eva@example.com', ''],
    ['dan@example.com', disabled],
    ['cleo@example.com', code.toLowerCase() === code ? code.toUpperCase() : code.toLowerCase()],
  ] as const)
    messages.add((await refused('unauthorized', () => enter(email, given), email)).message);
  assert.is(messages.size, 1);
  assert.ok(await enter('cleo@example.com', code));
});

test('five wrong codes a person and ten an address in 15 minutes, known or unknown; a right one passes', async () => {
  const { deps, clock } = portal;
  const { signedIn } = await portal.operator('Fay');
  const [code = ''] = await newCodes(deps, signedIn);
  for (const email of ['fay@example.com', 'unknown@example.com']) {
    for (let n = 0; n < 5; n += 1)
      await refused('unauthorized', () => enter(email, 'wrong'), `${email} ${n}`);
    const { retryAfter } = await refused('rate_limited', () => enter(email.toUpperCase(), 'wrong'));
    assert.is(retryAfter, 15 * 60_000, email);
  }
  assert.ok(await enter('fay@example.com', code), 'strangers who tried shut out nobody');
  const from = anywhere();
  for (let n = 0; n < 10; n += 1)
    await refused('unauthorized', () => enter(`p${n}@example.com`, 'wrong', from));
  await refused('rate_limited', () => enter('p11@example.com', 'wrong', from));
  clock.time += 15 * 60_000;
  await refused('unauthorized', () => enter('fay@example.com', code, from), 'later, and used');
});

test('no code is stored as it is', async () => {
  const { deps } = portal;
  const { signedIn } = await portal.operator('Gil');
  let stored = '';
  const codes = await newCodes(
    {
      ...deps,
      store: Object.assign(Object.create(deps.store), {
        setRecoveryCodes: async (...given: unknown[]) => {
          stored = JSON.stringify(given);
        },
      }),
    },
    signedIn,
  );
  for (const code of codes) assert.not.ok(stored.includes(code));
});

test('invitations a team and day, exports an operator and hour, people a day: exact under a burst', async () => {
  const { deps, clock } = portal;
  const { signedIn } = await portal.operator('Hal');
  const passed = async (take: () => Promise<void>, count: number) =>
    (await Promise.allSettled(Array.from({ length: count }, take))).filter(
      ({ status }) => status === 'fulfilled',
    ).length;
  const invite = () => takeInvitation(deps, 'team_a');
  assert.is(await passed(invite, 10 * INVITATIONS_PER_DAY), 20);
  const { retryAfter = 0 } = await refused('rate_limited', invite);
  assert.is(await passed(() => takeInvitation(deps, 'team_b'), 1), 1);
  const budgets = { ...deps, settings: { limitExportsPerOperator: 10, limitPeoplePerOperatorDay: 5_000 } };
  const other = { ...signedIn, session: { ...signedIn.session, id: 'ses_other' } };
  let turn = 0;
  const take = () => takeExport(budgets, turn++ % 2 === 0 ? signedIn : other);
  assert.is(await passed(take, 100), 10);
  const page = (size: number) => () => takePeople(budgets, turn++ % 2 === 0 ? signedIn : other, size);
  assert.is(await passed(page(100), 60), 50, 'pages of 100, from two sessions');
  await refused('rate_limited', page(0));
  assert.is(
    await passed(
      () => takePeople(budgets, { ...signedIn, operator: { ...signedIn.operator, id: 'opr_b' } }, 1),
      1,
    ),
    1,
  );
  const off = { ...deps, settings: { limitExportsPerOperator: 0, limitPeoplePerOperatorDay: 0 } };
  await takePeople(off, signedIn, 10_000);
  await takeExport(off, signedIn);
  assert.is((await refused('rate_limited', take)).retryAfter, 60 * 60_000);
  clock.time += 60 * 60_000;
  assert.is(await passed(take, 1), 1);
  clock.time += retryAfter - 60 * 60_000;
  assert.is(await passed(invite, 1), 1);
});

test.run();
