/** The signal on which Node.js opens a port for debuggers: every user of the machine could read secrets and faces there. */
import * as assert from 'uvu/assert';
import manifest from '../../package.json' with { type: 'json' };
import { call } from '../support/client.ts';
import { newDataDir, serve } from '../support/process.ts';
import type { Running } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { assertNoDebugger } from './no-debugger.ts';

const test = suite('cli: debugger');

test('SIGUSR1 opens no port for debuggers, and ends nothing', async () => {
  const server = await serve({ DATA_DIR: newDataDir() });
  await assertNoDebugger(server);
  assert.is((await call({ base: server.base } as Running, 'GET', '/health')).status, 200);
  await server.stop();
});

test('scripts that start the program do not let Node.js listen for it either', () => {
  for (const [name, line] of Object.entries(manifest.scripts))
    if (line.includes('src/main.ts') && !line.includes('src/sdk') && !line.includes('src/executable'))
      assert.match(line, /node --disable-sigusr1 src\/main\.ts/, name);
});

test.run();
