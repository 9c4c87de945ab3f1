/** Addresses that no client of ours sends: each is answered by the envelope, and none is a fault of the service. */
import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { OPERATIONS } from '../../src/operations/index.ts';
import { ask, credentials, operatorsFor, type Session } from '../support/portal.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { placeIn } from './internal/setup.ts';

const test = suite('portal: paths');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
let admin: Session;
test.before(async () => {
  admin = await operators.create({ isAdmin: true });
});

/** The first line of the answer to these bytes, and its body. */
async function sent(path: string, method = 'GET'): Promise<{ status: number; code: string | undefined }> {
  const { host, port } = new URL(run.portal);
  const headers = Object.entries({ host, connection: 'close', ...credentials(admin) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const text = await new Promise<string>((resolve, reject) => {
    let all = '';
    const socket = connect(Number(port), '127.0.0.1');
    socket.setEncoding('utf8').on('data', part => {
      all += part;
    });
    socket.on('close', () => resolve(all)).on('error', reject);
    socket.write(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  });
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return { status: Number(text.split(' ')[1]), code: /"code":"(\w+)"/.exec(body)?.[1] };
}

const MALFORMED = ['%E0%A4%A', '%', '%zz', '%00', 'a%00b', '%ED%A0%80', '%FF'];
const PLACES = ['/', '/apps/', '/docs/', '/assets/', '/try/', '/health/', '/internal/', '/internal/apps/'];

test('a path that is no encoded text, or has NUL: 400, wherever it is', async () => {
  for (const place of PLACES)
    for (const part of MALFORMED)
      assert.equal(
        await sent(`${place}${part}`),
        { status: 400, code: 'invalid_request' },
        `${place}${part}`,
      );
});

const OTHERS: readonly [string, number, string?][] = [
  ['//', 404, 'not_found'],
  ['///', 404, 'not_found'],
  ['//evil.example/', 404, 'not_found'],
  ['/internal//apps', 404, 'not_found'],
  ['/assets/..%2f..%2fpackage.json', 404, 'not_found'],
  ['*', 404, 'not_found'],
  ['http://[', 400, 'invalid_request'],
  ['/health?%E0%A4%A', 200],
  ['/internal/audit?actor=%00', 400, 'invalid_request'],
];
test('other addresses', async () => {
  for (const [path, status, code] of OTHERS) assert.equal(await sent(path), { status, code }, path);
});

test('every parameter of every route of the internal API', async () => {
  const place = await placeIn(operators, 'Paths');
  const known: Record<string, string> = { team: place.team, app: place.app, mode: 'live' };
  for (const { method, path } of OPERATIONS)
    for (const [, name] of path.matchAll(/:(\w+)/g))
      for (const [value, status] of [
        ['%E0%A4%A', 400],
        ['%00', 400],
        ['%F0%9F%98%80', 404],
      ] as const) {
        const asked = path.replace(/:(\w+)/g, (_, one) => (one === name ? value : (known[one] ?? 'x')));
        const answer = await sent(`/internal${asked}`, method);
        // Some routes look at their body first.
        assert.ok([status, 400].includes(answer.status), `${method} ${asked} → ${answer.status}`);
      }
  assert.is((await ask(run, 'GET', '/session', { as: admin })).status, 200);
});

test.run();
