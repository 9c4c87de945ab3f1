/**
 * The service in a process of its own, with the settings of SERVICE_ENV: a value of null takes a setting of the test
 * harness away, so that the built-in number holds. Asked by messages. What it logged is looked through and let go.
 */
import { type AppOptions, startService } from './service.ts';

export type Question =
  | { id: number; ask: 'app'; options: AppOptions }
  | { id: number; ask: 'cli'; args: string[] }
  | { id: number; ask: 'advance'; ms: number }
  | { id: number; ask: 'logs' | 'close' };

const FAULT = /"request failed"|"level":[56]0|background work failed/;
/** What a log must never hold: keys, tokens, the addresses of the fuzz. */
const SECRET = /svc_[sp]k_(live|test)_[0-9A-Za-z]{8}|eyJ[0-9A-Za-z_-]{20}|held-by-fuzz/i;
const LOOK_MS = 500;

const given: Record<string, string | null> = JSON.parse(process.env.SERVICE_ENV ?? '{}');
const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined]));
const run = await startService({ env: env as Record<string, string> });
const faults: string[] = [];
const looking = setInterval(look, LOOK_MS);

process.on('message', async (question: Question) => {
  process.send?.({ id: question.id, answer: await answered(question) });
  if (question.ask !== 'close') return;
  clearInterval(looking);
  process.disconnect?.();
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, answer: { base: run.base, dataDir: run.dataDir, now: run.clock.now() } });

async function answered(question: Question): Promise<unknown> {
  if (question.ask === 'app') return run.createApp(question.options);
  if (question.ask === 'cli') return run.cli(question.args);
  if (question.ask === 'close') return run.close();
  if (question.ask === 'advance') {
    run.clock.advance(question.ms);
    return run.clock.now();
  }
  look();
  return faults.slice(0, 5);
}

function look(): void {
  const lines = run.logs as string[];
  for (const line of lines) if (FAULT.test(line) || SECRET.test(line)) faults.push(line);
  lines.length = 0;
}
