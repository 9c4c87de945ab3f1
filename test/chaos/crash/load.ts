/** Many clients at once, each with one request under way and never two of one person. */
import { setTimeout as delay } from 'node:timers/promises';
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
import type { World } from './world.ts';

/** Beyond this many, somebody is deleted for each who comes. */
const MOST_PEOPLE = 300;
/** After an answer 503: nobody asks a service that is down as fast as it can say no. */
const PAUSE_MS = 50;

type Choice = Visit | 'enroll' | 'challenge';
const CHOICES: readonly (readonly [Choice, weight: number])[] = [
  ['enroll', 20],
  ['challenge', 4],
  [signIn, 16],
  [(world, person) => addFaces(world, person), 12],
  [logOut, 10],
  [rename, 12],
  [deleteOwn, 4],
  [deleteByServer, 4],
  [signInByCode, 10],
  [changeEmail, 8],
];
const WEIGHTS = CHOICES.reduce((sum, [, weight]) => sum + weight, 0);

export interface Load {
  /** Resolves when every client has stopped: by itself, or because it gets no answer. */
  stop(): Promise<void>;
}

/** @param except whom the load leaves alone */
export function startLoad(world: World, connections: number, except: readonly Person[] = []): Load {
  const free = world.people.filter(person => isFree(person) && !except.includes(person));
  let stopped = false;

  function somebody(): Person | null {
    const at = world.chance(Math.max(1, free.length));
    const last = free.pop();
    if (last === undefined || at >= free.length) return last ?? null;
    const chosen = free[at] as Person;
    free[at] = last;
    return chosen;
  }

  function chosen(): Choice {
    let place = world.chance(WEIGHTS);
    for (const [choice, weight] of CHOICES) {
      if (place < weight) return choice === 'enroll' && free.length > MOST_PEOPLE ? deleteByServer : choice;
      place -= weight;
    }
    return 'enroll';
  }

  async function client(): Promise<void> {
    while (!stopped && !world.isOver()) {
      const failed = world.total.failed;
      const choice = chosen();
      const person = typeof choice === 'string' ? null : somebody();
      if (choice === 'challenge') await leaveChallenge(world);
      else if (choice === 'enroll' || person === null) keep(await enrolSomebody(world));
      else {
        await choice(world, person);
        keep(person);
      }
      if (world.total.failed > failed) await delay(PAUSE_MS);
    }
  }

  function keep(person: Person | null): void {
    if (person && isFree(person)) free.push(person);
  }

  const clients = Promise.all(Array.from({ length: connections }, client));
  clients.catch(() => undefined); // told to whoever stops the load
  return {
    async stop() {
      stopped = true;
      await clients;
    },
  };
}

async function leaveChallenge(world: World): Promise<void> {
  const id = await challenge(world);
  if (id !== null) world.left.push({ id, at: Date.now() });
}
