/** The life of a code: pending until it is used, wrong five times, ten minutes old, replaced, or without its user. */

import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { type Answer, assertError, enrolled, faces, type Mode, match, someEmail } from '../support/client.ts';
import {
  failCodes,
  freshCode,
  member,
  requestCode,
  signedIn,
  verifyCode,
  wrongCode,
} from '../support/codes.ts';
import { changeCode, confirmChange } from '../support/me.ts';
import { inFileOnly } from '../support/on-postgres.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
const test = suite('email-codes: states');
const inFile = inFileOnly(test);
const run = serviceFor(test);

const refused = (answer: Answer, note = '') => assertError(answer, 'invalid_code', note);

/** A pending code that has had `wrongs` wrong attempts, of a user whose failure window has just begun anew. */
async function nearlyDead(app: TestApp, wrongs: number, mode: Mode = 'live') {
  const { id, email } = await member(run, app, { mode });
  await failCodes(run, app, email, 5 - wrongs, { mode });
  run.clock.advance(14 * MINUTE);
  const code = await freshCode(run, app, email, { mode });
  await failCodes(run, app, email, wrongs, { mode, right: code });
  run.clock.advance(MINUTE);
  return { id, email, code };
}

interface Kind {
  readonly lifetime: number;
  /** Somebody who may have codes of this kind. */
  readonly of: (mode: Mode) => Promise<{
    readonly fresh: () => Promise<string>;
    readonly use: (code: string) => Promise<Answer>;
  }>;
}
const KINDS: Record<string, Kind> = {
  'to sign in': {
    lifetime: 10 * MINUTE,
    of: async mode => {
      const app = await run.createApp();
      const { email } = await member(run, app, { mode });
      const fresh = () => freshCode(run, app, email, { mode });
      return { fresh, use: code => verifyCode(run, app, email, code, { mode }) };
    },
  },
  'of a new address': {
    lifetime: 15 * MINUTE,
    of: async mode => {
      const { token } = await enrolled(run, await run.createApp(), { mode });
      const fresh = () => changeCode(run, token, someEmail(), mode);
      return { fresh, use: code => confirmChange(run, token, code) };
    },
  },
};
for (const [what, { lifetime, of }] of Object.entries(KINDS))
  for (const mode of ['live', 'test'] as const) {
    test(`a code ${what} works once, also after four wrong attempts (${mode})`, async () => {
      const { fresh, use } = await of(mode);
      const code = await fresh();
      for (let n = 0; n < 4; n++) refused(await use(wrongCode(code, n)));
      assert.is((await use(code)).status, 200);
      refused(await use(code));
    });

    test(`a code ${what} works until a millisecond before its end, and not at it (${mode})`, async () => {
      for (const isLate of [false, true]) {
        const { fresh, use } = await of(mode);
        const code = await fresh();
        run.clock.advance(isLate ? lifetime : lifetime - 1);
        const answer = await use(code);
        if (isLate) refused(answer);
        else assert.is(answer.status, 200, answer.text);
      }
    });
  }

for (const [what, { lifetime, of }] of Object.entries(KINDS))
  test(`a newer code ${what} retires the older ones; the answer to any that is not good is one`, async () => {
    const { fresh, use } = await of('live');
    const texts = [(await use('123456')).text];
    const older = [await fresh(), await fresh()];
    const code = await fresh();
    for (const old of older.filter(one => one !== code)) texts.push((await use(old)).text);
    assert.is((await use(code)).status, 200);
    texts.push((await use(code)).text);
    const late = await fresh();
    run.clock.advance(lifetime);
    texts.push((await use(late)).text);
    assert.is(new Set(texts).size, 1, texts.join('\n'));
    assert.match(texts[0] ?? '', /"invalid_code"/);
  });

for (const mode of ['live', 'test'] as const) {
  test(`the fifth wrong attempt kills a code, whatever window it falls in (${mode})`, async () => {
    const app = await run.createApp();
    const { email, code } = await nearlyDead(app, 4, mode);
    refused(await verifyCode(run, app, email, wrongCode(code, 9), { mode }), 'the fifth');
    refused(await verifyCode(run, app, email, code, { mode }), 'the right one afterwards');
    await signedIn(run, app, email, await freshCode(run, app, email, { mode }), { mode });
  });

  test(`in the next window a code with four wrong attempts still works (${mode})`, async () => {
    const app = await run.createApp();
    const { email, code } = await nearlyDead(app, 4, mode);
    await signedIn(run, app, email, code, { mode });
  });
}

test('a code of the wrong form is no attempt', async () => {
  const app = await run.createApp();
  const { email, code } = await nearlyDead(app, 4);
  for (const odd of ['12345', '', '1234567', null, 'abcdef'])
    assertError(await verifyCode(run, app, email, odd), 'invalid_request');
  await signedIn(run, app, email, code);
});

test('a failed match near the user is no attempt at the code', async () => {
  const app = await run.createApp();
  const { email, code } = await nearlyDead(app, 4);
  assertError(await match(run, app, { descriptors: [faces.atDistance(0, 0.37)] }), 'no_match');
  await signedIn(run, app, email, code);
});

test("a user's code is wrong for another user", async () => {
  const app = await run.createApp();
  const [one, two] = [await member(run, app), await member(run, app, { face: 1 })];
  const code = await freshCode(run, app, one.email);
  const theirs = await freshCode(run, app, two.email);
  if (code !== theirs) refused(await verifyCode(run, app, two.email, code));
  refused(await verifyCode(run, app, 'nobody@example.com', code));
  assert.is((await signedIn(run, app, one.email, code)).user.id, one.id);
  assert.is((await signedIn(run, app, two.email, theirs)).user.id, two.id);
});

test('a code asked for before somebody enrolled with the address does not exist', async () => {
  const app = await run.createApp();
  const email = 'later@example.com';
  assert.is((await requestCode(run, app, email, { mode: 'test' })).status, 202);
  await member(run, app, { mode: 'test', email });
  refused(await verifyCode(run, app, email, '000000', { mode: 'test' }));
});

inFile('a code is kept as a keyed hash only', async () => {
  const app = await run.createApp();
  const { id, email } = await member(run, app);
  let code = '';
  // Small numbers might be found as counts of something else.
  while (Number(code) < 100_000) code = await freshCode(run, app, email);
  const tables = run.rows("SELECT name FROM sqlite_master WHERE type = 'table'").map(row => row.name);
  const cells = tables.flatMap(name =>
    run.rows(`SELECT * FROM "${name}"`).flatMap(row => Object.values(row)),
  );
  assert.ok(cells.includes(id), 'the user is found');
  const plain = ['sha256', 'sha512', 'sha1', 'md5'].flatMap(name =>
    [code, `${email}${code}`, `${email}:${code}`, `${id}${code}`, `${id}:${code}`].map(text =>
      createHash(name).update(text).digest(),
    ),
  );
  const forms = [code, Buffer.from(code), ...plain].flatMap(one =>
    typeof one === 'string'
      ? [one]
      : [one.toString('hex'), one.toString('base64'), one.toString('base64url')],
  );

  for (const cell of cells) {
    assert.is.not(cell, Number(code));
    const text = Buffer.isBuffer(cell) ? cell.toString('hex') : String(cell);
    for (const form of forms) assert.not.equal(text, form);
  }
  await signedIn(run, app, email, code);
});

test.run();
