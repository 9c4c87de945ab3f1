/**
 * The store's contract on memory-store/, a second implementation in plain collections. It holds every tier but durability, which
 * is about processes that are killed: this store lasts only as long as its process.
 */
import { suite } from '../support/suite.ts';
import { apps } from './apps.ts';
import { atomicity } from './atomicity.ts';
import { codeBursts } from './code-bursts.ts';
import { codeErasure } from './code-erasure.ts';
import { codes } from './codes.ts';
import { concurrency } from './concurrency.ts';
import { emailChanges } from './email-changes.ts';
import { encoders } from './encoders.ts';
import { erasure } from './erasure.ts';
import { firstVerification } from './first-verification.ts';
import { galleries } from './galleries.ts';
import { memoryEngine } from './memory-engine.ts';
import { operating } from './operating.ts';
import { profile } from './profile.ts';
import { rekeying } from './rekeying.ts';
import { retention } from './retention.ts';
import { signingIn } from './sign-in.ts';
import { tokens } from './tokens.ts';
import { userNumbers } from './user-numbers.ts';
import { users } from './users.ts';

const test = suite('store contract, in memory');
for (const tier of [
  apps,
  signingIn,
  codes,
  emailChanges,
  firstVerification,
  profile,
  tokens,
  encoders,
  galleries,
  atomicity,
  concurrency,
  codeBursts,
  erasure,
  codeErasure,
  retention,
  rekeying,
  users,
  userNumbers,
  operating,
])
  tier(test, memoryEngine);
test.run();
