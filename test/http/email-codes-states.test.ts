/** The life of a code: pending until it is used, wrong five times, ten minutes old, replaced, or without its user. */

import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { type Answer, assertError, faces, type Mode, match, usage } from '../support/client.ts';
import {
  failCodes,
  freshCode,
  member,
  requestCode,
  signedIn,
  verifyCode,
  wrongCode,
} from '../support/codes.ts';
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

for (const mode of ['live', 'test'] as const) {
  test(`a code works once (${mode})`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app, { mode });
    const code = await freshCode(run, app, email, { mode });
    await signedIn(run, app, email, code, { mode });
    refused(await verifyCode(run, app, email, code, { mode }));
    refused(await verifyCode(run, app, email.toUpperCase(), code, { mode }));
    assert.is(usage(run, app, mode).auths, 2, 'the enroll and one sign-in');
  });

  test(`a code works until a millisecond before its ten minutes are over (${mode})`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app, { mode });
    const code = await freshCode(run, app, email, { mode });
    run.clock.advance(10 * MINUTE - 1);
    await signedIn(run, app, email, code, { mode });
  });

  test(`a code is expired at exactly ten minutes (${mode})`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app, { mode });
    const code = await freshCode(run, app, email, { mode });
    run.clock.advance(10 * MINUTE);
    refused(await verifyCode(run, app, email, code, { mode }));
    assert.is(usage(run, app, mode).auths, 1);
  });

  test(`four wrong attempts leave a code alive (${mode})`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app, { mode });
    const code = await freshCode(run, app, email, { mode });
    await failCodes(run, app, email, 4, { mode, right: code });
    await signedIn(run, app, email, code, { mode });
  });

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

test('a new code retires the older one, and works itself', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  const older: string[] = [];
  for (let n = 0; n < 3; n++) older.push(await freshCode(run, app, email));
  const code = await freshCode(run, app, email);
  for (const old of older.filter(one => one !== code)) refused(await verifyCode(run, app, email, old));
  await signedIn(run, app, email, code);
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
