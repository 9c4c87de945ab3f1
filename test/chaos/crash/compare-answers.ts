/**
 * The client's log against the service's answers: whoever was touched since the last start and a growing sample of the
 * others. Everything that the database has settled has to show in every route; what was used or deleted is tried again.
 */
import { browser, type Json, server } from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import {
  enrolledProbe,
  goodTokens,
  isFree,
  isRevoked,
  learnedProbe,
  type Person,
  TOKEN_GOOD_MS,
} from './person.ts';
import { challenge, noteUse, showFace, useCode } from './visits.ts';
import { ask, outcomeOf, type World } from './world.ts';

const AT_ONCE = 16;
/** Used challenges that are tried again after each start. */
const REPLAYS = 10;
/** Four wrong codes do not lock anybody out. */
const WRONG_CODES = 3;

export async function compareAnswers(world: World): Promise<number> {
  const people = chosen(world);
  // First, so that they are challenges that an earlier run of the service has used.
  await tryUsedChallenges(world);
  await inParallel(people, person => {
    if (person.standing === 'gone') return compareGone(world, person);
    return comparePresent(world, person);
  });
  await useLeftChallenges(world);
  return people.length;
}

function chosen(world: World): Person[] {
  const known = world.people.filter(person => person.standing === 'gone' || isFree(person));
  const touched = known.filter(person => person.touched === world.cycle);
  const others = known.filter(person => person.touched !== world.cycle);
  const size = Math.min(others.length, 8 + Math.floor(world.cycle / 20));
  const sample = new Set(Array.from({ length: size }, () => others[world.chance(others.length)] as Person));
  return [...touched, ...sample];
}

async function comparePresent(world: World, person: Person): Promise<void> {
  const { account, id } = person;
  const isTouched = person.touched === world.cycle;
  const user = await ask(world, 'GET', `/v1/users/${id}`, { headers: server(world.app) });
  same(world, person, 'GET /v1/users/:id', user?.json, { email: account.email, name: account.name });
  await compareTokens(world, person);
  // Each template by a face that no other one answers to. Some of those who were let alone.
  const newest = account.learned.slice(isTouched ? -3 : -1);
  for (const variant of newest) await showFace(world, person, learnedProbe(world.faces, person, variant));
  const enrolled = world.chance(person.descriptors);
  if (isTouched || newest.length === 0)
    await showFace(world, person, enrolledProbe(world.faces, person, enrolled));
  if (isTouched) await tryUsedCode(world, person);
  // Not always, so that codes are found good after several starts too.
  if (isTouched && world.chance(2) > 0) await useCode(world, person);
}

async function compareTokens(world: World, person: Person): Promise<void> {
  const { account } = person;
  const good = goodTokens(person).at(-1);
  if (good) {
    const me = await ask(world, 'GET', '/v1/me', { headers: bearer(good.text) });
    same(world, person, 'GET /v1/me', me?.json?.user, {
      id: person.id,
      email: account.email,
      name: account.name,
      email_verified: account.verified,
    });
    const count = person.descriptors + account.learned.length;
    same(world, person, 'GET /v1/me', me?.json, { template_count: count });
  }
  const young = person.tokens.filter(({ at }) => Date.now() - at < TOKEN_GOOD_MS);
  const revoked = young.filter(token => isRevoked(account, token)).slice(-2);
  for (const { text } of revoked) {
    const headers = server(world.app);
    const verified = await ask(world, 'POST', '/v1/tokens/verify', { headers, json: { token: text } });
    const me = await ask(world, 'GET', '/v1/me', { headers: bearer(text) });
    const codes = [verified?.json?.reason, me?.json?.error?.code].join(' ');
    if (verified && me && codes !== 'revoked token_revoked')
      world.findings.add('returned', `a revoked token of ${person.id}: ${verified.text} ${me.text}`);
  }
}

async function compareGone(world: World, person: Person): Promise<void> {
  const user = await ask(world, 'GET', `/v1/users/${person.id}`, { headers: server(world.app) });
  if (user && user.status !== 404) world.findings.add('returned', `deleted, and yet ${user.text}`);
  const token = goodTokens(person).at(-1)?.text;
  if (token) {
    const verified = await ask(world, 'POST', '/v1/tokens/verify', {
      headers: server(world.app),
      json: { token },
    });
    if (verified && verified.json?.valid !== false)
      world.findings.add('returned', `a token of the deleted ${person.id}: ${verified.text}`);
  }
  const id = await challenge(world);
  if (id === null) return;
  const json = { challenge_id: id, descriptors: [enrolledProbe(world.faces, person, 0)] };
  const match = await ask(world, 'POST', '/v1/match', { headers: browser(world.app), json });
  noteUse(world, id, match);
  if (match?.status === 200)
    world.findings.add('returned', `the face of the deleted ${person.id}: ${match.text}`);
  else outcomeOf(world, 'no_match', match, 401);
}

async function tryUsedCode(world: World, person: Person): Promise<void> {
  const used = person.usedCodes.at(-1);
  if (!used || used.email !== person.account.email || person.wrongCodes >= WRONG_CODES) return;
  person.wrongCodes += 1;
  const json = { email: used.email, code: used.digits };
  const answer = await ask(world, 'POST', '/v1/email-codes/verify', { headers: browser(world.app), json });
  if (answer && answer.json?.error?.code !== 'invalid_code')
    world.findings.add('returned', `the used code ${used.digits} of ${used.email}: ${answer.text}`);
}

async function tryUsedChallenges(world: World): Promise<void> {
  const person = world.people.findLast(isFree);
  if (!person) return;
  const descriptors = [enrolledProbe(world.faces, person, 0)];
  await inParallel(world.used.slice(-REPLAYS), async ({ id }) => {
    const json = { challenge_id: id, descriptors };
    const answer = await ask(world, 'POST', '/v1/match', { headers: browser(world.app), json });
    if (answer && answer.json?.error?.code !== 'challenge_invalid')
      world.findings.add('returned', `the used challenge ${id}: ${answer.text}`);
  });
}

/** One just issued may be lost; else it is good, once. */
async function useLeftChallenges(world: World): Promise<void> {
  const left = world.left.filter(({ at }) => Date.now() - at < 50_000);
  world.left = [];
  const descriptors = [world.faces.stranger(world.cycle)];
  await inParallel(left, async ({ id }) => {
    const json = { challenge_id: id, descriptors };
    const answer = await ask(world, 'POST', '/v1/match', { headers: browser(world.app), json });
    noteUse(world, id, answer);
    if (answer?.json?.error?.code === 'challenge_invalid') world.total.lostChallenges += 1;
    else outcomeOf(world, 'no_match', answer, 401);
  });
}

/** Wants these fields in an answer that came. */
function same(
  world: World,
  person: Person,
  what: string,
  found: Json,
  wanted: Record<string, unknown>,
): void {
  if (world.isOver()) return;
  for (const [field, value] of Object.entries(wanted))
    if (found?.[field] !== value)
      world.findings.add('lost', `${what} of ${person.id}: ${field} is ${found?.[field]}, not ${value}`);
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
