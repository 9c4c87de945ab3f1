/** Whether what was sent is durable. Held by test/postgres/lost-answers.ts and standby-lacks.test.ts. */
import type pg from 'pg';
import { StoreUnavailable } from '../../ports/store.ts';
import { isAnswer } from './faults.ts';
import type { Statements } from './statements.ts';

/** What the server says if its wait for the standby was cancelled: the standby may not have the commit. */
const COMMITTED_LOCALLY = '01000';

/**
 * What a transaction has done is certain only by how its commit ended. If that was a rollback, the fault of a statement
 * is reported, and the transaction may be repeated. @throws StoreUnavailable, or that fault
 */
export async function committed(statements: Statements): Promise<void> {
  statements.endPiece();
  const end = await statements.perform('COMMIT', []).catch(error => {
    throw new StoreUnavailable(error);
  });
  const fault = await statements.fault();
  if (fault && end.command === 'ROLLBACK') throw fault;
  // If it was committed, an answer is missing.
  if (fault || end.command !== 'COMMIT')
    throw new StoreUnavailable(fault ?? new Error('nothing was committed'));
}

/** Only the server can say that a statement failed: any other fault may have come after it was committed. */
export function rethrowAnswer(error: unknown): never {
  throw isAnswer(error) ? error : new StoreUnavailable(error);
}

/** What commits is certain only if the server had not to stop waiting for its standby. @throws StoreUnavailable */
export async function acknowledged<Answer>(
  client: pg.PoolClient,
  send: () => Promise<Answer>,
): Promise<Answer> {
  let isLocal = false;
  const listen = ({ code }: { code?: string | undefined }) => {
    isLocal ||= code === COMMITTED_LOCALLY;
  };
  client.on('notice', listen);
  try {
    const answer = await send();
    if (isLocal) throw new StoreUnavailable(new Error('the standby may lack the commit'));
    return answer;
  } finally {
    client.off('notice', listen);
  }
}
