/**
 * One sync fails under one request, which is told so although its change may stand; then all is well. What the process
 * remembers must not be older than the database: a match of the same face has to be answered, and truly.
 */
import { browser, server } from '../../support/client.ts';
import { type Account, enrolledProbe, type Person, withEvent } from '../crash/person.ts';
import { databaseFile } from '../crash/rows.ts';
import {
  addFaces,
  challenge,
  deleteByServer,
  deleteOwn,
  enrolSomebody,
  noteUse,
  showFace,
  signIn,
} from '../crash/visits.ts';
import { ask, type World } from '../crash/world.ts';
import { type Fault, injected, JOURNAL, LOG, SYNCS } from './faults.ts';
import { kill, look, recovery, type Stage, startAndLook, withStage } from './scene.ts';

type Act = (world: World, person: Person, challengeId: string) => Promise<void>;

interface Case {
  readonly name: string;
  readonly fault: Fault;
  readonly act: Act;
}

const remove: Act = (world, person) => deleteByServer(world, person);
const removeOwn: Act = (world, person) => deleteOwn(world, person);
const match: Act = (world, person, id) => showFace(world, person, enrolledProbe(world.faces, person, 0), id);
const learn: Act = (world, person, id) => addFaces(world, person, id);
const enrol: Act = async (world, _person, id) => void (await enrolSomebody(world, id));

/** @param nth which of the syncs under the request */
function oneSync(name: string, file: (dataDir: string) => string, nth: number, act: Act): Case {
  return { name, fault: injected(name, false, `${SYNCS}:error=EIO:when=${nth}`, file), act };
}

const CASES: readonly Case[] = [
  oneSync('log, DELETE /v1/users/:id', LOG, 1, remove),
  oneSync('log, DELETE /v1/me', LOG, 1, removeOwn),
  oneSync('log, POST /v1/match', LOG, 1, match),
  // The first sync is that of the challenge, which is used up before.
  oneSync('log, POST /v1/enroll', LOG, 2, enrol),
  oneSync('log, POST /v1/me/templates', LOG, 2, learn),
  oneSync('database, DELETE /v1/users/:id', databaseFile, 1, remove),
  oneSync('journal, DELETE /v1/users/:id', JOURNAL, 1, remove),
];

export interface Once {
  readonly name: string;
  /** What became of the request whose sync failed. */
  readonly failed: boolean;
  /** The match afterwards: status, code, milliseconds. */
  readonly match: string;
  /** And not with a failure: the disk is well again. */
  readonly answered: boolean;
  readonly found: number;
}

export async function playOnce(seed: number, say: (line: string) => void): Promise<Once[]> {
  const [first] = CASES;
  const place = first?.fault.place();
  if (!place) return [];
  const body = async (stage: Stage) => {
    const { world } = stage;
    const played: Once[] = [];
    for (const { name, fault, act } of CASES) {
      const before = world.findings.all().length;
      const failed = world.total.failed;
      await enrolSomebody(world);
      const person = await enrolSomebody(world);
      // So that the process remembers the gallery as it is.
      if (person) await signIn(world, person);
      const ids = [await challenge(world), await challenge(world)];
      if (!person || ids.includes(null)) throw new Error(`${name}: the service was not ready`);
      const end = await fault.begin({ dataDir: place.dataDir, pid: stage.program.pid });
      world.mayFail = true;
      try {
        await act(world, person, ids[0] as string);
      } finally {
        await end();
      }
      const wasTold = world.total.failed > failed;
      // Whoever it was about: the one who enrolled under the fault, or the one who was there.
      const about = act === enrol ? (world.people.at(-1) ?? person) : person;
      const answer = await matchOf(world, about, ids[1] as string);
      await recovery(world);
      world.mayFail = false;
      if (act === remove) await removeAgain(world, person);
      await look(world);
      const found = world.findings.all().length - before;
      played.push({ name, failed: wasTold, match: answer.text, answered: answer.answered, found });
    }
    await kill(stage);
    await startAndLook(stage);
    return played;
  };
  // strace counts the calls of each thread by itself.
  return withStage(place, seed, say, body, { UV_THREADPOOL_SIZE: '1' });
}

/** Asks once more for what may have been done already. */
async function removeAgain(world: World, person: Person): Promise<void> {
  if (person.doubt !== 'gone') return;
  const answer = await ask(world, 'DELETE', `/v1/users/${person.id}`, { headers: server(world.app) });
  if (answer?.status === 204) world.since.deletion.done += 1;
  else if (answer?.status !== 404)
    world.findings.add('answer', `a deletion asked for again: ${answer?.status} ${answer?.text}`);
  person.standing = 'gone';
  person.doubt = null;
}

/** The answer is held against the database when everything is looked at; here it is counted, whatever it says. */
async function matchOf(world: World, person: Person, id: string) {
  const { since } = world;
  const began = performance.now();
  const signedInAt = Date.now();
  const json = { challenge_id: id, descriptors: [enrolledProbe(world.faces, person, 0)] };
  const answer = await ask(world, 'POST', '/v1/match', { headers: browser(world.app), json });
  const ms = Math.round(performance.now() - began);
  noteUse(world, id, answer);
  const then = (account: Account) => withEvent({ ...account, signedInAt }, 'match');
  if (answer?.status === 200) {
    since.match.done += 1;
    person.account = then(person.account);
    // Who was signed in is there.
    person.doubt = person.doubt === 'gone' ? null : person.doubt && then(person.doubt);
  } else if (answer?.status === 401) since.no_match.done += 1;
  else {
    since.match.open += 1;
    since.no_match.open += 1;
    person.standing = 'lost';
  }
  const text = answer ? `${answer.status} ${answer.json?.error?.code ?? ''}`.trim() : 'no answer';
  return { answered: answer !== null && answer.status < 500, text: `${text}, ${ms} ms` };
}
