/** What every part of the SQL store works with. */
import type { Random } from '../../../ports/random.ts';
import type { Vault } from '../../secrets/vault.ts';
import type { Driver } from '../driver.ts';

export interface StoreContext {
  readonly driver: Driver;
  readonly vault: Vault;
  readonly random: Random;
}
