/**
 * The client's log against the service's answers: whoever was touched since the last start and a growing sample of the
 * others. Everything that the database has settled has to show in every route; what was used or deleted is tried again.
 */
import type { Json } from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import { ask, type Context, isDone } from './context.ts';
import {
  enrolledProbe,
  goodTokens,
  isFree,
  isRevoked,
  learnedProbe,
  type Person,
  TOKEN_GOOD_MS,
} from './person.ts';
import { askMatch, askPage, askServer, challenge, showFace, useCode } from './visits.ts';

const AT_ONCE = 16;
/** Used challenges that are tried again after each start. */
const REPLAYS = 10;
/** Four wrong codes do not lock anybody out. */
const WRONG_CODES = 3;

export async function compareAnswers(context: Context): Promise<number> {
  const people = chosen(context);
  // First, so that they are challenges that an earlier run of the service has used.
  await tryUsedChallenges(context);
  await inParallel(people, person => {
    if (person.standing === 'gone') return compareGone(context, person);
    return comparePresent(context, person);
  });
  await useLeftChallenges(context);
  return people.length;
}

function chosen(context: Context): Person[] {
  const known = context.people.filter(person => person.standing === 'gone' || isFree(person));
  const touched = known.filter(person => person.touched === context.cycle);
  const others = known.filter(person => person.touched !== context.cycle);
  const size = Math.min(others.length, 8 + Math.floor(context.cycle / 20));
  const sample = new Set(Array.from({ length: size }, () => others[context.chance(others.length)] as Person));
  return [...touched, ...sample];
}

async function comparePresent(context: Context, person: Person): Promise<void> {
  const { account, id } = person;
  const isTouched = person.touched === context.cycle;
  const user = await askServer(context, 'GET', `/v1/users/${id}`);
  same(context, person, 'GET /v1/users/:id', user?.json, { email: account.email, name: account.name });
  await compareTokens(context, person);
  // Each template by a face that no other one answers to. Some of those who were let alone.
  const newest = account.learned.slice(isTouched ? -3 : -1);
  for (const variant of newest) await showFace(context, person, learnedProbe(context.faces, person, variant));
  const enrolled = context.chance(person.descriptors);
  if (isTouched || newest.length === 0)
    await showFace(context, person, enrolledProbe(context.faces, person, enrolled));
  if (isTouched) await tryUsedCode(context, person);
  // Not always, so that codes are found good after several starts too.
  if (isTouched && context.chance(2) > 0) await useCode(context, person);
}

async function compareTokens(context: Context, person: Person): Promise<void> {
  const { account } = person;
  const good = goodTokens(person).at(-1);
  if (good) {
    const me = await ask(context, 'GET', '/v1/me', { headers: bearer(good.text) });
    same(context, person, 'GET /v1/me', me?.json?.user, {
      id: person.id,
      email: account.email,
      name: account.name,
      email_verified: account.verified,
    });
    const count = person.descriptors + account.learned.length;
    same(context, person, 'GET /v1/me', me?.json, { template_count: count });
  }
  const young = person.tokens.filter(({ at }) => Date.now() - at < TOKEN_GOOD_MS);
  const revoked = young.filter(token => isRevoked(account, token)).slice(-2);
  for (const { text } of revoked) {
    const verified = await askServer(context, 'POST', '/v1/tokens/verify', { token: text });
    const me = await ask(context, 'GET', '/v1/me', { headers: bearer(text) });
    const codes = [verified?.json?.reason, me?.json?.error?.code].join(' ');
    if (verified && me && codes !== 'revoked token_revoked')
      context.findings.add('returned', `a revoked token of ${person.id}: ${verified.text} ${me.text}`);
  }
}

async function compareGone(context: Context, person: Person): Promise<void> {
  const user = await askServer(context, 'GET', `/v1/users/${person.id}`);
  if (user && user.status !== 404) context.findings.add('returned', `deleted, and yet ${user.text}`);
  const token = goodTokens(person).at(-1)?.text;
  if (token) {
    const verified = await askServer(context, 'POST', '/v1/tokens/verify', { token });
    if (verified && verified.json?.valid !== false)
      context.findings.add('returned', `a token of the deleted ${person.id}: ${verified.text}`);
  }
  const id = await challenge(context);
  if (id === null) return;
  const match = await askMatch(context, id, enrolledProbe(context.faces, person, 0));
  if (match?.status === 200)
    context.findings.add('returned', `the face of the deleted ${person.id}: ${match.text}`);
  else isDone(context, 'no_match', match, 401);
}

async function tryUsedCode(context: Context, person: Person): Promise<void> {
  const used = person.usedCodes.at(-1);
  if (!used || used.email !== person.account.email || person.wrongCodes >= WRONG_CODES) return;
  person.wrongCodes += 1;
  const answer = await askPage(context, '/v1/email-codes/verify', { email: used.email, code: used.digits });
  if (answer && answer.json?.error?.code !== 'invalid_code')
    context.findings.add('returned', `the used code ${used.digits} of ${used.email}: ${answer.text}`);
}

async function tryUsedChallenges(context: Context): Promise<void> {
  const person = context.people.findLast(isFree);
  if (!person) return;
  const descriptors = [enrolledProbe(context.faces, person, 0)];
  await inParallel(context.used.slice(-REPLAYS), async ({ id }) => {
    const answer = await askPage(context, '/v1/match', { challenge_id: id, descriptors });
    if (answer && answer.json?.error?.code !== 'challenge_invalid')
      context.findings.add('returned', `the used challenge ${id}: ${answer.text}`);
  });
}

/** One just issued may be lost; else it is good, once. */
async function useLeftChallenges(context: Context): Promise<void> {
  const left = context.left.filter(({ at }) => Date.now() - at < 50_000);
  context.left = [];
  await inParallel(left, async ({ id }) => {
    const answer = await askMatch(context, id, context.faces.stranger(context.cycle));
    if (answer?.json?.error?.code === 'challenge_invalid') context.total.lostChallenges += 1;
    else isDone(context, 'no_match', answer, 401);
  });
}

/** Wants these fields in an answer that came. */
function same(
  context: Context,
  person: Person,
  what: string,
  found: Json,
  wanted: Record<string, unknown>,
): void {
  if (context.isOver()) return;
  for (const [field, value] of Object.entries(wanted))
    if (found?.[field] !== value)
      context.findings.add('lost', `${what} of ${person.id}: ${field} is ${found?.[field]}, not ${value}`);
}

export async function inParallel<Item>(
  items: readonly Item[],
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await task(item);
    }),
  );
}
