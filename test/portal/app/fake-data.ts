/** What the fake internal API knows at its start. */

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
export type Row = Record<string, any>;

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const TEAM = { id: 'team_one', name: 'Operators', role: 'owner' };

export function sample() {
  return {
    operator: {
      id: 'opr_ada',
      name: 'Ada Byron',
      email: 'ada@example.com',
      is_admin: true,
      teams: [TEAM],
    } as Row,
    account: {
      id: 'opr_ada',
      name: 'Ada Byron',
      email: 'ada@example.com',
      language: null,
      theme: null,
      recovery_codes: 7,
    } as Row,
    passkeys: [{ id: 'psk_1', label: 'Work laptop', created_at: ago(900), last_used_at: ago(2) }] as Row[],
    sessions: [
      session('ses_1', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', true),
      session('ses_2', 'Mozilla/5.0 (iPhone) Safari/605', false),
    ] as Row[],
    teams: [{ id: 'team_one', name: 'Operators', members: 3, apps: 2, created_at: ago(2000) }] as Row[],
    members: [
      { id: 'opr_ada', name: 'Ada Byron', email: 'ada@example.com', role: 'owner', added_at: ago(2000) },
      { id: 'opr_bob', name: 'Bob Stone', email: 'bob@example.com', role: 'developer', added_at: ago(300) },
      {
        id: 'opr_cyd',
        name: 'Cyd Long-Name of Somewhere',
        email: 'cyd.a.very.long.address@subdomain.example.com',
        role: 'viewer',
        added_at: ago(30),
      },
    ] as Row[],
    invitations: [{ id: 'lnk_1', email: 'dan@example.com', role: 'support', expires_at: ago(-100) }] as Row[],
    apps: [
      app('app_shop4f9aK2mQ', 'Shop', ['https://shop.example', 'https://www.shop.example'], 500),
      app('app_demo8dK1xPz0', 'Demo', [], 40),
    ] as Row[],
    keys: [
      key('key_1', 'publishable', 'test', 'web shop', '9fQ2', ago(1), null),
      key('key_2', 'secret', 'test', null, 'Zk31', null, null),
      key('key_3', 'publishable', 'live', 'web shop', 'pp07', ago(5), null),
      key('key_4', 'publishable', 'live', 'old shop', 'aa11', ago(26), ago(20)),
    ] as Row[],
    events: [] as Row[],
    refusals: [
      { at: ago(0.1), code: 'origin_not_allowed', origin: 'https://staging.shop.example' },
      { at: ago(0.3), code: 'challenge_invalid', origin: 'http://localhost:3000' },
      { at: ago(3), code: 'unauthorized', origin: null },
    ] as Row[],
    health: {
      status: 'degraded',
      problems: [
        {
          name: 'mail',
          since: ago(4),
          message: 'The mail server rejected the login (535).',
          fix: 'Check SMTP_URL.',
        },
      ],
    } as Row,
    jobs: [
      {
        name: 'retention',
        about: 'deletes users who have not signed in for years',
        schedule: '15 3 * * *',
        last_run: ago(9),
      },
      {
        name: 'audit',
        about: 'deletes old entries of the audit log',
        schedule: '45 3 * * *',
        last_run: null,
      },
    ] as Row[],
    signingKeys: [
      { kid: 'kJx8w0Qm4', status: 'current', created_at: ago(700) },
      { kid: 'b7Vn2Lp91', status: 'previous', created_at: ago(1500) },
    ] as Row[],
    operators: [
      operator('opr_ada', 'Ada Byron', 'ada@example.com', true, null),
      operator('opr_bob', 'Bob Stone', 'bob@example.com', false, null),
      operator('opr_eve', 'Eve Gone', 'eve@example.com', false, ago(50)),
    ] as Row[],
    audit: [
      entry(3, 'Ada Byron', 'app.origins', 'app_shop4f9aK2mQ', 'ok'),
      entry(2, 'Bob Stone', 'key.live.secret', 'app_shop4f9aK2mQ', 'forbidden'),
      entry(1, 'command line (root)', 'operator.link', 'ada@example.com', 'ok'),
    ] as Row[],
  };
}

const session = (id: string, user_agent: string, current: boolean) => ({
  id,
  means: 'passkey',
  began_at: ago(3),
  seen_at: ago(0.02),
  ip: '127.0.0.1',
  user_agent,
  current,
});

const app = (id: string, name: string, allowed_origins: string[], hours: number) => ({
  id,
  team_id: 'team_one',
  name,
  allowed_origins,
  first_party: false,
  plan: 'unlimited',
  created_at: ago(hours),
  users: { live: 1204, test: 7 },
  auths: 311,
  monthly_auths: 1000,
});

const key = (
  id: string,
  type: string,
  mode: string,
  label: string | null,
  last4: string,
  last_used_at: string | null,
  revoked_at: string | null,
) => ({
  id,
  type,
  mode,
  label,
  last4,
  last_used_at,
  revoked_at,
  created_at: ago(100),
  created_by: 'Ada Byron',
  ends_at: null,
});

const operator = (
  id: string,
  name: string,
  email: string,
  is_admin: boolean,
  disabled_at: string | null,
) => ({
  id,
  name,
  email,
  is_admin,
  disabled_at,
  passkeys: 1,
  sessions: 1,
  last_seen_at: ago(1),
  created_at: ago(1000),
});

const entry = (seq: number, actor: string, action: string, target: string, outcome: string) => ({
  seq,
  at: ago(4 - seq),
  actor,
  actor_id: 'opr_ada',
  action,
  target,
  team_id: 'team_one',
  app_id: null,
  ip: '127.0.0.1',
  session: 'ses_1',
  outcome,
});
