/**
 * The library of Standard Webhooks is the judge: it takes what the service sends, and what it signs the server SDK takes;
 * and the two refuse alike. Python's hmac takes it in ten lines. The library is installed in a temporary folder, in the
 * version of webhooks/package-lock.json.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { newSecret, rolled, signedRequest } from '../../src/domain/webhooks/signature.ts';
import { verifyWebhook } from '../../src/sdk/server/index.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Library {
  verify(body: string, headers: Record<string, string>): unknown;
  sign(id: string, at: Date, body: string): string;
}

const test = suite('clients: webhooks');
const TRIES = 200;
const DEBIAN_PYTHON = '/usr/bin/python3';
const random = { bytes: randomBytes };
const gallery = { appId: `app_${'a'.repeat(24)}`, mode: 'live' } as const;
let libraryFor: (secret: string) => Library;

test.before(async () => {
  const folder = tempFolder();
  cpSync(join(import.meta.dirname, 'webhooks'), folder, { recursive: true });
  const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const entry = join(folder, 'node_modules/standardwebhooks/dist/index.js');
  const { Webhook } = await import(pathToFileURL(entry).href);
  libraryFor = secret => new Webhook(secret);
});

/** An event as the service sends it now, to an address of which the secret was rolled. */
function sent() {
  const old = newSecret(random);
  const secrets = rolled([old], random, Date.now());
  const id = `evt_${randomBytes(20).toString('hex').slice(0, 25)}`;
  const data = { user_id: 'usr_ü€😀', reason: 'self' } as const;
  const event = { id, seq: randomInt(1, 1e9), at: Date.now(), type: 'user.deleted', data } as const;
  const { headers, body } = signedRequest({ url: 'https://a.example', gallery, secrets }, event, Date.now());
  return { headers, body, secrets: secrets.map(({ secret }) => secret) };
}

const isTaken = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

test('what the service sends, the library and the SDK take, with either secret of a roll', async () => {
  for (let n = 0; n < TRIES; n++) {
    const { headers, body, secrets } = sent();
    for (const secret of secrets) {
      assert.equal(libraryFor(secret).verify(body, headers), JSON.parse(body));
      assert.equal(await verifyWebhook(headers, body, secret), JSON.parse(body));
    }
  }
});

test('what the library signs, the SDK takes', async () => {
  for (let n = 0; n < TRIES; n++) {
    const { headers, body, secrets } = sent();
    const id = headers['webhook-id'] as string;
    const signature = libraryFor(secrets[0] as string).sign(id, new Date(), body);
    assert.is(
      await isTaken(verifyWebhook({ ...headers, 'webhook-signature': signature }, body, secrets)),
      true,
    );
  }
});

type Change = (headers: Record<string, string>, body: string) => [Record<string, string>, string];
const edited =
  (name: string, how: (value: string) => string): Change =>
  (headers, body) => [{ ...headers, [name]: how(headers[name] ?? '') }, body];
const CHANGES: Record<string, Change> = {
  'another body': (headers, body) => [headers, `${body} `],
  'another id': edited('webhook-id', id => `${id}0`),
  'a second later': edited('webhook-timestamp', at => String(Number(at) + 1)),
  'ten minutes ago': edited('webhook-timestamp', at => String(Number(at) - 600)),
  'in ten minutes': edited('webhook-timestamp', at => String(Number(at) + 600)),
  'no moment': edited('webhook-timestamp', () => 'now'),
  'no signature': edited('webhook-signature', () => ''),
  'another version': edited('webhook-signature', text => text.replaceAll('v1,', 'v2,')),
  'signatures cut': edited('webhook-signature', text => text.replaceAll('= v1', ' v1').slice(0, -2)),
};
for (const [name, change] of Object.entries(CHANGES))
  test(`the library and the SDK refuse: ${name}`, async () => {
    const { headers, body, secrets } = sent();
    const [changed, text] = change(headers, body);
    assert.throws(() => libraryFor(secrets[0] as string).verify(text, changed));
    assert.is(await isTaken(verifyWebhook(changed, text, secrets)), false);
  });

const PYTHON = `
import base64, hashlib, hmac, json, sys

def verify(headers, body, secret):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.'.encode() + body
    good = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(good, one) for one in headers["webhook-signature"].split())

for line in sys.stdin:
    q = json.loads(line)
    print(verify(q["headers"], q["body"].encode(), q["secret"]))
`;

test("Python's hmac takes what the service sends, and nothing else", () => {
  const all = Array.from({ length: 20 }, sent);
  const lines = all.flatMap(({ headers, body, secrets }) => [
    ...secrets.map(secret => ({ headers, body, secret })),
    { headers, body: `${body} `, secret: secrets[0] },
  ]);
  const input = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  const said = execFileSync(DEBIAN_PYTHON, ['-c', PYTHON], { input, encoding: 'utf8' });
  assert.equal(
    said.trim().split('\n'),
    all.flatMap(() => ['True', 'True', 'False']),
  );
});

test.run();
