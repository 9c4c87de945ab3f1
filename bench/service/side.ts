/** The service as one side of a trial: its process, and the sign-ins of its gallery's users. */
import type { ChildProcess } from 'node:child_process';
import { NO_LIMITS } from '../../test/support/no-limits.ts';
import { ORIGIN } from './enrolled.ts';
import { captureOf, type Gallery } from './galleries.ts';
import type { Side } from './measure.ts';
import { listening, startServer } from './servers.ts';
import { verified } from './verified.ts';

/** All sign-ins come from one address and in one app. */
export const UNLIMITED = NO_LIMITS;

/** @param flags of Node.js */
export function startService(folder: string, flags: string[] = [], cores?: string): ChildProcess {
  const env = { DATA_DIR: folder, PORT: '0', PORTAL_PORT: '0', DEMO: 'off', ...UNLIMITED };
  return startServer([...flags, 'src/main.ts', 'serve'], { ...process.env, ...env }, cores);
}

/** Resolves when the service has the gallery loaded and some of its answers were right. */
export async function sideOf(gallery: Gallery, server: ChildProcess): Promise<Side> {
  const address = await listening(server, /"api":"([^"]+)"/);
  await verified(address, gallery);
  const { users, key, signers } = gallery;
  const job = {
    address,
    paths: ['/v1/challenges', '/v1/match'],
    headers: { origin: ORIGIN, 'x-svc-key': key },
    bodies: signers.map(({ person }) => `,"descriptors":[${JSON.stringify(captureOf(person, 1))}]}`),
    expected: signers.map(({ userId }) => `"user":{"id":"${userId}"`),
  } as const;
  return { engine: 'service', templates: users, server, job };
}
