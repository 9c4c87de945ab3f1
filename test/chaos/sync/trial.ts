/** Under strace: no 2xx of a route that changes something leaves before the disk has what it says. See proof.ts. */
import { type Alteration, alteredBy } from '../../support/altered.ts';
import { type Figure, figure, none, some, type Trial, told } from '../../support/trial.ts';
import { ROUTES } from './requests.ts';
import { requireStrace, type Seen, tracedRun } from './run.ts';

/** The two places in which the service waits for the disk, and the one in which it notes that the disk failed. */
const WAITS: readonly Alteration[] = [
  ['src/adapters/sqlite/driver.ts', 'await syncLog();', ''],
  ['src/adapters/journal/erasure-journal.ts', 'await file.datasync();', ''],
];
const NOTES: readonly Alteration[] = [['src/adapters/sqlite/driver.ts', 'logIsUnsafe = true;', '']];
/** Of each thread the 12th sync, and every 9th from there on: some go well in between. */
const FAULTS = ['-e', 'inject=fdatasync:error=EIO:when=12+9'];

export const trial: Trial = {
  about: 'no acknowledgement leaves before the write-ahead log is on the disk, as strace sees it',
  options: { seed: 1, clients: 8, rounds: 40 },
  async run({ seed = 1, clients = 8, rounds = 40 }, say) {
    requireStrace();
    const one = await tracedRun({ seed, clients: 1, rounds }, say);
    const many = await tracedRun({ seed, clients, rounds }, say);
    say('a disk that fails now and then:');
    const failing = await tracedRun({ seed, clients, rounds, faults: FAULTS }, say);
    say('sources that do not wait for the disk, or forget that it failed: violations are wanted');
    const hasty = await tracedRun({ seed, clients, rounds: 2, env: alteredBy(WAITS) }, say);
    const env = alteredBy(NOTES);
    const forgetful = await tracedRun({ seed, clients, rounds: 6, env, faults: FAULTS }, say);
    return [
      ...figuresOf('one client', one),
      none('one client: log written between the last sync and an answer', one.proof.loose),
      ...figuresOf(`${clients} clients`, many),
      ...figuresOf(`${clients} clients, some syncs failing`, failing),
      some('some syncs failing: answers 503', failing.failed),
      some('a source without the sync: acknowledged too early', hasty.proof.early.length),
      some("a source without the journal's sync: deletions too early", hasty.proof.journalEarly.length),
      some('a source that forgets a failed sync: acknowledged too early', forgetful.proof.early.length),
    ];
  },
};

function figuresOf(who: string, { proof, checkpoints, acknowledged, found }: Seen): Figure[] {
  const { held, early, journalEarly, logSyncs, failedSyncs } = proof;
  const answers = [...held.values()].reduce((sum, count) => sum + count, 0);
  const routes = ROUTES.filter(route => held.has(route)).length;
  const syncs = `${logSyncs}: ${(logSyncs / answers).toFixed(2)} for each, ${failedSyncs} failed`;
  return [
    figure(
      `${who}: acknowledgements seen in the trace`,
      `${acknowledged}`,
      answers,
      answers === acknowledged,
    ),
    figure(`${who}: routes among them`, `${ROUTES.length}`, routes, routes === ROUTES.length),
    none(`${who}: acknowledged before their commit was synced`, early),
    none(`${who}: deletions before the journal was synced`, journalEarly),
    none(`${who}: faults of ${checkpoints.cuts} checkpoints`, checkpoints.faults),
    none(`${who}: answers that do not fit`, found),
    told(`${who}: syncs of the log`, syncs),
  ];
}
