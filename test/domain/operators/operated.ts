/** The operators' functions on a database of their own, with a software authenticator and a log of what was recorded. */
import * as assert from 'uvu/assert';
import { simpleWebAuthn } from '../../../src/adapters/passkeys/simplewebauthn.ts';
import type { Client } from '../../../src/domain/caller.ts';
import type { OperatorDeps, PortalStore } from '../../../src/domain/operators/deps.ts';
import { COMMAND_LINE, LINK_LIFETIME, makeLink, redeemLink } from '../../../src/domain/operators/links.ts';
import { PortalRefusal } from '../../../src/domain/operators/refusal.ts';
import type { Begun } from '../../../src/domain/operators/sessions.ts';
import type { AuditEntry, Recording } from '../../../src/ports/store/audit.ts';
import type { PortalErrorCode } from '../../../src/protocol/portal/errors.ts';
import type { HandClock } from '../../support/clock.ts';
import type { Suite } from '../../support/suite.ts';
import { type Operated, operate } from '../operating.ts';

export const ORIGIN = 'http://localhost:8081';

export interface Portal {
  readonly deps: OperatorDeps;
  readonly clock: HandClock;
  /** What was recorded, oldest first. */
  readonly entries: AuditEntry[];
  /** A new operator, signed in by a link from the command line. */
  operator(name: string, options?: { admin?: boolean; client?: Client }): Promise<Begun>;
}

export function client(ip: string): Client {
  return { ip, network: ip, site: null, userAgent: 'test' };
}

/** A portal that is made before the tests of a suite. */
export function portalFor(test: Suite): Portal {
  let operated: Operated;
  const entries: AuditEntry[] = [];
  let count = 0;
  const portal = {
    entries,
    get clock() {
      return operated.clock;
    },
    get deps(): OperatorDeps {
      const { secrets, clock, random } = operated.deps;
      const store = audited(operated.deps.store, entries, null);
      return { store, secrets, clock, random, passkeys: simpleWebAuthn, portal: { url: ORIGIN } };
    },
    async operator(name: string, { admin = false, client: from = client(`198.51.100.${++count}`) } = {}) {
      const { deps } = portal;
      const { token } = await makeLink(deps, {
        email: `${name.toLowerCase()}@example.com`,
        makesAdmin: admin,
        madeBy: COMMAND_LINE,
        lifetime: LINK_LIFETIME,
      });
      const { begun } = await redeemLink(deps, from, { token, name }, null);
      assert.ok(begun);
      return begun;
    },
  };
  test.before(async () => {
    operated = await operate();
  });
  test.after(() => operated?.close());
  return portal;
}

/** Wants a refusal with this code, and answers it. */
export async function refused(
  code: PortalErrorCode,
  task: () => Promise<unknown>,
  message = '',
): Promise<PortalRefusal> {
  const fault = await task().then(
    () => null,
    error => error,
  );
  assert.instance(fault, PortalRefusal, `${message} refused: ${fault}`);
  assert.is(fault.code, code, `${message} ${fault.message}`);
  return fault;
}

/** Whether an answer of a verb says that something was changed. */
const CHANGED: Readonly<Record<string, (answer: unknown) => boolean>> = {
  startSession: answer => answer === true,
  addPasskey: answer => answer === true,
  redeemLink: answer => (answer as { outcome: string }).outcome === 'ok',
  updateOperator: answer => typeof answer === 'object' && answer !== null,
  setMember: answer => answer === 'ok',
  createLink: () => true,
  createTeam: () => true,
  stepUp: () => true,
};

/** Adds the entry once the first change was made. */
function audited(store: object, entries: AuditEntry[], entry: Recording | null): PortalStore {
  let isRecorded = entry === null;
  return new Proxy(store, {
    get(target, name) {
      if (name === 'recording') return (next: Recording) => audited(store, entries, next);
      if (name === 'appendAudit') return async (one: AuditEntry) => void entries.push(one);
      const verb = Reflect.get(target, name);
      const changed = CHANGED[String(name)];
      if (isRecorded || !changed) return verb;
      return async (...given: unknown[]) => {
        const answer = await verb(...given);
        if (entry && !isRecorded && changed(answer)) {
          isRecorded = true;
          entries.push({ ...entry, outcome: 'ok' });
        }
        return answer;
      };
    },
  }) as PortalStore;
}
