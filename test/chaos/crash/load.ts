/** Many clients at once, each with one request under way and never two of one person. */
import { setTimeout as delay } from 'node:timers/promises';
import { weighted } from '../../support/chance.ts';
import type { Context } from './context.ts';
import { isFree, type Person } from './person.ts';
import {
  addFaces,
  challenge,
  changeEmail,
  deleteByServer,
  deleteOwn,
  enrolSomebody,
  logOut,
  rename,
  signIn,
  signInByCode,
  type Visit,
} from './visits.ts';

/** Beyond this many, somebody is deleted for each who comes. */
const MOST_PEOPLE = 300;
/** After an answer 503: nobody asks a service that is down as fast as it can say no. */
const PAUSE_MS = 50;

type Choice = Visit | 'enroll' | 'challenge';
const CHOICES: readonly (readonly [Choice, weight: number])[] = [
  ['enroll', 20],
  ['challenge', 4],
  [signIn, 16],
  [(context, person) => addFaces(context, person), 12],
  [logOut, 10],
  [rename, 12],
  [deleteOwn, 4],
  [deleteByServer, 4],
  [signInByCode, 10],
  [changeEmail, 8],
];
export function startLoad(context: Context, connections: number) {
  const free = context.people.filter(isFree);
  let stopped = false;

  function somebody(): Person | null {
    const at = context.chance(Math.max(1, free.length));
    const last = free.pop();
    if (last === undefined || at >= free.length) return last ?? null;
    const chosen = free[at] as Person;
    free[at] = last;
    return chosen;
  }

  function chosen(): Choice {
    const choice = weighted(CHOICES, context.chance);
    return choice === 'enroll' && free.length > MOST_PEOPLE ? deleteByServer : choice;
  }

  async function client(): Promise<void> {
    while (!stopped && !context.isOver()) {
      const failed = context.total.failed;
      const choice = chosen();
      const person = typeof choice === 'string' ? null : somebody();
      if (choice === 'challenge') await leaveChallenge(context);
      else if (choice === 'enroll' || person === null) keep(await enrolSomebody(context));
      else {
        await choice(context, person);
        keep(person);
      }
      if (context.total.failed > failed) await delay(PAUSE_MS);
    }
  }

  function keep(person: Person | null): void {
    if (person && isFree(person)) free.push(person);
  }

  const clients = Promise.all(Array.from({ length: connections }, client));
  clients.catch(() => undefined); // told to whoever stops the load
  return {
    /** Resolves when every client has stopped: by itself, or because it gets no answer. */
    async stop(): Promise<void> {
      stopped = true;
      await clients;
    },
  };
}

async function leaveChallenge(context: Context): Promise<void> {
  const id = await challenge(context);
  if (id !== null) context.left.push({ id, at: Date.now() });
}
