/** An operator of the portal who asks the internal API as its pages do. */
import { PORTAL_HEADER_NAME } from '../../src/brand.ts';
import { loadConfig } from '../../src/config.ts';
import { makeLink } from '../../src/domain/access/links.ts';
import { openAdmin } from '../../src/service/data.ts';

export type Operator = Awaited<ReturnType<typeof signIn>>;

export async function signIn(portal: string, folder: string, name: string) {
  const admin = await openAdmin(loadConfig({ DATA_DIR: folder }));
  const deps = { ...admin.deps, portal: { url: portal } };
  const { token } = await makeLink(deps, { makesAdmin: true, madeBy: 'command line', lifetime: 600_000 });
  await admin.close();
  const answer = await fetch(`${portal}/internal/links/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name, email: `${name}@example.com` }),
  });
  const { session } = (await answer.json()) as { session: { secret: string } };
  const cookie = answer.headers.getSetCookie().map(line => line.split(';')[0])[0] ?? '';
  const headers = { cookie, [PORTAL_HEADER_NAME]: session.secret };
  return {
    cookie,
    secret: session.secret,
    /** @param path below `/internal` @throws Error unless the answer is 200 */
    async get(path: string) {
      const began = performance.now();
      const sent = await fetch(`${portal}/internal/${path}`, { headers });
      const text = await sent.text();
      if (sent.status !== 200) throw new Error(`${path} answered ${sent.status}: ${text.slice(0, 200)}`);
      return { ms: performance.now() - began, text };
    },
  };
}
