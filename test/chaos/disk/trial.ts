/**
 * Disks that are full, read-only or failing, under load: whatever was acknowledged is there afterwards, the rest is
 * answered 503 within seconds, /health tells of it, and the service is well again as soon as the disk is, without a
 * restart; and then it is killed, and everything is still there.
 */
import { type Figure, figure, none, type Trial, within } from '../../support/trial.ts';
import type { Kind } from '../crash/findings.ts';
import { FAULTS, type Fault } from './faults.ts';
import { playScene, RECOVERY_MS, type Scene } from './scene.ts';

const ANSWER_MS = 15_000;
/** Of the polls of /health at the end of a fault: the first ones may come before a write has failed. */
const LAST_POLLS = 5;
const LOSSES: readonly Kind[] = ['lost', 'half', 'returned', 'damaged'];

export const trial: Trial = {
  about: 'full, read-only and failing disks under load: no false yes, 503 meanwhile, well again afterwards',
  options: { seed: 1, connections: 8, seconds: 4 },
  async run({ seed = 1, connections = 8, seconds = 4 }, say) {
    const figures: Figure[] = [];
    for (const fault of FAULTS) {
      const why = fault.impossible();
      if (why) figures.push(figure(fault.name, 'tried', `SKIPPED: ${why}`, true));
      else {
        say(fault.name);
        figures.push(...figuresOf(fault, await playScene(fault, { seed, connections, seconds }, say)));
      }
    }
    return figures;
  },
};

function figuresOf({ name, isTotal }: Fault, scene: Scene): Figure[] {
  const { findings, acknowledged, failed, slowestMs, health, made, recoveredMs } = scene;
  const last = health.slice(-LAST_POLLS);
  const isDown = last.length > 0 && last.every(status => status === 503);
  const answered = health.every(status => status === 200 || status === 503);
  const polls = [...new Set(health)].map(
    status => `${status}: ${health.filter(one => one === status).length}`,
  );
  const losses = LOSSES.reduce((sum, kind) => sum + findings.count(kind), 0);
  return [
    figure(`${name}: answers 503 meanwhile`, 'more than 0', `${failed}; ${made}`, failed > 0),
    figure(
      `${name}: /health meanwhile`,
      isTotal ? '503 at the end' : '200 or 503',
      polls.join(', '),
      answered && (isDown || !isTotal),
    ),
    within(`${name}: slowest answer`, ANSWER_MS, slowestMs),
    within(`${name}: healthy without a restart`, RECOVERY_MS, recoveredMs ?? Number.POSITIVE_INFINITY),
    none(`${name}: lost or half there of ${acknowledged}, before and after kill -9`, losses),
    none(`${name}: other findings`, findings.all().length - losses),
  ];
}
