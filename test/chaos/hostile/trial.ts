/**
 * The service under attack while an honest client signs in beside it. Each part has a service of its own, so that its
 * memory tells of that part alone.
 *
 * Memory: the reading is VmRSS, from after a warm-up of sign-ins to 10 s after the attack. V8 gives memory back late,
 * so that some tens of megabytes above the start mean nothing; what 500 connections or one bomb would leave if they
 * were kept is hundreds. 100 MB lies between.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../../bench/measure.ts';
import type { Env } from '../../support/process.ts';
import { MB } from '../../support/process-figures.ts';
import { type Figure, figure, none, type Trial, within } from '../../support/trial.ts';
import { LIMIT, trusted, untrusted } from './addresses.ts';
import { type Account, summaryOf } from './attack.ts';
import { bombs, chunkFloods, headerFloods, pipelines } from './floods.ts';
import { slowReaders, slowSenders, unreadDocuments } from './slow.ts';
import { type Target, under } from './target.ts';

/**
 * What V8 keeps of the heap that a flood made it grow to: after 20 s of 9,000 requests a second by ever new addresses it
 * was 104 MB, after 80 s 115 MB. So it does not follow the number of requests, and more than this would be a leak.
 */
const GROWTH_BYTES = 150 * MB;
/** At its peak a part may hold this much more: far below the 1 GB of a bomb. */
const PEAK_BYTES = 400 * MB;
/** A sign-in takes a person seconds; another second is felt. */
const P95_MS = 1_000;

type Attack = (target: Target, seconds: number) => Promise<Account[]>;
const DEFAULT_LIMIT = { LIMIT_IP_PER_MINUTE: String(LIMIT) };

const PARTS: readonly (readonly [name: string, env: Env, attack: Attack])[] = [
  ['nobody attacks', {}, peace],
  ['slow senders', {}, slowSenders],
  ['slow readers', {}, slowReaders],
  ['compression bombs', {}, bombs],
  ['header floods', {}, headerFloods],
  ['pipelined requests', DEFAULT_LIMIT, pipelines],
  ['chunk floods', {}, chunkFloods],
  ['spoofed addresses', { ...DEFAULT_LIMIT, TRUST_PROXY: '0' }, untrusted],
  ['reported addresses', { ...DEFAULT_LIMIT, TRUST_PROXY: '1' }, trusted],
  ['unread documents', {}, unreadDocuments],
];

/** What sign-ins alone do to the figures. */
async function peace(_: Target, seconds: number): Promise<Account[]> {
  await delay(seconds * 1_000);
  return [];
}

export const trial: Trial = {
  about:
    'slow, huge, endless and lying clients while an honest one signs in (--part N: one part alone, from 1)',
  options: { seconds: 20, part: 0 },
  async run({ seconds = 20, part = 0 }, say) {
    const figures: Figure[] = [];
    for (const [n, [name, env, attack]] of PARTS.entries()) {
      if (part !== 0 && part !== n + 1) continue;
      say(`part ${n + 1} of ${PARTS.length}: ${name}`);
      const made = await figuresOf(name, env, attack, seconds);
      for (const { what, measured, held } of made) say(`  ${held ? '' : 'NOT HELD '}${what}: ${measured}`);
      figures.push(...made);
    }
    return figures;
  },
};

async function figuresOf(name: string, env: Env, attack: Attack, seconds: number): Promise<Figure[]> {
  let accounts: Account[] = [];
  const outcome = await under(env, async target => {
    accounts = await attack(target, seconds);
  });
  const { startBytes, peakBytes, endBytes, startHandles, endHandles, quiet, attacked } = outcome;
  const attacks = accounts.map(account => {
    const fives = [...account.answers.keys()].filter(kind => /^5/.test(kind)).map(kind => `answered ${kind}`);
    const faults = [...account.faults(), ...fives];
    if (account.unconnected > 0) faults.push(`${account.unconnected} not accepted`);
    const measured = [summaryOf(account), ...faults].join('; ');
    return figure(account.name, 'as said, envelope 4xx or end', measured, faults.length === 0);
  });
  const mb = (bytes: number) => `${(bytes / MB).toFixed(0)} MB`;
  const below = (what: string, limit: number, bytes: number) =>
    figure(`${name}: ${what}`, `below ${mb(limit)} more`, mb(bytes - startBytes), bytes - startBytes < limit);
  const [p95, quietP95] = [quantile(attacked.took, 0.95), quantile(quiet.took, 0.95)];
  const times = `, longest ${Math.max(...attacked.took).toFixed(0)} (quiet ${quietP95.toFixed(0)})`;
  const share = `${attacked.succeeded} of ${attacked.tried}${attacked.faults[0] ? `: ${attacked.faults[0]}` : ''}`;
  const all = attacked.tried > 0 && attacked.succeeded === attacked.tried;
  const handles = `${startHandles}, then ${endHandles}`;
  const well = outcome.healthy && outcome.code === 0;
  const end = `${outcome.healthy ? 'yes' : 'no'}, ${outcome.code}`;
  return [
    ...attacks,
    below('memory 10 s later', GROWTH_BYTES, endBytes),
    below('memory at its peak', PEAK_BYTES, peakBytes),
    figure(`${name}: open handles`, 'those of the start', handles, endHandles <= startHandles),
    figure(`${name}: honest sign-ins`, '100 %', share, all),
    within(`${name}: p95 of honest sign-ins`, P95_MS, p95, times),
    none(`${name}: faults in the log`, outcome.faults),
    figure(`${name}: healthy, then ends with code`, 'yes, 0', end, well),
  ];
}
