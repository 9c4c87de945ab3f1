/** What each verb of the store does and refuses that takes an entry of the audit log. Without a row it does not compile. */
import { FIRST_TEAM, type Recording, type Store } from '../../src/ports/store.ts';
import {
  appRecord,
  enrolled,
  FIRST,
  LIVE,
  NOW,
  newKey,
  OTHER,
  SECOND,
  signingKey,
  TEST,
} from './fixtures.ts';
import { link, operator, passkey, redeeming, session } from './operator-fixtures.ts';
import { newWebhook } from './webhooks.ts';

export const recording = (change: Partial<Recording> = {}): Recording => ({
  at: NOW,
  actor: 'Ada <ada@mail.example>',
  actorId: 'opr_ada',
  action: 'app.rename',
  target: FIRST,
  teamId: FIRST_TEAM,
  appId: FIRST,
  ip: '192.0.2.1',
  session: 'ses_1',
  ...change,
});
type Taken<Verb> = Verb extends (...given: infer Given) => unknown ? Given : never;
/** Whatever takes an entry. */
type RecordedVerb = Exclude<
  {
    [Verb in keyof Store]: [Extract<Taken<Store[Verb]>[number], Recording>] extends [never] ? never : Verb;
  }[keyof Store],
  'appendAudit'
>;
/** What a verb is given before the entry, in this order. */
interface Acts<Given> {
  /** The second time without effect. */
  readonly twice?: readonly Given[];
  readonly done?: readonly Given[];
  readonly refused?: readonly Given[];
}
type Act = (store: Store, entry: Recording) => Promise<unknown>;

/** The database does not take it. */
export const UNWRITABLE = { ...recording(), action: null } as unknown as Recording;
const INVITED = { teamId: FIRST_TEAM, role: 'viewer', email: 'invited@mail.example' } as const;
const ROTATION = { now: NOW, keep: 1_000, revokeOld: false };
const USER = [{ gallery: LIVE, id: 'usr_audit' }];
const team = (id: string) => ({ id, name: id, createdAt: NOW });
const refuse = () => {
  throw new Error('no');
};

/** What the verbs work with; in one gallery are more templates than are erased at once. */
export async function fill(store: Store): Promise<void> {
  await operator(store, 'ada', { makesAdmin: true });
  await operator(store, 'grace');
  await store.setMember(FIRST_TEAM, 'opr_ada', 'owner', NOW);
  for (const id of ['team_empty', 'team_with_apps']) await store.createTeam(team(id));
  await store.updateApp(SECOND, { teamId: 'team_with_apps' });
  await store.createKey(newKey('key_1'), 9);
  await store.addPasskey(passkey(), 9);
  await store.startSession(session(), 9);
  await store.createLink(link({ ...INVITED, id: 'lnk_open', hash: 'open' }));
  await store.createLink(link({ id: 'lnk_for_anybody', hash: 'for anybody' }));
  await store.addSigningKey(signingKey('one'), null);
  for (const id of ['wh_1', 'wh_2']) await store.createWebhook(newWebhook(id), 9);
  await enrolled(store, { id: 'usr_audit' });
  const vector = new Float32Array(128).fill(0.1);
  const templates = Array.from({ length: 501 }, (_, i) => ({ id: `tpl_of_many_${i}`, vector }));
  await enrolled(store, { gallery: OTHER, templates });
}

const VERBS: { readonly [Verb in RecordedVerb]: Acts<Taken<Store[Verb]>> } = {
  createApp: {
    done: [[appRecord('app_new'), undefined]],
    refused: [
      [appRecord('app_first'), []],
      [appRecord(FIRST), undefined],
    ],
  },
  updateApp: {
    done: [
      [FIRST, { name: 'First' }],
      [FIRST, ({ name }) => ({ name })],
    ],
    refused: [
      ['app_none', {}],
      [FIRST, refuse],
    ],
  },
  deleteApp: { done: [[FIRST, NOW]], refused: [[FIRST, NOW]] },
  createKey: {
    done: [[newKey('key_2'), 9]],
    refused: [
      [newKey('key_2'), 9],
      [newKey('key_3'), 2],
      [newKey('key_3', { appId: 'app_none' }), 9],
    ],
  },
  rollKey: { done: [['key_1', newKey('key_2'), NOW, NOW]], refused: [['key_1', newKey('key_3'), NOW, NOW]] },
  updateKey: {
    twice: [
      ['key_1', { label: 'Till' }],
      ['key_1', { revokedAt: NOW }],
    ],
    refused: [['key_none', { label: 'Till' }]],
  },
  nameEncoder: { twice: [[LIVE, 'one']], done: [[TEST, 'one']], refused: [[LIVE, 'two']] },
  resetEncoder: {
    twice: [[LIVE, 'one', { at: NOW }]],
    done: [
      [LIVE, null, undefined],
      [OTHER, null, { at: NOW }],
    ],
  },
  beginRekey: { twice: [[FIRST]], refused: [['app_none']] },
  addSigningKey: {
    done: [[signingKey('two'), ROTATION]],
    refused: [
      [signingKey('three'), ROTATION],
      [signingKey('three'), null],
    ],
  },
  deleteUsers: { done: [[USER, NOW, {}]], refused: [[USER, NOW, {}]] },
  setKnownTime: { twice: [[NOW - 1, null]], done: [[NOW, null]] },
  updateOperator: {
    twice: [['opr_ada', { name: 'Eve' }]],
    refused: [
      ['opr_none', {}],
      ['opr_ada', { disabledAt: NOW }],
      ['opr_ada', { email: 'grace@mail.example' }],
    ],
  },
  createLink: {
    done: [[link(INVITED)], [link({ ...INVITED, id: 'lnk_2', hash: 'hash_2' })]],
    refused: [[link({ ...INVITED, id: 'lnk_3', hash: 'hash_3', madeBy: 'opr_grace' })]],
  },
  withdrawInvitation: { done: [[FIRST_TEAM, 'lnk_open']], refused: [[FIRST_TEAM, 'lnk_open']] },
  redeemLink: {
    done: [[redeeming({ hash: 'open' })]],
    refused: [
      [redeeming({ hash: 'open' })],
      [redeeming({ hash: 'for anybody', name: null, email: 'else@mail.example' })],
    ],
  },
  addPasskey: {
    done: [[passkey({ id: 'psk_2', credentialId: 'other' }), 2]],
    refused: [
      [passkey({ id: 'psk_3', credentialId: 'third' }), 2],
      [passkey({ id: 'psk_3' }), 9],
    ],
  },
  updatePasskey: {
    twice: [['opr_ada', 'psk_1', { label: 'New' }]],
    done: [['opr_ada', 'psk_1', null]],
    refused: [
      ['opr_ada', 'psk_1', { label: 'New' }],
      ['opr_ada', 'psk_1', null],
    ],
  },
  setRecoveryCodes: {
    done: [
      ['opr_ada', ['a', 'b'], NOW],
      ['opr_ada', [], NOW],
    ],
  },
  startSession: {
    done: [[session({ id: 'ses_2', hash: 'c', secretHash: 's' }), 9]],
    refused: [[session({ id: 'ses_3', operatorId: 'opr_none' }), 9]],
  },
  updateSession: {
    twice: [['ses_1', { steppedUpAt: NOW + 1 }]],
    refused: [['ses_none', { steppedUpAt: NOW }]],
  },
  endSessions: {
    done: [
      ['opr_ada', 'ses_1'],
      ['opr_ada', null],
    ],
    refused: [['opr_ada', 'ses_1']],
  },
  createWebhook: {
    done: [[newWebhook('wh_3'), 3]],
    refused: [
      [newWebhook('wh_4'), 3],
      [newWebhook('wh_4', { gallery: { appId: 'app_none', mode: 'live' } }), 9],
    ],
  },
  updateWebhook: {
    twice: [
      ['wh_1', { url: 'https://other.example' }],
      ['wh_1', { enabled: true }],
    ],
    refused: [['wh_none', {}]],
  },
  replayWebhook: {
    twice: [
      ['wh_1', { since: 0 }, NOW],
      ['wh_1', { since: NOW * 2 }, NOW],
    ],
    refused: [['wh_1', { eventId: 'evt_none' }, NOW]],
  },
  disableWebhook: { twice: [['wh_1', 'operator', NOW]], refused: [['wh_none', 'operator', NOW]] },
  deleteWebhook: { done: [['wh_1']], refused: [['wh_1']] },
  createTeam: { done: [[team('team_new')]], refused: [[team('team_new')]] },
  updateTeam: {
    twice: [['team_empty', { name: 'New' }]],
    done: [['team_empty', null]],
    refused: [
      ['team_empty', { name: 'New' }],
      ['team_empty', null],
      [FIRST_TEAM, null],
      ['team_with_apps', null],
    ],
  },
  setMember: {
    twice: [[FIRST_TEAM, 'opr_grace', 'viewer', NOW]],
    done: [[FIRST_TEAM, 'opr_grace', null, NOW]],
    refused: [
      [FIRST_TEAM, 'opr_grace', null, NOW],
      [FIRST_TEAM, 'opr_ada', null, NOW],
      [FIRST_TEAM, 'opr_none', 'owner', NOW],
    ],
  },
};

/** Each verb with its acts. */
export function recordedVerbs(): [verb: string, done: readonly Act[], refused: readonly Act[]][] {
  return Object.entries<Acts<readonly unknown[]>>(VERBS).map(
    ([verb, { twice = [], done = [], refused = [] }]) => {
      const act =
        (given: readonly unknown[]): Act =>
        (store, by) =>
          (store[verb as RecordedVerb] as (...given: unknown[]) => Promise<unknown>)(...given, by);
      return [verb, [...twice.flatMap(given => [given, given]), ...done].map(act), refused.map(act)];
    },
  );
}
