/** People whose every trace can be told from everybody else's, and where those traces have to be before they go. */
import Database from 'better-sqlite3';
import { syntheticFaces } from '../../../src/sdk/browser/testing.ts';
import { enrolled, type Json, match } from '../../support/client.ts';
import type { Running, TestApp } from '../../support/service.ts';

export const faces = syntheticFaces(404);

export interface Marked {
  readonly app: TestApp;
  readonly id: string;
  readonly token: string;
  /** What: text or bytes. In files as they are, descriptors sealed. */
  readonly inFiles: Readonly<Record<string, Buffer>>;
  /** 16-byte pieces of the stored vectors. */
  readonly inMemory: readonly Buffer[];
}

let people = 0;

/** Enrolls somebody, who signs in once; from an address that nobody else has. */
export async function enrolMarked(run: Running, app: TestApp, database: string): Promise<Marked> {
  const n = people++;
  const word = `${n.toString(36).padStart(5, '0')}${Math.random().toString(36).slice(2, 10)}`;
  const email = `mark.${word}@m${word}.example`;
  const name = `Name ${word} Of Mark`;
  const ip = `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}:9:8:7:6`;
  const descriptors = [faces.genuine(n, 0), faces.genuine(n, 1)];
  const fields = {
    email,
    name,
    consent: { accepted: true, policy_version: `policy-${word}` },
    liveness: { score: 0.5, checks: [`check-${word}`] },
  };
  const { user, token } = (await enrolled(run, app, { descriptors, fields, ip })) as Json;
  const found = await match(run, app, { descriptors: [faces.genuine(n, 2)], ip });
  if (found.json.user?.id !== user.id) throw new Error(`${user.id} is not found: ${found.text}`);
  const texts = { id: user.id, email, name, 'policy version': `policy-${word}`, liveness: `check-${word}` };
  const inFiles: Record<string, Buffer> = Object.fromEntries(
    Object.entries(texts).map(([what, text]) => [what, Buffer.from(text)]),
  );
  const stored = storedOf(database, user.id);
  for (const [i, bytes] of stored.entries()) {
    inFiles[`sealed ${i}, begin`] = bytes.subarray(1, 25);
    inFiles[`sealed ${i}, end`] = bytes.subarray(-24);
  }
  const vectors = descriptors.map(asStored);
  for (const [i, vector] of vectors.entries()) inFiles[`descriptor ${i}`] = vector.subarray(0, 16);
  const inMemory = vectors.flatMap(vector => [0, 256, 496].map(at => vector.subarray(at, at + 16)));
  return { app, id: user.id, token, inFiles, inMemory };
}

/** What is never in a file in the clear: not before either. */
export const neverInFiles = (what: string) => /^(descriptor|email|name|liveness)/.test(what);

/** As decisions says that it is stored: normalised in double, rounded to float32. */
function asStored(descriptor: readonly number[]): Buffer {
  const norm = Math.sqrt(descriptor.reduce((sum, x) => sum + x * x, 0));
  const vector = Float32Array.from(descriptor, x => x / norm);
  return Buffer.from(vector.buffer);
}

function storedOf(file: string, id: string): Buffer[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare(
        `SELECT sealed FROM templates WHERE user_id = @id UNION ALL SELECT sealed FROM users WHERE id = @id
         UNION ALL SELECT sealed FROM consents WHERE user_id = @id
         UNION ALL SELECT sealed FROM auth_events WHERE user_id = @id
         UNION ALL SELECT sealed FROM outbox WHERE user_id = @id`,
      )
      .pluck()
      .all({ id }) as Buffer[];
  } finally {
    database.close();
  }
}
