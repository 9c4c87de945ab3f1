// FACE_API=http://127.0.0.1:8080 FACE_APP=app_… FACE_KEY=svc_pk_test_… node server.mjs
// The SDK packages are files that `face-sign-in sdk DIR` writes: nobody owns their names in the npm registry yet.
// The folder encoder: made by `face-sign-in encoder mobilefacenet --from … --out encoder`
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { createVerifier } from '@face-sign-in/server';

const { FACE_API: api, FACE_APP: appId, FACE_KEY: key, PORT = '3000' } = process.env;
const verifier = createVerifier({ issuer: api, appId, mode: 'test' });
const modules = join(import.meta.dirname, 'node_modules');
const folders = {
  encoder: join(import.meta.dirname, 'encoder'),
  model: join(modules, '@vladmandic/face-api/model'),
  wasm: join(modules, '@tensorflow/tfjs-backend-wasm/dist'),
};
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

const server = createServer(async (request, response) => {
  const [, folder, name] = /^\/(?:(encoder|model|wasm)\/)?([\w.-]*)$/.exec(request.url) ?? [];
  if (request.url === '/settings.json') return response.end(JSON.stringify({ key, api }));
  if (request.url === '/session' && request.method === 'POST') {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const claims = await verifier.verify(token).catch(() => null);
    if (claims) return response.end(JSON.stringify({ email: claims.email })); // start your session here
    return response.writeHead(401).end();
  }
  const file =
    request.url === '/'
      ? join(import.meta.dirname, 'index.html')
      : join(folders[folder] ?? join(import.meta.dirname, 'public'), name ?? '-');
  const body = await readFile(file).catch(() => null);
  response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin'); // these two make the encoder fast
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  return body ? response.end(body) : response.writeHead(404).end();
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://localhost:${server.address().port}`));
