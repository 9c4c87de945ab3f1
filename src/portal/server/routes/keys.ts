/** API keys of an app. A key is shown once, in the answer that makes it. */
import * as v from 'valibot';
import {
  createKey,
  labelKey,
  listKeys,
  ROLL_ENDS,
  revokeKey,
  rollKey,
} from '../../../domain/operating/keys.ts';
import type { KeyType } from '../../../ports/store.ts';
import { fields } from '../../../protocol/fields.ts';
import { MODES, type Mode } from '../../../protocol/mode.ts';
import * as answers from '../../../protocol/portal/answers/apps.ts';
import { label } from '../../../protocol/portal/fields.ts';
import type { Action } from '../../../protocol/portal/roles.ts';
import { keyAnswerView, listedKeyView, madeKeyAnswer } from '../app-views.ts';
import { created, done, ok } from '../reply.ts';
import { type PortalRoute, portalRoute } from '../route.ts';

const TYPES = ['secret', 'publishable'] as const;
const making = ['key.test', 'key.live.publishable', 'key.live.secret'] as const;

function makingOf({ type, mode }: { readonly type: KeyType; readonly mode: Mode }): Action {
  if (mode === 'test') return 'key.test';
  return type === 'secret' ? 'key.live.secret' : 'key.live.publishable';
}

const revokingOf = ({ mode }: { readonly mode: Mode }): Action =>
  mode === 'test' ? 'key.test' : 'key.live.revoke';

const keyLabel = v.pipe(v.nullable(label), v.description('What it is called; null: nothing.'));

export const keyRoutes: readonly PortalRoute[] = [
  portalRoute({
    method: 'GET',
    path: '/apps/:app/keys',
    needs: { who: 'right', scope: 'app', actions: ['read'] },
    schema: {},
    describe: {
      id: 'listKeys',
      tag: 'Apps',
      summary: 'List the keys of an app',
      answers: { 200: { text: 'The keys, oldest first.', schema: answers.keyList } },
    },
    audit: null,
    limits: [],
    handler: async ({ deps, app }) => {
      const keys = await listKeys(deps, app.id);
      return ok({ keys: keys.map(listedKeyView) });
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/apps/:app/keys',
    needs: { who: 'right', scope: 'app', actions: making },
    choose: ({ body }) => [makingOf(body)],
    schema: {
      body: fields({
        type: v.pipe(v.picklist(TYPES, 'must be secret or publishable'), v.description('The type.')),
        mode: v.pipe(v.picklist(MODES, 'must be live or test'), v.description('The mode.')),
        label: v.optional(keyLabel),
      }),
    },
    describe: {
      id: 'makeKey',
      tag: 'Apps',
      summary: 'Make a key',
      text: 'Only this answer has the key.',
      answers: { 201: { text: 'The key.', schema: answers.madeKey } },
      errors: ['too_many_keys'],
    },
    audit: { action: 'key.create', target: ({ type, mode }) => `${mode} ${type}`, creates: 'key' },
    limits: [],
    handler: async ({ deps, signedIn, app, newId: id, body }) => {
      const notes = { id, label: body.label ?? null, madeBy: signedIn.operator.id };
      return created(madeKeyAnswer(await createKey(deps, app.id, body.type, body.mode, notes)));
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/apps/:app/keys/:key',
    needs: { who: 'right', scope: 'key', actions: ['key.label'] },
    schema: { body: fields({ label: keyLabel }) },
    describe: {
      id: 'labelKey',
      tag: 'Apps',
      summary: 'Label a key',
      answers: { 200: { text: 'The key.', schema: answers.keyAnswer } },
    },
    audit: { action: 'key.label' },
    limits: [],
    handler: async ({ deps, key, body }) => ok(keyAnswerView(await labelKey(deps, key.id, body.label))),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/apps/:app/keys/:key',
    needs: { who: 'right', scope: 'key', actions: ['key.test', 'key.live.revoke'] },
    choose: ({ key }) => [revokingOf(key)],
    schema: {},
    describe: {
      id: 'revokeKey',
      tag: 'Apps',
      summary: 'Revoke a key',
      text: 'It stops working at once, for good. Revoking it again changes nothing.',
      answers: { 204: { text: 'Revoked.', schema: null } },
    },
    audit: { action: 'key.revoke' },
    limits: [],
    handler: async ({ deps, key }) => {
      await revokeKey(deps, key.id);
      return done;
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/apps/:app/keys/:key/roll',
    needs: { who: 'right', scope: 'key', actions: [...making, 'key.live.revoke'] },
    // Without time for the change, rolling a key revokes it.
    choose: ({ key, body }) => [makingOf(key), ...(body.ends_in_seconds === 0 ? [revokingOf(key)] : [])],
    schema: {
      body: fields({
        ends_in_seconds: v.pipe(
          v.picklist(ROLL_ENDS, `must be one of ${ROLL_ENDS.join(', ')}`),
          v.description('When the old key ends. Both keys work until then.'),
        ),
      }),
    },
    describe: {
      id: 'rollKey',
      tag: 'Apps',
      summary: 'Roll a key',
      text:
        'Makes a key of the same type, mode and label, and ends the old one: with 0 at once, which needs the right to ' +
        'revoke it. Only this answer has the new key.',
      answers: { 201: { text: 'The new key.', schema: answers.madeKey } },
      errors: ['key_ended'],
    },
    audit: { action: 'key.roll' },
    limits: [],
    handler: async ({ deps, signedIn, key, body }) => {
      const made = await rollKey(deps, key.id, body.ends_in_seconds, { madeBy: signedIn.operator.id });
      return created(madeKeyAnswer(made));
    },
  }),
];
