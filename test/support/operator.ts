/** Operators of the portal for tests that are about something else. */
import { simpleWebAuthn } from '../../src/adapters/passkeys/simplewebauthn.ts';
import { loadConfig } from '../../src/config.ts';
import type { OperatorDeps } from '../../src/domain/access/deps.ts';
import { redeemLink } from '../../src/domain/access/links.ts';
import { linkByCommand } from '../../src/domain/access/operators.ts';
import { openAdmin } from '../../src/service/data.ts';
import { closing } from './closing.ts';

const CLIENT = { ip: '192.0.2.1', network: '192.0.2.1', site: null, userAgent: 'test' };

/** Adds an operator to the database of these settings. @returns their id */
export async function addOperator(
  settings: Record<string, string>,
  email: string,
  isAdmin = false,
): Promise<string> {
  await using admin = closing(await openAdmin(loadConfig(settings)));
  const portal = { url: 'http://localhost:8081' };
  const deps: OperatorDeps = { ...admin.deps, passkeys: simpleWebAuthn, portal };
  const { token } = await linkByCommand(deps, 'test', email, { makesAdmin: isAdmin });
  const { operator } = await redeemLink(deps, CLIENT, { token, name: 'Test' }, null);
  return operator.operator.id;
}
