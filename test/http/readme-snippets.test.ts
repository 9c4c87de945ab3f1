/** The code that README shows is the code that runs here, against a real server; only addresses are put in its place. */
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { syntheticFaces } from '../../src/sdk/browser/testing.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const faces = syntheticFaces(3);

const test = suite('readme snippets');
let service: Running;
let app: TestApp;

test.before(async () => {
  service = await startService({ env: { BASE_URL: '' } });
  app = await service.createApp();
});
test.after(() => service.close());

function snippet(name: string): string {
  const found = new RegExp(`<!-- snippet: ${name} -->\\n\`\`\`js\\n([^]*?)\`\`\``).exec(README)?.[1];
  if (!found?.includes('http://127.0.0.1:8080'))
    throw new Error(`README has no snippet "${name}" with the default address`);
  return found.replaceAll('http://127.0.0.1:8080', service.base);
}

/** What a browser adds by itself. */
function pageFetch(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, headers: { ...init.headers, Origin: app.origin } });
}

// biome-ignore lint/suspicious/noExplicitAny: the snippet's answer, as a page reads it
async function runPage(descriptor: number[]): Promise<any> {
  const body = `return (async () => { ${snippet('page')}\nreturn result; })()`;
  return new Function('publishableKey', 'descriptor', 'fetch', body)(app.live.pk, descriptor, pageFetch);
}

async function enrollAda(): Promise<void> {
  const headers = { 'X-Svc-Key': app.live.pk, 'Content-Type': 'application/json' };
  const challenge = await (
    await pageFetch(`${service.base}/v1/challenges`, { method: 'POST', headers })
  ).json();
  const consent = { policy_version: '1', accepted: true };
  const fields = {
    challenge_id: challenge.challenge_id,
    email: 'ada@example.com',
    descriptors: [faces.genuine(0)],
    consent,
  };
  const answer = await pageFetch(`${service.base}/v1/enroll`, {
    method: 'POST',
    headers,
    body: JSON.stringify(fields),
  });
  assert.is(answer.status, 201);
}

test('the page signs Ada in, and the server verifies her token for its own app only', async () => {
  await enrollAda();
  const result = await runPage(faces.genuine(0, 1));
  assert.is(result.user.email, 'ada@example.com');

  const code = snippet('server').replace(`'jose'`, JSON.stringify(import.meta.resolve('jose')));
  // The clock of the service is moved by tests, so the library is told the same time.
  const timed = code.replace('{ issuer,', `{ currentDate: new Date(${service.clock.now()}), issuer,`);
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(timed)}`);
  assert.is((await verify(result.token, app.id)).sub, result.user.id);
  assert.is(
    await verify(result.token, 'app_other').catch((error: Error) => error.message),
    'a token of another app or mode',
  );
});

test('the page is told when nobody is recognised', async () => {
  assert.is((await runPage(faces.stranger(1))).error.code, 'no_match');
});

test.run();
