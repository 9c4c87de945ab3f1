/** Races for what may be there once: an email address, a face. The database shows that the losers left nothing. */
import { challenges, faces, type Mode, someEmail, usage, verify } from '../../support/client.ts';
import type { Running, TestApp } from '../../support/service.ts';
import type { BurstRequest, Reply } from './burst.ts';
import { count, differs, enrollRequest, type Race, type Setup, unlike } from './setup.ts';

type Make = (app: TestApp, mode: Mode, challengeId: string, n: number) => BurstRequest;

export const sameEmail = race('same email enrolled, with different faces', '409 email_taken', email => {
  const spellings = [email, email.toUpperCase(), ` ${email}`];
  return (app, mode, id, n) => enrollRequest(app, mode, id, faces.genuine(n), spellings[n % 3] ?? email);
});

export const sameFace = race(
  'same face enrolled, with different emails',
  '409 face_already_enrolled',
  () => (app, mode, id, n) => enrollRequest(app, mode, id, faces.genuine(0, n), someEmail()),
);

export const sameBoth = race('same email and face enrolled', '409 email_taken', email => {
  const face = faces.genuine(0);
  return (app, mode, id) => enrollRequest(app, mode, id, face, email);
});

function race(name: string, refused: string, maker: (email: string) => Make): Race {
  return {
    name,
    wanted: `one 201, the rest ${refused}, no orphan rows`,
    async run({ run, mode, parallel, send }: Setup) {
      const app = await run.createApp();
      const make = maker(someEmail());
      const ids = await challenges(run, app, parallel, mode);
      const replies = await send(ids.map((id, n) => make(app, mode, id, n)));
      return [
        ...unlike(replies, { 201: 1, [refused]: parallel - 1 }),
        ...(await leftBehind(run, app, mode, replies)),
        ...differs('enrolls counted', usage(run, app, mode).enrolls, 1),
        ...differs('challenges left', count(run, 'challenges', 'app_id = ?', app.id), 0),
      ];
    },
  };
}

async function leftBehind(run: Running, app: TestApp, mode: Mode, replies: Reply[]): Promise<string[]> {
  const winner = replies.find(({ status }) => status === 201)?.json;
  const users = run.rows('SELECT id FROM users WHERE app_id = ?', app.id).map(({ id }) => id);
  const templates = count(run, 'templates', 'app_id = ?', app.id);
  const consents = count(run, 'consents', 'user_id IN (SELECT id FROM users WHERE app_id = ?)', app.id);
  const verified = winner && (await verify(run, app, winner.token, mode)).json;
  return [
    ...differs('users', users, [winner?.user.id]),
    ...differs('templates and consents', [templates, consents], [1, 1]),
    ...differs('whose token it is', verified?.claims?.sub, winner?.user.id),
  ];
}
