/** API keys of an app. A key is shown once, in the answer that makes it. */
import * as v from 'valibot';
import {
  createKey,
  labelKey,
  listKeys,
  type MadeKey,
  ROLL_ENDS,
  revokeKey,
  rollKey,
} from '../domain/operating/keys.ts';
import type { KeyRecord, KeyType } from '../ports/store.ts';
import { fields } from '../protocol/fields.ts';
import { SECOND } from '../protocol/limits.ts';
import { MODES, type Mode } from '../protocol/mode.ts';
import * as answers from '../protocol/portal/answers/apps.ts';
import { label } from '../protocol/portal/fields.ts';
import type { Action } from '../protocol/portal/roles.ts';
import { inUtc, iso } from '../protocol/time.ts';
import { viewOf } from '../protocol/view.ts';
import type { Asked, Cell } from './table/command.ts';
import { type Operation, operations, type Shown } from './table/operation.ts';

const TYPES = ['secret', 'publishable'] as const;
const making = ['key.test', 'key.live.publishable', 'key.live.secret'] as const;

function makingOf({ type, mode }: { readonly type: KeyType; readonly mode: Mode }): Action {
  if (mode === 'test') return 'key.test';
  return type === 'secret' ? 'key.live.secret' : 'key.live.publishable';
}

const revokingOf = ({ mode }: { readonly mode: Mode }): Action =>
  mode === 'test' ? 'key.test' : 'key.live.revoke';

const keyLabel = v.pipe(v.nullable(label), v.description('What it is called; null: nothing.'));

const listedKey = viewOf(answers.listedKey);
/** Without the key, which was shown once. */
const listedKeyOf = (key: KeyRecord) => listedKey({ ...key, createdBy: key.madeBy });

const madeKey = viewOf(answers.madeKey.entries.key);
/** The only answer that has the key. */
const madeKeyOf = ({ key, record }: MadeKey) => ({ key: madeKey({ ...record, key }) });

const KEPT = 'Keep the key now: it is not shown again.';

/** The only document of a command that has the key. */
function documentOf({ key: made }: Shown<typeof answers.madeKey>, { app }: Asked) {
  const { id, key, type, mode, last4, created_at } = made;
  return { id, key, type, mode, app_id: app?.id, last4, created_at };
}

/** The old key ends no later than it would have without the new one. */
function endOfOld({ key }: Shown<typeof answers.madeKey>, asked: Asked): string {
  const asksFor = Date.parse(key.created_at) + Number(asked.fields.ends_in_seconds) * SECOND;
  return iso(Math.min(asksFor, asked.key?.endsAt ?? asksFor));
}

function endShownOf({ revoked_at, ends_at }: Shown<typeof answers.listedKey>): Cell {
  const end = revoked_at ?? ends_at;
  if (end === null) return null;
  const isOver = Date.parse(end) <= Date.now();
  return { text: `${isOver ? 'ended' : 'ends'} ${inUtc(Date.parse(end))}`, colour: 'yellow' };
}

const operation = operations('Apps');
const { shared } = operation;

export const keyOperations: readonly Operation[] = [
  shared({
    id: 'listKeys',
    summary: 'List the keys of an app',
    at: 'GET /apps/:app/keys',
    needs: { who: 'right', scope: 'app', actions: ['read'] },
    answer: { text: 'The keys, oldest first.', schema: answers.keyList },
    run: async ({ deps, app }) => ({ keys: (await listKeys(deps, app.id)).map(listedKeyOf) }),
  }).asCommand({
    name: 'key list',
    about: "Lists an app's keys by their last four characters.",
    examples: ['key list --app APP_ID'],
    json: ({ keys }) => ({
      keys: keys.map(({ id, type, mode, last4, created_at, revoked_at }) => ({
        ...{ id, type, mode, last4, created_at, revoked_at },
      })),
    }),
    text: {
      columns: {
        ID: 'id',
        TYPE: 'type',
        MODE: 'mode',
        KEY: ({ last4 }) => `…${last4}`,
        CREATED: 'created_at',
        'LAST USED': 'last_used_at',
        END: endShownOf,
        LABEL: 'label',
      },
      none: ({ app }) =>
        `no keys yet: create one with "key create --app ${app?.id} --type publishable --mode live"`,
    },
  }),
  shared({
    id: 'makeKey',
    summary: 'Make a key',
    text: 'Only this answer has the key.',
    at: 'POST /apps/:app/keys',
    needs: { who: 'right', scope: 'app', actions: making },
    choose: ({ body }) => [makingOf(body)],
    body: fields({
      type: v.pipe(v.picklist(TYPES, 'must be secret or publishable'), v.description('The type.')),
      mode: v.pipe(v.picklist(MODES, 'must be live or test'), v.description('The mode.')),
      label: v.optional(keyLabel),
    }),
    answer: { status: 201, text: 'The key.', schema: answers.madeKey },
    errors: ['too_many_keys'],
    audit: { action: 'key.create', target: ({ type, mode }) => `${mode} ${type}`, creates: 'key' },
    run: async ({ deps, signedIn, app, newId: id, body }) => {
      const notes = { id, label: body.label ?? null, madeBy: signedIn.operator.id };
      return madeKeyOf(await createKey(deps, app.id, body.type, body.mode, notes));
    },
  }).asCommand({
    name: 'key create',
    about: 'Creates a key and shows it once.',
    options: {
      type: { meaning: 'secret: for servers; publishable: for pages.' },
      mode: { meaning: 'live: real users; test: free, limited, erased after 30 days.' },
      label: { meaning: 'What you call the key: up to 100 characters.', value: 'L' },
    },
    examples: [
      'key create --app APP_ID --type publishable --mode live',
      'key create --app APP_ID --type secret --mode test --json',
    ],
    json: documentOf,
    text: { lines: ({ key: { id, key } }) => ({ id, key }), note: KEPT },
  }),
  operation({
    id: 'labelKey',
    summary: 'Label a key',
    at: 'PATCH /apps/:app/keys/:key',
    needs: { who: 'right', scope: 'key', actions: ['key.label'] },
    body: fields({ label: keyLabel }),
    answer: { text: 'The key.', schema: answers.keyAnswer },
    audit: { action: 'key.label' },
    run: async ({ deps, key, body }) => ({ key: listedKeyOf(await labelKey(deps, key.id, body.label)) }),
  }),
  shared({
    id: 'revokeKey',
    summary: 'Revoke a key',
    text: 'It stops working at once, for good. Revoking it again changes nothing.',
    at: 'DELETE /apps/:app/keys/:key',
    needs: { who: 'right', scope: 'key', actions: ['key.test', 'key.live.revoke'] },
    choose: ({ key }) => [revokingOf(key)],
    answer: { text: 'Revoked.' },
    audit: { action: 'key.revoke' },
    run: async ({ deps, key }) => {
      await revokeKey(deps, key.id);
    },
  }).asCommand({
    name: 'key revoke',
    about: 'Revokes a key. A running server rejects it at once.',
    words: ['KEY_ID'],
    examples: ['key revoke KEY_ID'],
    json: () => ({ revoked: true }),
    text: (_, { params }) => `revoked ${params.key}`,
  }),
  shared({
    id: 'rollKey',
    summary: 'Roll a key',
    text:
      'Makes a key of the same type, mode and label, and ends the old one: with 0 at once, which needs the right to ' +
      'revoke it. Only this answer has the new key.',
    at: 'POST /apps/:app/keys/:key/roll',
    needs: { who: 'right', scope: 'key', actions: [...making, 'key.live.revoke'] },
    // Without time for the change, rolling a key revokes it.
    choose: ({ key, body }) => [makingOf(key), ...(body.ends_in_seconds === 0 ? [revokingOf(key)] : [])],
    body: fields({
      ends_in_seconds: v.pipe(
        v.picklist(ROLL_ENDS, `must be one of ${ROLL_ENDS.join(', ')}`),
        v.description('When the old key ends. Both keys work until then.'),
      ),
    }),
    answer: { status: 201, text: 'The new key.', schema: answers.madeKey },
    errors: ['key_ended'],
    audit: { action: 'key.roll' },
    run: async ({ deps, signedIn, key, body }) => {
      const made = await rollKey(deps, key.id, body.ends_in_seconds, { madeBy: signedIn.operator.id });
      return madeKeyOf(made);
    },
  }).asCommand({
    name: 'key roll',
    about:
      'Replaces a key by a new one of the same app, type and mode, and shows the new one once. Both work until the old one ends.',
    words: ['KEY_ID'],
    options: {
      ends_in_seconds: {
        as: 'ends-in',
        meaning: 'When the old key ends; 0: at once.',
        values: { '0': 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 },
        default: '24h',
      },
    },
    examples: ['key roll KEY_ID', 'key roll KEY_ID --ends-in 0 --json'],
    json: (answer, asked) => ({
      ...documentOf(answer, asked),
      old: { id: asked.params.key, ends_at: endOfOld(answer, asked) },
    }),
    text: {
      lines: (answer, asked) => ({
        id: answer.key.id,
        key: answer.key.key,
        'old key ends': { at: endOfOld(answer, asked) },
      }),
      note: KEPT,
    },
  }),
];
