/** Every tier of the store's contract, for every engine. */
import type { Suite } from '../support/suite.ts';
import { apps } from './apps.ts';
import { atomicity } from './atomicity.ts';
import { audit } from './audit.ts';
import { codeBursts } from './code-bursts.ts';
import { codes } from './codes.ts';
import { concurrency } from './concurrency.ts';
import { durability } from './durability.ts';
import { encoders } from './encoders.ts';
import type { Engine } from './engine.ts';
import { erasure } from './erasure.ts';
import { firstVerification } from './first-verification.ts';
import { galleries } from './galleries.ts';
import { knownNetworks } from './known-networks.ts';
import { lookAlikes } from './look-alikes.ts';
import { numbers } from './numbers.ts';
import { operating } from './operating.ts';
import { operatorKeys } from './operator-keys.ts';
import { operators } from './operators.ts';
import { outbox } from './outbox.ts';
import { outboxErasure } from './outbox-erasure.ts';
import { profile } from './profile.ts';
import { rekeying } from './rekeying.ts';
import { retention } from './retention.ts';
import { revocations } from './revocations.ts';
import { signingIn } from './sign-in.ts';
import { tokens } from './tokens.ts';
import { userNumbers } from './user-numbers.ts';
import { webhooks } from './webhooks.ts';
import { windowEvents } from './window-events.ts';

type Tier = (test: Suite, engine: Engine) => void;

const TIERS: readonly Tier[] = [
  apps,
  signingIn,
  codes,
  firstVerification,
  profile,
  tokens,
  outbox,
  outboxErasure,
  revocations,
  encoders,
  galleries,
  atomicity,
  knownNetworks,
  lookAlikes,
  concurrency,
  windowEvents,
  codeBursts,
  erasure,
  retention,
  rekeying,
  userNumbers,
  operating,
  numbers,
  operators,
  operatorKeys,
  audit,
  webhooks,
  durability,
];

export function holdContract(test: Suite, engine: Engine): void {
  for (const tier of TIERS) tier(test, engine);
}
