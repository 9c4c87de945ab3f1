/**
 * Writes per second through HTTP, with one client and with many, each write on the disk before its answer: how many
 * share one fdatasync. Rates are measured without a tracer; the syncs are counted under strace in runs of their own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser } from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import { newDataDir, tempFolder } from '../../support/process.ts';
import { type Figure, figure, type Trial } from '../../support/trial.ts';
import { makeApp } from '../crash/app.ts';
import { inParallel } from '../crash/compare-answers.ts';
import { newContext } from '../crash/context.ts';
import { createFindings } from '../crash/findings.ts';
import { goodTokens } from '../crash/person.ts';
import { createPostbox } from '../crash/postbox.ts';
import { mailFolder, startProgram } from '../crash/program.ts';
import { enrolSomebody } from '../crash/visits.ts';
import { requireStrace } from '../sync/strace.ts';
import { type Rate, rateOf, type Shot } from './rate.ts';

const WARM_SECONDS = 1;
const KINDS = ['renames', 'challenges'] as const;
type Kind = (typeof KINDS)[number];

export const trial: Trial = {
  about: 'writes per second through HTTP, by one client and by many, and how many share an fdatasync',
  options: { connections: 64, seconds: 5 },
  async run({ connections = 64, seconds = 5 }, say) {
    requireStrace();
    const figures: Figure[] = [];
    for (const clients of [1, connections])
      for (const kind of KINDS) {
        const { rate } = await measured(kind, clients, seconds, null, say);
        const log = join(tempFolder(), 'strace.log');
        const counted = await measured(kind, clients, Math.min(2, seconds), log, say);
        figures.push(...figuresOf(kind, clients, rate, counted));
      }
    return figures;
  },
};

/** @param log where strace notes each sync; null: no strace */
async function measured(
  kind: Kind,
  clients: number,
  seconds: number,
  log: string | null,
  say: (line: string) => void,
): Promise<{ rate: Rate; syncs: number }> {
  const dataDir = newDataDir();
  const app = await makeApp(dataDir);
  const given = { app, dataDir, findings: createFindings(say), postbox: createPostbox(mailFolder(dataDir)) };
  const context = newContext(given, 1);
  const prefix =
    log === null ? [] : ['strace', '-D', '-f', '--seccomp-bpf', '-y', '-o', log, '-e', 'trace=fdatasync'];
  const program = await startProgram({ dataDir, prefix });
  context.base = program.base;
  try {
    const everybody = Array.from({ length: clients }, (_, client) => client);
    await inParallel(everybody, async () => void (await enrolSomebody(context)));
    const tokens = context.people.map(person => goodTokens(person)[0]?.text ?? '');
    let count = 0;
    const next = (connection: number): Shot =>
      kind === 'challenges'
        ? { method: 'POST', path: '/v1/challenges', headers: browser(app) }
        : {
            method: 'PATCH',
            path: '/v1/me',
            headers: bearer(tokens[connection] ?? ''),
            json: { name: `Name ${count++}` },
          };
    await rateOf(program.base, clients, WARM_SECONDS, next);
    const before = syncsIn(log);
    const rate = await rateOf(program.base, clients, seconds, next);
    return { rate, syncs: syncsIn(log) - before };
  } finally {
    await program.end('SIGTERM');
  }
}

/** Each is noted when it enters; strace writes its lines out as they come. */
function syncsIn(log: string | null): number {
  return log === null ? 0 : readFileSync(log, 'latin1').split(/fdatasync\(\d+<[^>]*-wal>/).length - 1;
}

function figuresOf(
  kind: Kind,
  clients: number,
  rate: Rate,
  counted: { rate: Rate; syncs: number },
): Figure[] {
  const who = `${kind}, ${clients} at once`;
  const bad = rate.bad + counted.rate.bad;
  const times = `median ${rate.median.toFixed(1)} ms, p99 ${rate.p99.toFixed(1)} ms`;
  const perWrite = counted.syncs / counted.rate.answered;
  return [
    figure(`${who}: a second`, 'any number', `${rate.perSecond.toFixed(0)} (${times})`, rate.answered > 0),
    figure(
      `${who}: fdatasync of the log for each`,
      'more than 0',
      `${perWrite.toFixed(2)} (${counted.syncs} for ${counted.rate.answered})`,
      counted.syncs > 0,
    ),
    figure(`${who}: answers other than 2xx`, '0', bad, bad === 0),
  ];
}
