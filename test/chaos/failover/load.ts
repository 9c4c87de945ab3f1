/**
 * People who enrol, sign in, sign out and leave, through both nodes in turn, and what each was told. After an answer
 * that leaves open what happened, nothing more is asked of that person.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { syntheticFaces } from '../../../src/sdk/browser/testing.ts';
import { type Answer, browser, call, consent, type Headers, server } from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import { seeded } from '../../support/random.ts';
import type { Running, TestApp } from '../../support/service.ts';

export const DESCRIPTORS = 2;
/** With more, a client has somebody leave before the next one comes. */
const PEOPLE = 40;
/** Before the next try of a client that was refused. */
const PAUSE_MS = 30;
const faces = syntheticFaces(606);

/** What was acknowledged about one person. */
export interface Person {
  readonly app: TestApp;
  readonly number: number;
  readonly id: string;
  isGone: boolean;
  matches: number;
  readonly tokens: string[];
  readonly signedOut: string[];
  /** What may have happened, or not. */
  doubt: 'match' | 'sign-out' | 'delete' | null;
  /** Looked up since the last acknowledged change. */
  isSeen: boolean;
}

/** A write that was acknowledged. */
export interface Acknowledged {
  readonly node: number;
  readonly sentAt: number;
  readonly at: number;
}

export interface Load {
  readonly people: readonly Person[];
  readonly acknowledged: readonly Acknowledged[];
  /** When a request got another answer than the one it wanted. */
  readonly refused: readonly number[];
  /** Answers that leave open what happened. */
  open(): number;
  /** Answers that fit nothing. */
  readonly faults: readonly string[];
  /** Clients that never rest; the answer stops them. */
  start(): () => Promise<void>;
}

export function createLoad(
  bases: readonly string[],
  apps: readonly TestApp[],
  clients: number,
  seed: number,
): Load {
  const people: Person[] = [];
  const acknowledged: Acknowledged[] = [];
  const refused: number[] = [];
  const faults: string[] = [];
  const random = seeded(seed);
  const chance = (below: number) => random.bytes(4).readUInt32BE() % below;
  let numbers = 0;
  let turn = 0;
  let open = 0;

  /** The answer with the wanted status; null: refused before anything happened, or nobody knows. */
  async function write(wanted: number, method: string, path: string, headers: Headers, json?: object) {
    const node = turn++ % bases.length;
    const sentAt = performance.now();
    const answer = await ask(node, method, path, headers, json);
    if (answer?.status === wanted) {
      acknowledged.push({ node, sentAt, at: performance.now() });
      return answer;
    }
    open += 1;
    return null;
  }

  async function ask(node: number, method: string, path: string, headers: Headers, json?: object) {
    let answer: Answer | null = null;
    try {
      answer = await call({ base: bases[node] ?? '' } as Running, method, path, {
        headers,
        ...(json && { json }),
      });
      const known =
        answer.status < 300 || (answer.status === 503 && answer.headers['retry-after'] !== undefined);
      if (!known) faults.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    } catch (error) {
      faults.push(`${method} ${path}: ${(error as Error).message}`);
    }
    if (answer === null || answer.status >= 300) {
      refused.push(performance.now());
      await delay(PAUSE_MS);
    }
    return answer;
  }

  /** A challenge may be lost with the primary: nobody was promised anything yet. */
  async function withChallenge(app: TestApp, act: (challenge_id: string, headers: Headers) => Promise<void>) {
    const headers = browser(app);
    const answer = await ask(turn++ % bases.length, 'POST', '/v1/challenges', headers);
    if (answer?.status === 200) await act(answer.json.challenge_id, headers);
  }

  const enrol = (app: TestApp, own: Person[]) =>
    withChallenge(app, async (challenge_id, headers) => {
      const number = numbers++;
      const descriptors = Array.from({ length: DESCRIPTORS }, (_, n) => faces.genuine(number, n));
      const email = `person-${number}@failover.example`;
      const json = { challenge_id, descriptors, email, name: 'Ada', consent };
      const answer = await write(201, 'POST', '/v1/enroll', headers, json);
      if (!answer) return;
      const { user, token } = answer.json;
      const facts = { isGone: false, matches: 0, signedOut: [], doubt: null, isSeen: false };
      const person: Person = { app, number, id: user.id, tokens: [token], ...facts };
      people.push(person);
      own.push(person);
    });

  const signIn = (person: Person) =>
    withChallenge(person.app, async (challenge_id, headers) => {
      const json = { challenge_id, descriptors: [faces.genuine(person.number, DESCRIPTORS)] };
      const answer = await write(200, 'POST', '/v1/match', headers, json);
      if (!answer) person.doubt = 'match';
      else if (answer.json.user.id !== person.id)
        faults.push(`${person.id} signed in as ${answer.json.user.id}`);
      else {
        person.matches += 1;
        person.tokens.push(answer.json.token);
      }
    });

  async function signOut(person: Person): Promise<void> {
    const token = person.tokens.pop();
    if (!token) return;
    if (await write(204, 'POST', '/v1/me/logout', bearer(token))) person.signedOut.push(token);
    else person.doubt = 'sign-out';
  }

  async function leave(person: Person): Promise<void> {
    if (await write(204, 'DELETE', `/v1/users/${person.id}`, server(person.app))) person.isGone = true;
    else person.doubt = 'delete';
  }

  async function client(app: TestApp, isOver: () => boolean): Promise<void> {
    const own: Person[] = [];
    while (!isOver()) {
      const person = own[chance(Math.max(1, own.length))];
      const what = chance(20);
      if (!person || (what < 6 && own.length < PEOPLE)) {
        await enrol(app, own);
        continue;
      }
      person.isSeen = false;
      if (what < 6 || what >= 18) await leave(person);
      else if (what < 15) await signIn(person);
      else await signOut(person);
      if (person.isGone || person.doubt) own.splice(own.indexOf(person), 1);
    }
  }

  return {
    people,
    acknowledged,
    refused,
    faults,
    open: () => open,
    start() {
      let isOver = false;
      const all = Array.from({ length: clients }, (_, n) =>
        client(apps[n % apps.length] as TestApp, () => isOver),
      );
      return async () => {
        isOver = true;
        await Promise.all(all);
      };
    },
  };
}
