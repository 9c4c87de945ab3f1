/** The service as one side of a trial: its process, and the sign-ins of the users in its gallery. */
import type { ChildProcess } from 'node:child_process';
import { NO_LIMITS } from '../../test/support/no-limits.ts';
import { checkAnswers } from './check-answers.ts';
import { ORIGIN } from './enrolled.ts';
import type { Gallery } from './galleries.ts';
import type { Side } from './measure.ts';
import { listening, startServer } from './servers.ts';

/** All sign-ins use one IP address and one app. */
export const UNLIMITED = NO_LIMITS;

export function startService(folder: string, cores?: string): ChildProcess {
  const env = { DATA_DIR: folder, PORT: '0', PORTAL_PORT: '0', DEMO: 'off', ...UNLIMITED };
  return startServer(['src/main.ts', 'serve'], { ...process.env, ...env }, cores);
}

/** Resolves when the service has loaded the gallery and its first answers are right. */
export async function sideOf(gallery: Gallery, server: ChildProcess): Promise<Side> {
  const address = await listening(server, /"api":"([^"]+)"/);
  await checkAnswers(address, gallery);
  const { users, key, signers, people } = gallery;
  const job = {
    address,
    paths: ['/v1/challenges', '/v1/match'],
    headers: { origin: ORIGIN, 'x-svc-key': key },
    bodies: signers.map(({ person }) => `,"descriptors":[${JSON.stringify(people.genuine(person, 1))}]}`),
    expected: signers.map(({ userId }) => `"user":{"id":"${userId}"`),
  } as const;
  return { engine: 'service', templates: users, server, job };
}
