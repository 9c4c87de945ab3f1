/**
 * Everything that the pages of a browser ask the network for, and the one rule about it: programs and models from the page's own
 * origin, JSON with descriptors to the service, nothing else. Held by test/browser/encoder-network.test.ts.
 */
import type { Request } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Lab } from './encoder-pages.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly type: string;
  readonly body: Buffer | null;
}

/** From now on; requests of workers are among them. */
export function watch({ context, page }: Lab): Asked[] {
  const asked: Asked[] = [];
  const note = (request: Request) =>
    asked.push({
      method: request.method(),
      url: request.url(),
      type: request.headers()['content-type'] ?? '',
      body: request.postDataBuffer(),
    });
  context.on('request', note);
  page.on('websocket', socket =>
    asked.push({ method: 'WEBSOCKET', url: socket.url(), type: '', body: null }),
  );
  return asked;
}

/**
 * @param page the page's own origin
 * @param service where the service is
 * @param paths what the service was asked for after the challenge
 */
export function assertOnlyDescriptorsLeave(
  asked: readonly Asked[],
  page: string,
  service: string,
  paths: readonly string[],
): void {
  const sent: string[] = [];
  for (const { method, url, type, body } of asked) {
    const at = `${method} ${url} ${type} ${body?.length ?? 0} bytes`;
    const { origin, protocol, pathname, search } = new URL(url);
    assert.is(search, '', at);
    if (protocol === 'blob:') {
      assert.ok(method === 'GET' && url.startsWith(`blob:${page}/`), `a worker's program: ${at}`);
    } else if (origin === page) {
      assert.is(method, 'GET', at);
      assert.match(pathname, /^\/(face-api|model|wasm|encoder)\/[\w.-]+\.(js|json|bin|wasm|f16)$/, at);
      assert.is(body, null, at);
    } else {
      assert.is(origin, service, at);
      if (method === 'OPTIONS') continue;
      assert.is(method, 'POST', at);
      sent.push(pathname);
      if (pathname === '/v1/challenges') assert.is(body, null, at);
      else assertDescriptors(type, body, at);
    }
  }
  assert.equal(sent, ['/v1/challenges', ...paths]);
}

const FIELDS = ['challenge_id', 'consent', 'email', 'encoder', 'name'];

function assertDescriptors(type: string, body: Buffer | null, at: string): void {
  assert.is(type, 'application/json', at);
  const text = body?.toString() ?? '';
  assert.ok(text.length > 0 && text.length < 20_000, at);
  assert.not.match(text, /data:|blob:|image|base64|[A-Za-z0-9+/]{60}/, 'nothing that could be a picture');
  const { descriptors, liveness, ...rest } = JSON.parse(text);
  for (const key of Object.keys(rest)) assert.ok(FIELDS.includes(key), key);
  for (const descriptor of descriptors) {
    assert.is(descriptor.length, 128);
    assert.ok(descriptor.every(Number.isFinite));
    assert.ok(Math.abs(Math.hypot(...descriptor) - 1) < 1e-6);
  }
  assert.equal(Object.keys(liveness).sort(), ['checks', 'score']);
}
