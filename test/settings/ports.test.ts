/** PORT and PORTAL_PORT, together. */
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { suite } from '../support/suite.ts';

const test = suite('port settings');

test('API and portal need a port each, unless both take free ones', () => {
  assert.throws(
    () => loadConfig({ PORT: '8081' }),
    /^PORTAL_PORT is 8081, and so is PORT: .*example PORTAL_PORT=8082$/,
  );
  assert.throws(
    () => loadConfig({ PORTAL_PORT: '8080' }),
    /^PORTAL_PORT is 8080, and so is PORT: .*PORTAL_PORT=8081$/,
  );
  const { port, portalPort } = loadConfig({ PORT: '0', PORTAL_PORT: '0' });
  assert.equal([port, portalPort], [0, 0]);
});

test.run();
