/**
 * What applications do all day: mostly sign-ins; people who come, add faces, sign out and leave, so that the gallery
 * keeps its size; servers that ask; and those who get it wrong. Every answer is checked twice: here for what this
 * request must get, and by `call` for what every answer must be.
 */
import * as assert from 'uvu/assert';
import { weighted } from '../../support/chance.ts';
import {
  type Answer,
  assertError,
  call,
  challenge,
  enrolled,
  faces,
  type Headers,
  type Json,
  match,
  server,
  verify,
} from '../../support/client.ts';
import { freshCode, requestCode, signedIn, verifyCode } from '../../support/codes.ts';
import { addTemplates, bearer, deleteMe, getMe, logout, rename } from '../../support/me.ts';
import type { Running, TestApp } from '../../support/service.ts';

interface Person {
  readonly number: number;
  readonly id: string;
  readonly email: string;
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

const MOST_FAULTS = 20;
/** Within the threshold of the first face of a person, and another than that. */
const LEARNED_AT = 0.2;

/** Fills the gallery, then keeps `connections` clients busy until it is stopped. */
export async function startLoad(run: Running, app: TestApp, connections: number, gallery: number) {
  const people: Person[] = [];
  const tally = { requests: {} as Record<string, number>, faults: [] as string[], faultCount: 0 };
  let numbers = 0;
  let strangers = 0;
  let wrongs = 0;
  let done = 0;
  let stopped = false;

  const somebody = () => people[Math.floor(Math.random() * people.length)] as Person;

  const learned = (number: number) => faces.atDistance(number, LEARNED_AT, 1);

  async function come(full = false): Promise<Person & { token: string }> {
    const number = numbers++;
    const descriptors = [faces.genuine(number), ...(full ? [learned(number)] : [])];
    const email = `soak${number}@example.com`;
    const fields = { email, name: `Soak ${number}` };
    const { user, token } = await enrolled(run, app, { descriptors, fields });
    return { number, id: user.id, email, token };
  }

  /** Somebody leaves; nobody else asks for him from now on. */
  async function leave(): Promise<void> {
    const [person] = people.splice(0, 1);
    if (!person) return;
    if (person.number % 2 === 0) {
      const path = `/v1/users/${person.id}`;
      wanted(await call(run, 'DELETE', path, { headers: server(app) }), 204);
      assertError(await call(run, 'GET', path, { headers: server(app) }), 'not_found');
    } else {
      // Nobody else signs this person in any more: the token is the newest.
      const found = wanted(await match(run, app, { descriptors: [faces.genuine(person.number, 1)] }), 200);
      wanted(await deleteMe(run, found.token), 204);
      assertError(await getMe(run, found.token), 'not_found');
    }
  }

  /** A life of one person, who then joins those who sign in. */
  async function life(): Promise<void> {
    const { token, ...person } = await come();
    const { email, number } = person;
    const added = learned(number);
    assert.is(wanted(await addTemplates(run, app, token, [added]), 201).template_count, 2);
    const found = wanted(await match(run, app, { descriptors: [added] }), 200);
    assert.is(found.user.id, person.id);
    wanted(await rename(run, token, `Renamed ${number}`), 200);
    const byCode = await signedIn(run, app, email, await freshCode(run, app, email));
    assert.is(byCode.user.id, person.id);
    // From before the first verification of the address.
    assert.equal(wanted(await verify(run, app, token), 200).reason, 'revoked');
    assert.is(wanted(await verify(run, app, byCode.token), 200).valid, true);
    wanted(await logout(run, byCode.token), 204);
    assert.equal(wanted(await verify(run, app, byCode.token), 200).reason, 'revoked');
    people.push(person);
    await leave();
  }

  async function signIn(): Promise<void> {
    const { number, id } = somebody();
    const answer = await match(run, app, { descriptors: [faces.genuine(number, 1)] });
    // Somebody may have left since he was chosen.
    if (answer.status === 401 && !people.some(person => person.id === id)) return;
    assert.is(wanted(answer, 200).user.id, id);
  }

  const get = (path: string) => call(run, 'GET', path, { headers: server(app) });
  const post = (path: string, headers: Headers) => call(run, 'POST', path, { headers });
  const wrongCode = async () => {
    const email = `nobody${wrongs++}@example.com`;
    wanted(await requestCode(run, app, email), 202);
    assertError(await verifyCode(run, app, email, '314159'), 'invalid_code');
  };
  const wrongFace = async () => {
    const descriptors = [faces.stranger(strangers++)];
    assertError(await match(run, app, { descriptors }), 'no_match');
  };
  const wrongBody = async () =>
    assertError(await match(run, app, { descriptors: [[1, 2, 3]] }), 'invalid_request');
  const unknownKey = { origin: app.origin, 'x-svc-key': `${app.live.pk.slice(0, -8)}xxxxxxxx` };
  const noToken = bearer('eyJhbGciOiJub25lIn0.e30.');
  const refused = async (path: string, headers: Headers) =>
    assertError(await post(path, headers), 'unauthorized');
  const deeds: readonly (readonly [readonly [name: string, act: () => Promise<unknown>], number])[] = [
    [['sign-in', signIn], 700],
    [['life', life], 20],
    [['users', async () => assert.is(wanted(await get('/v1/users?limit=20'), 200).users.length, 20)], 40],
    [['usage', async () => assert.ok(wanted(await get('/v1/usage'), 200).auths > 0)], 40],
    [['jwks', async () => wanted(await call(run, 'GET', '/.well-known/jwks.json'), 200)], 20],
    [['left challenge', () => challenge(run, app)], 20],
    [['wrong face', wrongFace], 60],
    [['wrong key', () => refused('/v1/challenges', unknownKey)], 40],
    [['wrong body', wrongBody], 20],
    [['wrong code', wrongCode], 15],
    [['wrong token', () => refused('/v1/me/logout', noToken)], 20],
  ];

  async function client(): Promise<void> {
    while (!stopped) {
      const [name, act] = weighted(deeds, end => Math.random() * end);
      try {
        await act();
        tally.requests[name] = (tally.requests[name] ?? 0) + 1;
      } catch (error) {
        tally.faultCount++;
        if (tally.faults.length < MOST_FAULTS) tally.faults.push(`${name}: ${(error as Error).message}`);
        await new Promise(resolve => setTimeout(resolve, 100));
      }
      done++;
    }
  }

  // With two templates each, as whoever comes later will have.
  while (people.length < gallery) {
    const { token: _, ...person } = await come(true);
    people.push(person);
  }
  const clients = Promise.all(Array.from({ length: connections }, client));
  return {
    tally,
    done: () => done,
    people: () => people.length,
    async stop(): Promise<void> {
      stopped = true;
      await clients;
    },
  };
}

function wanted(answer: Answer, status: number): Json {
  assert.is(answer.status, status, answer.text);
  return answer.json;
}
