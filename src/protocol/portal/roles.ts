/**
 * Who may do what in the portal. One row per action; the tests and the portal's pages are made from these rows.
 * Held by test/portal/internal/rights.test.ts.
 */

/** A member's role in a team. */
export const ROLES = ['owner', 'developer', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** An admin runs the installation, and may do everything in every team. */
export const RANKS = ['admin', ...ROLES] as const;
export type Rank = (typeof RANKS)[number];

/**
 * `step-up`: only after a passkey within the last minutes. `test`: in test mode only. `step-up-live`: like `step-up` in
 * live mode, like `yes` in test mode.
 */
export type Right = 'yes' | 'step-up' | 'step-up-live' | 'test' | 'no';

type Row = Readonly<Record<Rank, Right>>;

const row = (admin: Right, owner: Right, developer: Right, support: Right, viewer: Right): Row => ({
  admin,
  owner,
  developer,
  support,
  viewer,
});

export const RIGHTS = {
  /** Counts, charts, faces, refusals, settings, keys without the key, members. */
  read: row('yes', 'yes', 'yes', 'yes', 'yes'),
  /** Lists, finds and opens people; events with address and browser. */
  'people.read': row('yes', 'yes', 'test', 'yes', 'no'),
  'person.export': row('step-up-live', 'step-up-live', 'test', 'step-up-live', 'no'),
  'person.erase': row('step-up-live', 'step-up-live', 'test', 'step-up-live', 'no'),
  'people.export': row('step-up-live', 'step-up-live', 'test', 'no', 'no'),
  /** Creates, rolls and revokes test keys. */
  'key.test': row('yes', 'yes', 'yes', 'no', 'no'),
  'key.label': row('yes', 'yes', 'yes', 'no', 'no'),
  /** Creates and rolls live publishable keys. */
  'key.live.publishable': row('yes', 'yes', 'yes', 'no', 'no'),
  /** Creates and rolls live secret keys. */
  'key.live.secret': row('step-up', 'step-up', 'no', 'no', 'no'),
  'key.live.revoke': row('step-up', 'step-up', 'no', 'no', 'no'),
  'app.create': row('yes', 'yes', 'yes', 'no', 'no'),
  'app.rename': row('yes', 'yes', 'yes', 'no', 'no'),
  /** Origins of localhost. */
  'app.origins.local': row('yes', 'yes', 'yes', 'no', 'no'),
  /** All other origins. */
  'app.origins': row('step-up', 'step-up', 'step-up', 'no', 'no'),
  'app.first-party': row('step-up', 'step-up', 'no', 'no', 'no'),
  'app.delete': row('step-up', 'step-up', 'no', 'no', 'no'),
  'app.plan': row('step-up', 'no', 'no', 'no', 'no'),
  'app.move': row('step-up', 'no', 'no', 'no', 'no'),
  'team.create': row('step-up', 'no', 'no', 'no', 'no'),
  'team.delete': row('step-up', 'no', 'no', 'no', 'no'),
  'team.rename': row('step-up', 'step-up', 'no', 'no', 'no'),
  /** Sees invitations. */
  'invitations.read': row('yes', 'yes', 'no', 'no', 'no'),
  /** Changes members, roles and invitations. */
  members: row('step-up', 'step-up', 'no', 'no', 'no'),
  /** Sees webhooks and deliveries, sends a test, sends events again. */
  'webhook.use': row('yes', 'yes', 'yes', 'no', 'no'),
  /** Makes, changes, rolls and deletes webhooks. */
  webhook: row('step-up', 'step-up', 'no', 'no', 'no'),
  /** Health in full, jobs, signing keys, operators. */
  'installation.read': row('yes', 'no', 'no', 'no', 'no'),
  /** Runs jobs, accepts the clock, rotates the signing key, disables operators, changes their address, makes links. */
  installation: row('step-up', 'no', 'no', 'no', 'no'),
} as const satisfies Record<string, Row>;

export type Action = keyof typeof RIGHTS;
