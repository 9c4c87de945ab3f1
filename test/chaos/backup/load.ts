/** Writers that never rest, and what they were told: when each user began to be, and when it ended. */
import { syntheticFaces } from '../../../src/sdk/browser/testing.ts';
import { call, enroll, server } from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import type { Running, TestApp } from '../../support/service.ts';

export const faces = syntheticFaces(505);

/** Times of performance.now(). */
export interface Lived {
  readonly person: number;
  readonly id: string;
  readonly email: string;
  /** When the enrolment was sent, and when it was acknowledged. */
  readonly asked: number;
  readonly enrolled: number;
  /** When the deletion was sent, and when it was acknowledged. */
  leaving: number;
  left: number;
}

export interface Load {
  readonly lives: readonly Lived[];
  /** Requests that were not answered as they should. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

/** @param chance a whole number below the one given */
export function startLoad(
  run: Running,
  app: TestApp,
  writers: number,
  chance: (below: number) => number,
): Load {
  const lives: Lived[] = [];
  const faults: string[] = [];
  let people = 0;
  let stopped = false;

  async function write(): Promise<void> {
    const own: { life: Lived; token: string }[] = [];
    while (!stopped) {
      const some = own.length > 0 ? own[chance(own.length)] : undefined;
      const what = chance(10);
      if (!some || what < 5) own.push(await enrolOne());
      else if (what < 8) await expect('PATCH', '/v1/me', some.token, 200, { name: `Name ${chance(1e6)}` });
      else own.splice(own.indexOf(some), 1)[0] && (await leave(some));
    }
  }

  async function enrolOne() {
    const person = people++;
    const email = `person-${person}@load.example`;
    const asked = performance.now();
    const answer = await enroll(run, app, { descriptors: [faces.genuine(person)], fields: { email } });
    if (answer.status !== 201) throw new Error(`enroll: ${answer.status} ${answer.text}`);
    const { user, token } = answer.json;
    const life = { person, id: user.id, email, asked, enrolled: performance.now() };
    const lived: Lived = { ...life, leaving: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY };
    lives.push(lived);
    return { life: lived, token };
  }

  async function leave({ life, token }: { life: Lived; token: string }): Promise<void> {
    life.leaving = performance.now();
    if (chance(2)) await expect('DELETE', '/v1/me', token, 200);
    else {
      const answer = await call(run, 'DELETE', `/v1/users/${life.id}`, { headers: server(app) });
      if (answer.status >= 300) faults.push(`delete: ${answer.status} ${answer.text}`);
    }
    life.left = performance.now();
  }

  async function expect(method: string, path: string, token: string, status: number, json?: object) {
    const answer = await call(run, method, path, { headers: bearer(token), ...(json && { json }) });
    const good = answer.status === status || (method === 'DELETE' && answer.status === 204);
    if (!good) faults.push(`${method} ${path}: ${answer.status} ${answer.text}`);
  }

  const all = Array.from({ length: writers }, () => write().catch(error => void faults.push(String(error))));
  return {
    lives,
    faults,
    async stop() {
      stopped = true;
      await Promise.all(all);
    },
  };
}
