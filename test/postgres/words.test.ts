/** What the store does without on PostgreSQL, because it does not go with several nodes, or with poolers. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('postgres: words');
const ADAPTERS = join(import.meta.dirname, '../../src/adapters');

test('no LISTEN, NOTIFY or SERIALIZABLE, and an advisory lock for migrations alone', () => {
  const found = globSync('{sql,postgres}/**/*.{ts,sql}', { cwd: ADAPTERS }).flatMap(file =>
    [
      ...readFileSync(join(ADAPTERS, file), 'utf8').matchAll(
        /\b(?:LISTEN|NOTIFY|SERIALIZABLE|pg_notify|pg_(?:try_)?advisory\w*)\b/g,
      ),
    ].map(([word]) => `${file}: ${word}`),
  );
  assert.equal(found, ['postgres/locks.ts: pg_advisory_xact_lock']);
});

test.run();
