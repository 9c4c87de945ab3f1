/** A node's store, whose sign-ins are all of one app: so many at once, for some seconds. Prints how many it made. */
import { join } from 'node:path';
import { openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { monthOf } from '../../src/protocol/time.ts';
import { postgresUrl } from '../../src/settings/postgres.ts';
import { TEST_MASTER_SECRET } from '../../test/support/ready-database.ts';

const [url = '', folder = '', appId = '', prefix = '', users = '', atOnce = '', ms = ''] =
  process.argv.slice(2);

const { store } = await openPostgresStore(
  {
    address: postgresUrl('DATABASE_URL', url),
    pool: 16,
    masterSecret: TEST_MASTER_SECRET,
    masterSecretFile: '',
    erasuresFile: join(folder, `${prefix}.jsonl`),
  },
  systemRandom(),
);
let turn = 0;
let done = 0;
const began = performance.now();
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (performance.now() - began < Number(ms)) {
      const n = turn++;
      const at = Date.now();
      const { outcome } = await store.recordSignIn({
        gallery: { appId, mode: 'live' },
        challengeId: `${prefix}${n}`,
        user: 1 + (n % Number(users)),
        at,
        auth: { month: monthOf(at), limit: null },
        token: { jti: 'jti_bench', expiresAt: Date.now() + 3_600_000 },
        origin: { ip: '127.0.0.1', userAgent: '', liveness: undefined },
        matchesOf: () => null,
        failures: [],
        distanceBin: 10,
      });
      if (outcome !== 'signed_in') throw new Error(`sign-in ${n}: ${outcome}`);
      done += 1;
    }
  }),
);
const seconds = (performance.now() - began) / 1_000;
await store.close();
console.log(JSON.stringify({ done, seconds }));
