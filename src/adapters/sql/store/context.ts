/** What every part of the SQL store works with. */
import type { Random } from '../../../ports/random.ts';
import type { Vault } from '../../secrets/vault.ts';
import type { Driver, Sql } from '../driver.ts';
import type { Memory } from '../memory.ts';

export interface StoreContext {
  readonly driver: Driver;
  readonly memory: Memory;
  readonly vault: Vault;
  readonly random: Random;
}

/** A write that changes what the memory may hold: forgotten between the commit and its acknowledgement. */
export async function writeAndForget<Answer>(
  { driver, memory }: StoreContext,
  work: (sql: Sql) => Promise<Answer>,
): Promise<Answer> {
  const answer = await driver.write(work);
  memory.forget();
  return answer;
}
