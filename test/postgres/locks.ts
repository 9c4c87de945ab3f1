/** What the locks are for: writes with overlapping scopes wait for each other, others do not. */
import * as assert from 'uvu/assert';
import {
  OPERATORS,
  ofApp,
  ofGalleries,
  ofGallery,
  ofUser,
  ROWS,
  SCHEMA,
  type Scope,
  SERVICE,
} from '../../src/adapters/sql/scope.ts';
import { enrolled, FIRST, LIVE, OTHER, SECOND, TEST } from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { nodesOn } from './given.ts';

export function locks(test: Suite): void {
  const check = nodesOn(test);

  check('overlapping scopes wait for each other, others do not', async ({ store, one, two }) => {
    const { user } = await enrolled(store);
    const USER = ofUser(LIVE, user.id);
    const waits = async (held: Scope, asked: Scope): Promise<boolean> => {
      const holds = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const first = one.write(held, async sql => {
        await sql.get('SELECT 1');
        holds.resolve();
        await release.promise;
      });
      await holds.promise;
      let isThrough = false;
      const second = two.write(asked, async sql => {
        await sql.get('SELECT 1');
        isThrough = true;
      });
      await Promise.race([second, new Promise(done => setTimeout(done, 150))]);
      const waited = !isThrough;
      release.resolve();
      await Promise.all([first, second]);
      return waited;
    };
    for (const [held, asked, expected] of [
      [SERVICE, SERVICE, true],
      [SERVICE, ofApp(FIRST), true],
      [SERVICE, OPERATORS, true],
      [SERVICE, ofGallery(LIVE), false],
      [SCHEMA, SCHEMA, true],
      [OPERATORS, OPERATORS, true],
      [OPERATORS, ofApp(FIRST), false],
      [ofApp(FIRST), ofApp(FIRST), true],
      [ofApp(FIRST), ofApp(SECOND), false],
      [ofApp(FIRST), ofGallery(LIVE), true],
      [ofApp(FIRST), USER, true],
      [ofGallery(LIVE), ofApp(FIRST), true],
      [ofGallery(LIVE), ofGallery(LIVE), true],
      [ofGallery(LIVE), ofGallery(TEST), false],
      [ofGallery(LIVE), ofGallery(OTHER), false],
      [ofGallery(LIVE), ofGalleries([OTHER, LIVE]), true],
      [ofGallery(LIVE), USER, true],
      [USER, ofGallery(LIVE), true],
      [USER, USER, true],
      [USER, ofUser(LIVE, 'usr_other'), false],
      [ofApp(FIRST), ROWS, false],
    ] as const)
      assert.is(await waits(held, asked), expected, `${JSON.stringify(held)} then ${JSON.stringify(asked)}`);
  });
}
