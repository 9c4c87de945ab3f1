/** The service in a process of its own, so that one that hangs or dies is seen from outside. Asked by messages. */
import { type AppOptions, startService } from '../support/service.ts';

export type Question =
  | { id: number; ask: 'app'; options: AppOptions }
  | { id: number; ask: 'logs' | 'close' };

const run = await startService({ env: { MAIL_ANSWER_MS: '0' } });
process.on('message', async (question: Question) => {
  const answer = await answered(question);
  process.send?.({ id: question.id, answer });
  if (question.ask === 'close') process.disconnect?.();
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, answer: run.base });

async function answered(question: Question): Promise<unknown> {
  if (question.ask === 'app') return run.createApp(question.options);
  if (question.ask === 'close') return run.close();
  return {
    lines: run.logs.length,
    bad: run.logs.filter(line => SECRETS.test(line) || FAULTS.test(line)).slice(0, 5),
  };
}

/** What a log must never hold: keys, tokens, the addresses of the fuzz. */
const SECRETS = /svc_[sp]k_(live|test)_[0-9A-Za-z]{8}|eyJ[0-9A-Za-z_-]{20}|held-by-fuzz/i;
const FAULTS = /"request failed"/;
