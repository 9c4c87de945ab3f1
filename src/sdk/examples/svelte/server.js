import { randomUUID } from 'node:crypto';
import { createVerifier } from '@face-sign-in/server';
import { faceSignIn } from '@face-sign-in/server/express';
import express from 'express';

const { VITE_FACE_API: issuer, FACE_APP: appId, PORT = 3000 } = process.env;
const verifier = createVerifier({ issuer, appId, mode: 'test' });
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

app.use(express.static('dist'));
app.listen(PORT, 'localhost', () => console.log(`http://localhost:${PORT}`));
