/** For commands about the portal: the store, and the address of the portal. Held by test/cli/operators.test.ts. */
import type { OperatorAdminDeps } from '../domain/access/deps.ts';
import type { AdminDeps } from '../domain/deps.ts';
import { CommandFailed, type Invocation } from './command.ts';
import { withAdmin } from './with-admin.ts';

export function withOperators<Answer>(
  invocation: Invocation,
  task: (deps: AdminDeps & OperatorAdminDeps) => Promise<Answer>,
): Promise<Answer> {
  return withAdmin(invocation, async deps => {
    const { portalUrlOf } = await import('../service/listening.ts');
    const config = invocation.config();
    const portal = {
      get url() {
        if (config.portalUrl === null && config.portalPort === 0)
          throw new CommandFailed(
            'PORTAL_PORT is 0, so the port changes at every start: set it to a fixed port, or set PORTAL_URL',
          );
        return portalUrlOf(config, config.portalPort);
      },
    };
    return task({ ...deps, portal });
  });
}
