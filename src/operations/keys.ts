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
import { MODES, type Mode } from '../protocol/mode.ts';
import * as answers from '../protocol/portal/answers/apps.ts';
import { label } from '../protocol/portal/fields.ts';
import type { Action } from '../protocol/portal/roles.ts';
import { viewOf } from '../protocol/view.ts';
import { type Operation, operations } from './table/operation.ts';

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

const operation = operations('Apps');

export const keyOperations: readonly Operation[] = [
  operation({
    id: 'listKeys',
    summary: 'List the keys of an app',
    at: 'GET /apps/:app/keys',
    needs: { who: 'right', scope: 'app', actions: ['read'] },
    answer: { text: 'The keys, oldest first.', schema: answers.keyList },
    run: async ({ deps, app }) => ({ keys: (await listKeys(deps, app.id)).map(listedKeyOf) }),
  }),
  operation({
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
  operation({
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
  }),
  operation({
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
  }),
];
