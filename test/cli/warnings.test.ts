/** What is allowed and unwise is told where an operator looks: the log at the start, doctor, and the command that does it. */
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { logLines, madeDataDir, newDataDir, serve, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: warnings');
const UNWISE = { HOST: '0.0.0.0', BASE_URL: 'http://face.example', DEMO: 'on' };

test('settings: one line each at warn level, and warnings of doctor, which are no failure', async () => {
  const settings = { ...UNWISE, DATA_DIR: newDataDir() };
  const server = await serve(settings);
  const ran = await within(['doctor', '--json'], { ...settings, MATCH_TRESHOLD: '0.4' });
  await server.stop();
  const lines = logLines(server.printed.stdout).filter(({ level }) => level === 'warn');
  assert.equal(
    lines.map(({ setting }) => setting),
    ['BASE_URL', 'DEMO'],
  );
  for (const { msg, todo } of lines) assert.ok(msg && todo);
  const { ok, checks } = JSON.parse(ran.stdout);
  assert.ok(ok);
  const warned = checks.filter(({ warning }: Json) => warning);
  assert.equal(
    warned.map(({ name }: Json) => name),
    ['settings', 'BASE_URL', 'DEMO'],
  );
  assert.match(warned[0].detail, /MATCH_TRESHOLD .*did you mean MATCH_THRESHOLD/);
  assert.match(warned[1].detail, /http:\/\/face\.example, without TLS/);
});

test('an http origin beyond localhost: done, and one line on stderr that names the https one', async () => {
  const env = { DATA_DIR: await madeDataDir() };
  const origins = ['http://shop.example', 'http://localhost:3000', 'https://b.example'];
  const words = origins.flatMap(origin => ['--origin', origin]);
  const made = await within(['app', 'create', '--name', 'Shop', ...words, '--json'], env);
  assert.is(made.code, 0);
  const { app } = JSON.parse(made.stdout);
  assert.equal(app.allowed_origins, origins);
  const { warning } = JSON.parse(made.stderr);
  assert.match(warning.message, /^http:\/\/shop\.example is not encrypted: .*use https:\/\/shop\.example$/);
  const updated = await within(['app', 'update', app.id, ...words], env);
  assert.is(updated.code, 0);
  assert.match(updated.stderr, /^face-sign-in: warning: http:\/\/shop\.example is not encrypted: [^\n]+\n$/);
  const safe = await within(['app', 'update', app.id, '--origin', 'http://localhost:3000'], env);
  assert.equal([safe.code, safe.stderr], [0, '']);
});

test.run();
