/** That the watch over the network sees what it is there for: each way in which a page could let a picture out. */
import * as assert from 'uvu/assert';
import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { assertOnlyDescriptorsLeave, watch } from './encoder-network.ts';
import { openLab, startPages } from './encoder-pages.ts';

const test = suite('browser: network watch');

const pages = openedFor(test, startPages);
const service = openedFor(test, startPages);
const lab = openedFor(test, () => openLab(pages, 'none'));

const VECTOR = Array.from({ length: 128 }, () => Math.sqrt(1 / 128));
const post = (body: string, type = 'application/json') =>
  `fetch(SERVICE + '/v1/match', { method: 'POST', headers: { 'content-type': '${type}' }, body: ${body} }).catch(() => 0)`;
const body = (more: object) =>
  `'${JSON.stringify({ challenge_id: 'x', descriptors: [VECTOR], liveness: { score: 0, checks: [] }, ...more })}'`;
const challenge = "fetch(SERVICE + '/v1/challenges', { method: 'POST', mode: 'no-cors' }).catch(() => 0)";

/** What the watch notes of a script of the page. */
async function noted(script: string) {
  const asked = watch(lab);
  const origin = JSON.stringify(service.origin);
  await lab.page.evaluate(`(async () => { ${script.replaceAll('SERVICE', origin)} })()`);
  await lab.page.waitForTimeout(400);
  return asked;
}
const faultOf = (asked: Parameters<typeof assertOnlyDescriptorsLeave>[0]): string | null => {
  try {
    assertOnlyDescriptorsLeave(asked, pages.origin, service.origin, ['/v1/match']);
    return null;
  } catch (error) {
    return String(error);
  }
};

const LEAKS: Record<string, string> = {
  'a picture posted to the own origin':
    "await fetch('/model/x.bin', { method: 'POST', body: new Blob(['x'], { type: 'image/jpeg' }) })",
  'a beacon': "navigator.sendBeacon('/model/x.bin', 'x')",
  'a picture in an address': "await fetch('/model/x.bin?' + 'A'.repeat(100))",
  'an image of another origin': "new Image().src = 'http://elsewhere.example/x.png'",
  'a web socket': "new WebSocket('ws://elsewhere.example/')",
  'a worker that asks elsewhere':
    'new Worker(URL.createObjectURL(new Blob(["fetch(\'http://elsewhere.example/\')"])))',
  'a picture as text to the service': post("'data:image/png;base64,AAAA'", 'text/plain'),
  'a picture as bytes to the service': post("new Blob(['x'], { type: 'image/jpeg' })", 'image/jpeg'),
};

for (const [name, script] of Object.entries(LEAKS)) {
  test(`${name} is seen`, async () => {
    const asked = await noted(`${challenge}; ${script}`);
    const others = asked.filter(({ url, method }) => !url.endsWith('/v1/challenges') && method !== 'OPTIONS');
    assert.ok(others.length > 0, 'it was noted at all');
    assert.ok(faultOf(asked) !== null, JSON.stringify(others.map(({ method, url }) => `${method} ${url}`)));
  });
}

test('a body with more than descriptors is seen, and one with descriptors is not minded', () => {
  const asked = (text: string) => [
    { method: 'POST', url: `${service.origin}/v1/challenges`, type: '', body: null },
    { method: 'POST', url: `${service.origin}/v1/match`, type: 'application/json', body: Buffer.from(text) },
  ];
  const plain = (more: object) => body(more).slice(1, -1);
  assert.is(faultOf(asked(plain({}))), null);
  for (const more of [
    { picture: 'x' },
    { email: `data:${'A'.repeat(20)}` },
    { name: 'A'.repeat(80) },
    { descriptors: [[...VECTOR, 0]] },
    { descriptors: [VECTOR.map(value => value * 200)] },
    { liveness: { score: 0, checks: [], frames: [] } },
  ])
    assert.ok(faultOf(asked(plain(more))) !== null, JSON.stringify(more).slice(0, 80));
});

test.run();
