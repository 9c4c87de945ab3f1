/** Answers about the installation, and the audit log. Each export is a named schema of the description. */
import * as v from 'valibot';
import { count, flag, nullable, text, time } from '../../answer-parts.ts';
import { type Action, type Rank, RIGHTS } from '../roles.ts';

export const fullHealth = v.pipe(
  v.looseObject({
    status: v.picklist(['ok', 'degraded', 'down']),
    db: v.picklist(['ok', 'down']),
    version: v.string(),
    draining: v.boolean(),
    problems: v.array(
      v.strictObject({
        name: v.string(),
        since: v.nullable(v.string()),
        message: v.string(),
        fix: v.string(),
      }),
    ),
  }),
  v.description('The same as `GET /health` on the operators’ address.'),
);

export const scheduledJob = v.strictObject({
  name: text('The name of the job.', 'events'),
  about: text('What it does.', 'deletes old events'),
  schedule: text('Minute, hour, day of month, month, day of week, in UTC.', '45 3 * * *'),
  last_run: nullable(time('An instant, in UTC.'), 'When it last ended well; null: never.'),
});
export const jobList = v.strictObject({ jobs: v.array(scheduledJob) });
export const jobRun = v.strictObject({
  job: text('The name of the job.', 'events'),
  affected: count('How many things it changed.'),
});

export const publishedSigningKey = v.strictObject({
  kid: text('The ID of the key, as in tokens.', 'q3Vt9XbYk2LmN8pRs5TzWc7D'),
  status: v.pipe(v.picklist(['next', 'current', 'previous']), v.description('Whether it signs.')),
  created_at: time('When it was made.'),
});
export const signingKeyList = v.strictObject({ signing_keys: v.array(publishedSigningKey) });
export const acceptedClock = v.strictObject({
  known_time: time('The time that the service uses from now on.'),
});
export const rotatedKey = v.strictObject({
  signing_key: v.strictObject({
    kid: text('The ID of the new key.', 'q3Vt9XbYk2LmN8pRs5TzWc7D'),
    signs_at: time('When it begins to sign.'),
  }),
});

const right = v.picklist(['yes', 'step-up', 'step-up-live', 'test', 'no']);
const ranks = v.strictObject({
  admin: right,
  owner: right,
  developer: right,
  support: right,
  viewer: right,
} satisfies Record<Rank, typeof right>);
export const rightsTable = v.strictObject({
  rights: v.pipe(
    v.strictObject(
      Object.fromEntries(Object.keys(RIGHTS).map(action => [action, ranks])) as Record<Action, typeof ranks>,
    ),
    v.description(
      'Who may do what. `step-up`: with a passkey within the last five minutes; `step-up-live`: so in live mode only; ' +
        '`test`: in test mode only.',
    ),
  ),
});

export const about = v.strictObject({
  version: text('The version of the service.', '1.0.0'),
  commit: nullable(v.string(), 'The commit that the executable was built from; null: running from source.'),
  node: text('The version of Node.js.', '26.10.0'),
  api_url: text('The public address of the API, and the issuer of its tokens.', 'https://face.example'),
  portal_url: text('PORTAL_URL.', 'http://localhost:8081'),
  has_mail: flag('Whether the service can send email.'),
});

export const licences = v.strictObject({
  licences: nullable(v.string(), 'The texts; null: running from source, see LICENSE and node_modules.'),
});

export const auditEntry = v.strictObject({
  seq: count('The number of the entry.'),
  at: time('When it happened.'),
  actor: text('Who did it.', 'Ada Lovelace <ada@example.com>'),
  actor_id: nullable(v.string(), 'The ID of the operator; null: not an operator.'),
  action: text('What was done.', 'key.create'),
  target: nullable(v.string(), 'What it was done to; of end users a keyed hash.'),
  team_id: nullable(v.string(), 'The team.'),
  app_id: nullable(v.string(), 'The app.'),
  ip: nullable(v.string(), 'The client address.'),
  session: nullable(v.string(), 'The ID of the session.'),
  outcome: text('`ok`, or the code that it was refused with.', 'ok'),
  count: count('How many equal ones it stands for.'),
});
export const auditPage = v.strictObject({
  entries: v.pipe(v.array(auditEntry), v.description('Newest first.')),
  next_cursor: nullable(v.string(), 'For the next page; null on the last one.'),
});
