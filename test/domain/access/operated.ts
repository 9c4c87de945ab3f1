/** The operators' functions on a database of their own, and the audit log that they write. */
import * as assert from 'uvu/assert';
import { simpleWebAuthn } from '../../../src/adapters/passkeys/simplewebauthn.ts';
import type { OperatorDeps } from '../../../src/domain/access/deps.ts';
import { COMMAND_LINE, LINK_LIFETIME, makeLink, redeemLink } from '../../../src/domain/access/links.ts';
import { PortalRefusal } from '../../../src/domain/access/refusal.ts';
import type { Begun } from '../../../src/domain/access/sessions.ts';
import type { Client } from '../../../src/domain/caller.ts';
import type { AuditEntry } from '../../../src/ports/store/audit.ts';
import type { PortalErrorCode } from '../../../src/protocol/portal/errors.ts';
import type { HandClock } from '../../support/clock.ts';
import type { Suite } from '../../support/suite.ts';
import { type Operated, operate } from '../operating.ts';

export const ORIGIN = 'http://localhost:8081';

export interface Portal {
  readonly deps: OperatorDeps;
  readonly clock: HandClock;
  /** The audit log, oldest first. */
  entries(): Promise<AuditEntry[]>;
  /** A new operator, signed in by a link from the command line. */
  operator(name: string, options?: { admin?: boolean; client?: Client }): Promise<Begun>;
}

export function client(ip: string): Client {
  return { ip, network: ip, site: null, userAgent: 'test' };
}

/** A portal that is made before the tests of a suite. */
export function portalFor(test: Suite): Portal {
  let operated: Operated;
  let count = 0;
  const portal = {
    entries: async () => (await operated.deps.store.listAudit({}, null, 1_000)).reverse(),
    get clock() {
      return operated.clock;
    },
    get deps(): OperatorDeps {
      const { store, secrets, clock, random } = operated.deps;
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
