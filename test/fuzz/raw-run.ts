/** Sends what is almost HTTP: the answer is an envelope or the end of the connection, never a 5xx and never silence. */
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { assertEnvelope } from '../support/client.ts';
import type { Service } from '../support/forked-service.ts';
import { type RawAnswer, raw } from '../support/raw.ts';
import { seedOf } from './cases.ts';
import { type RawCase, rawCase } from './raw-cases.ts';
import { cut } from './request.ts';
import { afterwards } from './run.ts';

/** More answers than any case has requests: all of them are waited for, until the connection ends. */
const ALL = 100;
const AT_ONCE = 8;

export interface RawOutcome {
  readonly count: number;
  readonly faults: readonly string[];
  /** For console.table. */
  readonly table: readonly object[];
}

export async function fuzzRaw(
  service: Service,
  options: { count: number; seed: number },
): Promise<RawOutcome> {
  const { count, seed } = options;
  const cases = rawCase(await service.run.createApp({}));
  const counts = new Map<
    string,
    { kind: string; sent: number; served: number; refused: number; closed: number }
  >();
  const faults: string[] = [];
  let next = 0;

  async function work(): Promise<void> {
    while (next < count && faults.length < 20 && service.ended() === null) {
      const index = next++;
      const [one] = fc.sample(cases, { seed: seedOf(seed, index), numRuns: 1 }) as [RawCase];
      const row = counts.get(one.kind) ?? { kind: one.kind, sent: 0, served: 0, refused: 0, closed: 0 };
      counts.set(one.kind, row);
      row.sent++;
      try {
        const { statuses } = one;
        const bytes = Buffer.from(one.bytes, 'latin1');
        const answers = await raw(service.run, bytes, statuses?.length ?? ALL, statuses === undefined);
        for (const answer of answers) check(answer);
        if (statuses)
          assert.equal(
            answers.map(answer => answer.status),
            statuses,
          );
        row[answers[0] ? (answers[0].status < 400 ? 'served' : 'refused') : 'closed']++;
      } catch (error) {
        const bytes = `${one.bytes.length} bytes: ${cut(JSON.stringify(one.bytes), 1_500)}`;
        faults.push(
          `raw, --seed ${seed}, number ${index}, ${one.kind}: ${(error as Error).message}\n  ${bytes}`,
        );
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  faults.push(...(await afterwards(service)));
  return { count: next, faults, table: [...counts.values()] };
}

function check(answer: RawAnswer): void {
  const { status, headers, text } = answer;
  const at = `${status} ${text.slice(0, 200)}`;
  if (!(status >= 200 && status < 500)) throw new Error(`answered ${at}`);
  if (!headers['x-request-id']) throw new Error(`without X-Request-Id: ${at}`);
  if (status >= 400) assertEnvelope(answer, at);
}
