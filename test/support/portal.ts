/**
 * The internal API as the portal's pages call it. `ask` checks on every answer what is promised for every answer: no CORS
 * headers, nothing kept, and a body that the description knows.
 */
import { type IncomingHttpHeaders, request } from 'node:http';
import * as assert from 'uvu/assert';
import { PORTAL_COOKIE, PORTAL_HEADER_NAME } from '../../src/brand.ts';
import { loadConfig } from '../../src/config.ts';
import { type MadeLink, makeLink, type NewLink } from '../../src/domain/access/links.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { describeInternal } from '../../src/operations/table/openapi.ts';
import type { Role } from '../../src/protocol/portal/roles.ts';
import { type Admin, openAdmin } from '../../src/service/data.ts';
import type { Answer, Headers, Json } from './client.ts';
import { parsed } from './client.ts';
import { checkerOf } from './openapi.ts';
import type { Running } from './service.ts';
import type { Suite } from './suite.ts';

export const internal = checkerOf(describeInternal(OPERATIONS));

export interface Session {
  readonly id: string;
  readonly cookie: string;
  readonly secret: string;
}

export interface Asked {
  /** Sends both halves of a session. */
  readonly as?: Session | undefined;
  readonly headers?: Headers;
  readonly json?: unknown;
  /** The body's bytes, instead of `json`. */
  readonly raw?: string;
  readonly type?: string;
}

export function cookiesOf({ headers }: { readonly headers: IncomingHttpHeaders }): Record<string, string> {
  return Object.fromEntries(
    (headers['set-cookie'] ?? []).map(line => (line.split(';')[0] ?? '').split('=') as [string, string]),
  );
}

export function credentials({ cookie, secret }: Session): Headers {
  return { cookie: `${PORTAL_COOKIE}=${cookie}`, [PORTAL_HEADER_NAME]: secret };
}

/** @param path below `/internal` */
export async function ask(
  run: Pick<Running, 'portal'> & { readonly port?: number },
  method: string,
  path: string,
  { as, headers = {}, json, raw, type = 'application/json' }: Asked = {},
): Promise<Answer> {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const sent = {
    ...(as && credentials(as)),
    ...(body !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const answer = await exchange(run, method, `/internal${path}`, sent, body);
  const at = `${method} ${path} → ${answer.status} ${answer.text.slice(0, 300)}`;
  for (const name of Object.keys(answer.headers)) assert.not.match(name, /^access-control-/, at);
  assert.is(answer.headers['cache-control'], 'no-store', at);
  assert.is(answer.headers['x-content-type-options'], 'nosniff', at);
  if (method !== 'OPTIONS') internal.checkAnswer(method, `/internal${path}`, answer);
  return answer;
}

function exchange(
  { portal, port = Number(new URL(portal).port) }: { readonly portal: string; readonly port?: number },
  method: string,
  path: string,
  headers: Headers,
  body: string | undefined,
): Promise<Answer> {
  const { host } = new URL(portal);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: { host, ...headers } };
    const sending = request(options, incoming => {
      const parts: Buffer[] = [];
      incoming.on('data', part => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) });
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

export interface NewOperator {
  readonly email?: string;
  readonly name?: string;
  readonly isAdmin?: boolean;
  readonly teams?: Readonly<Record<string, Role>>;
}

/** Operators and their sessions, made by links as the command line makes them. */
export interface Operators {
  readonly admin: Admin;
  link(link: Partial<NewLink>): Promise<MadeLink>;
  /** A new operator, with a session that has just begun. */
  create(operator?: NewOperator): Promise<Session & { readonly email: string }>;
  /** Another session of an operator. */
  signIn(operatorId: string): Promise<Session>;
}

export function operatorsFor(test: Suite, run: Running): Operators {
  let admin: Admin;
  let count = 0;
  test.before(async () => {
    admin = await openAdmin(loadConfig({ DATA_DIR: run.dataDir }), { clock: run.clock });
  });
  test.after(() => admin?.close());

  const link = (given: Partial<NewLink>) =>
    makeLink(
      { ...admin.deps, portal: { url: run.portal } },
      { makesAdmin: false, madeBy: 'command line', lifetime: 1_800_000, ...given },
    );

  return {
    get admin() {
      return admin;
    },
    link,
    async create({ email, name = 'Ada Lovelace', isAdmin = false, teams = {} } = {}) {
      count += 1;
      const address = email ?? `operator-${count}@mail.example`;
      const { token } = await link({ email: address, makesAdmin: isAdmin });
      const session = begunBy(await ask(run, 'POST', '/links/redeem', { json: { token, name } }));
      for (const [team, role] of Object.entries(teams))
        await admin.deps.store.setMember(team, session.id, role, run.clock.now());
      return { ...session, email: address };
    },
    async signIn(operatorId) {
      const { token } = await link({ operatorId });
      return begunBy(await ask(run, 'POST', '/links/redeem', { json: { token } }));
    },
  };
}

/** The session that an answer has begun. */
export function begunBy(answer: Answer): Session {
  assert.is(answer.status, 200, answer.text);
  const { session, operator }: Json = answer.json;
  const cookie = cookiesOf(answer)[PORTAL_COOKIE] ?? '';
  return { id: operator.id, cookie, secret: session.secret };
}
