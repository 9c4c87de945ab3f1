import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { createVerifier, verifyWebhook } from '@face-sign-in/server';

const { FACE_API: api, FACE_APP: appId, FACE_KEY: key, FACE_WEBHOOK_SECRET, PORT = '3000' } = process.env;
const verifier = createVerifier({ issuer: api, appId, mode: 'test' });
const sessions = new Map(); // in place of your own session store

const folders = {
  '/encoder/': 'encoder',
  '/sdk/': 'node_modules/@face-sign-in/browser',
  '/face-api/': 'node_modules/@vladmandic/face-api/dist',
  '/model/': 'node_modules/@vladmandic/face-api/model',
  '/wasm/': 'node_modules/@tensorflow/tfjs-backend-wasm/dist',
};
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Where a path is on the disk. URLs have no ".." left when they are parsed. */
function fileOf(path) {
  if (path === '/' || path === '/app.js')
    return join(import.meta.dirname, path === '/' ? 'index.html' : path);
  const start = Object.keys(folders).find(start => path.startsWith(start));
  return start && /^[\w./-]+$/.test(path)
    ? join(import.meta.dirname, folders[start], path.slice(start.length))
    : null;
}

async function answerTo(request, headers) {
  const address = `http://localhost${request.url}`;
  const pathname = URL.canParse(address) ? new URL(address).pathname : ''; // anybody may send anything
  const json = value => ({ status: 200, type: 'application/json', body: JSON.stringify(value) });
  if (pathname === '/settings.json') return json({ key, api });
  if (pathname === '/session' && request.method === 'POST') {
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    const claims = await verifier.verify(token).catch(() => null);
    if (!claims) return { status: 401 };
    const id = randomUUID();
    sessions.set(id, claims); // claims.sub is the key of your accounts
    return { ...json({ email: claims.email }), cookie: `session=${id}; HttpOnly; SameSite=Lax; Path=/` };
  }
  if (pathname === '/session') {
    const [, id] = /(?:^|; )session=([\w-]+)/.exec(headers.cookie) ?? [];
    return json({ email: sessions.get(id)?.email ?? null });
  }
  if (pathname === '/webhooks' && request.method === 'POST') {
    const body = Buffer.concat(await request.toArray()); // as it came, not parsed
    const event = await verifyWebhook(headers, body, FACE_WEBHOOK_SECRET).catch(() => null);
    if (!event) return { status: 400 };
    const isOver = ['user.deleted', 'user.tokens_revoked'].includes(event.type);
    for (const [id, { sub }] of sessions) if (isOver && sub === event.data.user_id) sessions.delete(id);
    return { status: 204 };
  }
  const file = ['GET', 'HEAD'].includes(request.method) ? fileOf(pathname) : null;
  const body = file && (await readFile(file).catch(() => null));
  return body ? { status: 200, type: types[extname(file)], body } : { status: 404 };
}

const server = createServer(async (request, response) => {
  const { status, type, body, cookie } = await answerTo(request, request.headers);
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin'); // these two make the encoder fast
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  if (type) response.setHeader('Content-Type', type);
  if (cookie) response.setHeader('Set-Cookie', cookie);
  response.writeHead(status).end(body);
});
server.listen(Number(PORT), 'localhost', () => console.log(`http://localhost:${server.address().port}`));
