import { randomUUID } from 'node:crypto';
import { createVerifier } from '@face-sign-in/server';
import { faceSignIn } from '@face-sign-in/server/express';
import express from 'express';

const { FACE_API: api, FACE_APP: appId, FACE_KEY: key, PORT = 3000 } = process.env;
const verifier = createVerifier({ issuer: api, appId, mode: 'test' });
const sessions = new Map(); // in place of your own session store
const app = express();

app.post('/session', faceSignIn(verifier), (req, res) => {
  const { sub, email } = req.faceSignIn;
  const id = randomUUID();
  sessions.set(id, { sub, email }); // sub is the key of your accounts
  res.cookie('session', id, { httpOnly: true, sameSite: 'lax' }).json({ email });
});

app.get('/session', (req, res) => {
  const [, id] = /(?:^|; )session=([\w-]+)/.exec(req.headers.cookie) ?? [];
  res.json({ email: sessions.get(id)?.email ?? null });
});

app.get('/settings.json', (_, res) => res.json({ key, api }));
app.use(express.static('public'));
for (const [path, folder] of Object.entries({
  '/sdk': '@face-sign-in/browser',
  '/face-api': '@vladmandic/face-api/dist',
  '/model': '@vladmandic/face-api/model',
  '/wasm': '@tensorflow/tfjs-backend-wasm/dist',
}))
  app.use(path, express.static(`node_modules/${folder}`));
app.listen(PORT, 'localhost', () => console.log(`http://localhost:${PORT}`));
