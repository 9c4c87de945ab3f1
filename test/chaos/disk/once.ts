/**
 * One sync fails under one request, which is told so although its change may stand; then all is well. What the process
 * remembers must not be older than the database: a match of the same face has to be answered, and truly.
 */
import { ordinary } from '../../support/disk-places.ts';
import type { Context } from '../crash/context.ts';
import { type Account, enrolledProbe, type Person, withEvent } from '../crash/person.ts';
import { databaseFile } from '../crash/rows.ts';
import {
  addFaces,
  askMatch,
  askServer,
  challenge,
  deleteByServer,
  deleteOwn,
  enrolSomebody,
  showFace,
  signIn,
} from '../crash/visits.ts';
import { type Fault, injected, JOURNAL, LOG, SYNCS } from './faults.ts';
import { kill, look, recovery, type Stage, startAndLook, withStage } from './scene.ts';

type Act = (context: Context, person: Person, challengeId: string) => Promise<void>;

interface Case {
  readonly name: string;
  readonly fault: Fault;
  readonly act: Act;
}

const remove: Act = (context, person) => deleteByServer(context, person);
const removeOwn: Act = (context, person) => deleteOwn(context, person);
const match: Act = (context, person, id) =>
  showFace(context, person, enrolledProbe(context.faces, person, 0), id);
const learn: Act = (context, person, id) => addFaces(context, person, id);
const enrol: Act = async (context, _person, id) => void (await enrolSomebody(context, id));

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

export async function playOnce(seed: number, say: (line: string) => void) {
  const place = ordinary();
  const body = async (stage: Stage) => {
    const { context } = stage;
    /** Whether the request whose sync failed was refused, and what the match afterwards said. */
    const played: { name: string; failed: boolean; match: string; answered: boolean; found: number }[] = [];
    for (const { name, fault, act } of CASES) {
      const before = context.findings.all().length;
      const failed = context.total.failed;
      await enrolSomebody(context);
      const person = await enrolSomebody(context);
      // So that the process remembers the gallery as it is.
      if (person) await signIn(context, person);
      const ids = [await challenge(context), await challenge(context)];
      if (!person || ids.includes(null)) throw new Error(`${name}: the service was not ready`);
      const end = await fault.begin({ dataDir: place.dataDir, pid: stage.program.pid });
      context.mayFail = true;
      try {
        await act(context, person, ids[0] as string);
      } finally {
        await end();
      }
      const wasReported = context.total.failed > failed;
      // Whoever it was about: the one who enrolled under the fault, or the one who was there.
      const about = act === enrol ? (context.people.at(-1) ?? person) : person;
      const answer = await matchOf(context, about, ids[1] as string);
      await recovery(context);
      context.mayFail = false;
      if (act === remove) await removeAgain(context, person);
      await look(context);
      const found = context.findings.all().length - before;
      played.push({ name, failed: wasReported, match: answer.text, answered: answer.answered, found });
    }
    await kill(stage);
    await startAndLook(stage);
    return played;
  };
  // strace counts the calls of each thread by itself.
  return withStage(place, seed, say, body, { UV_THREADPOOL_SIZE: '1' });
}

/** Asks once more for what may have been done already. */
async function removeAgain(context: Context, person: Person): Promise<void> {
  if (person.doubt !== 'gone') return;
  const answer = await askServer(context, 'DELETE', `/v1/users/${person.id}`);
  if (answer?.status === 204) context.since.deletion.done += 1;
  else if (answer?.status !== 404)
    context.findings.add('answer', `a deletion asked for again: ${answer?.status} ${answer?.text}`);
  person.standing = 'gone';
  person.doubt = null;
}

/** The answer is held against the database when everything is looked at; here it is counted, whatever it says. */
async function matchOf(context: Context, person: Person, id: string) {
  const { since } = context;
  const began = performance.now();
  const signedInAt = Date.now();
  const answer = await askMatch(context, id, enrolledProbe(context.faces, person, 0));
  const ms = Math.round(performance.now() - began);
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
