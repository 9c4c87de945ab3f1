/** What an app is told by each verb of the store, or why it is told nothing. Without a row it does not compile. */
import type { DeletionTerms, OutboxEvent, Store } from '../../src/ports/store.ts';
import { iso } from '../../src/protocol/time.ts';
import { attempt, newChange, newCode } from './code-fixtures.ts';
import {
  challenges,
  type enrolled,
  enrolment,
  failedMatch,
  LIVE,
  NOW,
  newKey,
  signIn,
  signingKey,
  TOKEN,
  UNLIMITED,
  vector,
} from './fixtures.ts';

/** As a verb tells it: the type and what is said beside the user. */
type Said = readonly [type: OutboxEvent['type'], data: Readonly<Record<string, unknown>>];
export type Person = Awaited<ReturnType<typeof enrolled>>;

export interface Act {
  readonly what: string;
  /** @param person somebody who has just enrolled */
  readonly act: (store: Store, person: Person) => Promise<unknown>;
  readonly tells: readonly Said[];
}

/** Why a verb tells nothing. */
type Silent = 'reads' | 'other' | 'not told';
type Verb = {
  [Name in keyof Store]: Store[Name] extends (...given: never[]) => unknown ? Name : never;
}[keyof Store];

/** It changes nothing. */
const READS = 'reads' satisfies Silent;
/** What it changes is no user, key or token. */
const OTHER = 'other' satisfies Silent;
/** Keys, and what belongs to operators or to all users at once: no type says it. The app itself is gone, or is nobody's yet. */
const NOT_TOLD = 'not told' satisfies Silent;

const token = (jti: string, at = NOW) => ({ jti, expiresAt: at + 3_600_000 });
const saidOf = ({ jti, expiresAt }: typeof TOKEN) => ({ jti, expires_at: iso(expiresAt) });
const ORIGIN = { ip: '192.0.2.9', userAgent: 'Browser/9', liveness: undefined };
/** In the middle of a second. */
const LATER = NOW + 31_234;
const SECOND_OF_LATER = iso(NOW + 31_000);
const VERIFIED = (issued_before: string): Said[] => [
  ['user.email_verified', {}],
  ['user.tokens_revoked', { issued_before }],
];

async function useCode(
  store: Store,
  { user }: Person,
  change: { asksOwner?: boolean; jti?: string; iat?: number } = {},
) {
  const { asksOwner = false, jti = 'jti_code', iat = NOW + 31_000 } = change;
  const code = newCode(user.id);
  await store.putCode(code);
  const given = { ...attempt(code.hash, { at: LATER }), token: token(jti, iat) };
  const used = await store.useCode({ ...given, userId: user.id, auth: UNLIMITED, asksOwner });
  if (used.outcome !== 'signed_in') throw new Error(used.outcome);
}
const byCode = (jti = 'jti_code', iat = NOW + 31_000): Said => [
  'user.signed_in',
  { method: 'email_code', ...saidOf(token(jti, iat)) },
];

async function change(store: Store, { user }: Person) {
  const code = newChange(user.id, `of.${user.id}@new.example`);
  await store.putCode(code);
  const { outcome } = await store.confirmEmailChange({
    ...attempt(code.hash, { at: LATER }),
    ...{ userId: user.id, issuedAt: NOW + 20_000 },
  });
  if (outcome !== 'applied') throw new Error(outcome);
}

async function add(store: Store, { user }: Person, seeds: readonly number[], most: number | null) {
  const { sequence } = await store.galleryState(LIVE);
  const templates = seeds.map(seed => ({ id: `tpl_${user.id}_${seed}`, vector: vector(seed) }));
  const own = { gallery: LIVE, userId: user.id, at: NOW, origin: ORIGIN, encoder: null, templates, most };
  const { outcome } = await store.addTemplates({ ...own, sequence });
  if (outcome !== 'stored') throw new Error(outcome);
}

async function signInByFace(store: Store, { number, user }: Person) {
  const [id = ''] = await challenges(store, 1, LIVE, `ch_${user.id}`);
  const given = signIn(number, id, { at: LATER, token: token('jti_face', NOW + 31_000) });
  const { outcome } = await store.recordSignIn(given);
  if (outcome !== 'signed_in') throw new Error(outcome);
}

const deletion = (what: string, terms: DeletionTerms | undefined, reason: string): Act => ({
  what,
  act: (store, { user }) => store.deleteUsers([{ gallery: LIVE, id: user.id }], LATER, terms),
  tells: [['user.deleted', { reason }]],
});

// biome-ignore format: as many as fit in a row
const SILENT = {
  ...all(NOT_TOLD, ['deleteApp', 'rollKey', 'updateKey', 'noteKeyUses', 'beginRekey', 'reseal', 'destroyOldKeys']),
  ...all(NOT_TOLD, ['dropUnfinishedImports', 'finishErasures', 'settleErasures', 'prune', 'retireCode']),
  ...all(NOT_TOLD, ['endOverlong']),
  ...all(OTHER, ['createApp', 'updateApp']),
  ...all(OTHER, ['addChallenge', 'consumeChallenge', 'takeWindows', 'recordFailedAdd', 'nameEncoder']),
  ...all(OTHER, ['countLookAlikes', 'appendAudit', 'setKnownTime', 'recordJobRun', 'updateOperator', 'createLink']),
  ...all(OTHER, ['withdrawInvitation', 'redeemLink', 'addPasskey', 'updatePasskey', 'useCeremony']),
  ...all(OTHER, ['setRecoveryCodes', 'useRecoveryCode', 'startSession', 'updateSession', 'endSessions']),
  ...all(OTHER, ['createTeam', 'updateTeam', 'setMember', 'alone', 'close', 'createWebhook', 'updateWebhook']),
  ...all(OTHER, ['disableWebhook', 'deleteWebhook', 'recordDeliveries', 'replayWebhook']),
  ...all(READS, ['listWebhooks', 'webhookNews', 'dueWebhookEvents', 'listDeliveries', 'webhookFigures', 'listApps']),
  ...all(READS, ['firstPartyOrigins', 'findApp', 'listKeys', 'findCredential', 'listAudit', 'appCounts']),
  ...all(READS, ['verifyAudit', 'sealedValues', 'unfinishedRekeys', 'encoders', 'placeUser', 'listUsers']),
  ...all(READS, ['userFile', 'listEvents', 'census', 'usageIn', 'lookAlikes', 'windowsUnder', 'galleryWindows']),
  ...all(READS, ['eventsPerDay', 'distancesPerDay', 'listOperators', 'listPasskeys', 'findSession', 'listSessions']),
  ...all(READS, ['listTeams', 'listMembers', 'listLinks', 'outboxState', 'outboxEvents', 'outboxEvent']),
  ...all(READS, ['revocations', 'outboxPlaces', 'profileOf', 'enrolledTemplates', 'agedUsers', 'knownTime']),
  ...all(READS, ['jobRuns', 'challengeIsOpen', 'galleryState', 'galleryChanges', 'loadGallery', 'usedGalleries']),
  ...all(READS, ['enrolBlocker', 'peekWindow', 'usageOf', 'findUser', 'countUsers', 'signingKeys', 'openSigningKey']),
  ...all(READS, ['tokenStanding', 'ping', 'figures']),
};

const VERBS: { readonly [Name in Verb]: Silent | readonly Act[] } = {
  enrol: [
    {
      what: 'an enrolment',
      async act(store) {
        const { sequence } = await store.galleryState(LIVE);
        await store.enrol(enrolment({ id: 'usr_new', sequence, token: token('jti_new') }));
      },
      tells: [['user.enrolled', { user_id: 'usr_new', ...saidOf(token('jti_new')) }]],
    },
  ],
  recordSignIn: [
    {
      what: 'a sign-in by face',
      act: signInByFace,
      tells: [['user.signed_in', { method: 'face', ...saidOf(token('jti_face', NOW + 31_000)) }]],
    },
  ],
  useCode: [
    { what: 'a first code', act: useCode, tells: [...VERIFIED(SECOND_OF_LATER), byCode()] },
    {
      what: 'a first code whose token is of the second before',
      act: (store, person) => useCode(store, person, { iat: NOW + 30_000 }),
      tells: [...VERIFIED(iso(NOW + 30_000)), byCode('jti_code', NOW + 30_000)],
    },
    {
      what: 'a code that opens the question of the face',
      act: (store, person) => useCode(store, person, { asksOwner: true }),
      tells: [['user.tokens_revoked', { issued_before: SECOND_OF_LATER }], byCode()],
    },
    {
      what: 'a second code',
      async act(store, person) {
        await useCode(store, person);
        await useCode(store, person, { jti: 'jti_second' });
      },
      tells: [...VERIFIED(SECOND_OF_LATER), byCode(), byCode('jti_second')],
    },
  ],
  confirmEmailChange: [
    {
      what: 'another address, where none was proven',
      act: change,
      tells: [['user.email_changed', {}], ...VERIFIED(iso(NOW + 20_000))],
    },
    {
      what: 'another address, where one was proven',
      async act(store, person) {
        await useCode(store, person);
        await change(store, person);
      },
      tells: [...VERIFIED(SECOND_OF_LATER), byCode(), ['user.email_changed', {}]],
    },
    {
      what: 'another address while the face is in question',
      async act(store, person) {
        await useCode(store, person, { asksOwner: true });
        await change(store, person);
      },
      tells: [
        ['user.tokens_revoked', { issued_before: SECOND_OF_LATER }],
        byCode(),
        ['user.email_changed', {}],
      ],
    },
  ],
  updateUser: [
    {
      what: 'a face that its owner confirms',
      async act(store, person) {
        await useCode(store, person, { asksOwner: true });
        const confirmed = { faceConfirmedAt: LATER + 5_000, issuedAt: NOW + 31_000 };
        for (let i = 0; i < 2; i++) await store.updateUser(LIVE, person.user.id, confirmed);
      },
      tells: [
        ['user.tokens_revoked', { issued_before: SECOND_OF_LATER }],
        byCode(),
        ...VERIFIED(SECOND_OF_LATER),
      ],
    },
    {
      what: 'another name, of which no type tells',
      act: (store, { user }) => store.updateUser(LIVE, user.id, { name: 'Other' }),
      tells: [],
    },
  ],
  addTemplates: [
    {
      what: 'learned templates, which replace older ones',
      async act(store, person) {
        await add(store, person, [1_001, 1_002], 5);
        await add(store, person, [1_003, 1_004], 5);
      },
      tells: [
        ['user.templates_added', { added: 2, template_count: 4 }],
        ['user.templates_added', { added: 2, template_count: 5 }],
      ],
    },
    {
      what: 'the first templates after another encoder',
      async act(store, person) {
        await store.resetEncoder(LIVE, null, { at: NOW });
        await add(store, person, [1_005], null);
        await store.resetEncoder(LIVE, null);
      },
      tells: [['user.templates_added', { added: 1, template_count: 1 }]],
    },
  ],
  revokeToken: [
    {
      what: 'a sign-out, told once',
      async act(store, { user }) {
        const given = { userId: user.id, ...token(`jti_${user.id}`) };
        await Promise.all([1, 2, 3].map(() => store.revokeToken(LIVE, given, LATER)));
      },
      tells: [['user.signed_out', { jti: /^jti_usr_/, expires_at: iso(TOKEN.expiresAt) }]],
    },
  ],
  deleteUsers: [
    deletion('a deletion', undefined, 'operator'),
    deletion('a deletion by the user', { reason: 'self' }, 'self'),
    deletion('a deletion by the app', { reason: 'secret_key' }, 'secret_key'),
    deletion('a deletion after years', { reason: 'retention', idleSince: LATER }, 'retention'),
    deletion('a deletion of a test user', { reason: 'test_expired', events: 'deleted' }, 'test_expired'),
    {
      what: 'a user who is spared, for they were there meanwhile',
      act: (store, { user }) =>
        store.deleteUsers([{ gallery: LIVE, id: user.id }], LATER, { idleSince: NOW - 1 }),
      tells: [],
    },
  ],
  putCode: [
    { what: 'a code that is sent', act: (store, { user }) => store.putCode(newCode(user.id)), tells: [] },
  ],
  resetEncoder: [
    {
      what: 'all templates erased, which is no deed of a user',
      act: store => store.resetEncoder(LIVE, null, { at: NOW }),
      tells: [],
    },
  ],
  recordFailedMatch: [
    {
      what: 'a face that nobody has',
      act: (store, { number }) => store.recordFailedMatch(failedMatch({ nearUser: number })),
      tells: [],
    },
  ],
  addSigningKey: [
    {
      // That tokens count from now is the revocation of all, which the other feed tells.
      what: 'new signing keys in place of stolen ones',
      async act(store) {
        await store.addSigningKey(signingKey('one'), null);
        await store.addSigningKey(signingKey('two'), { now: LATER, keep: 1_000, revokeOld: true });
      },
      tells: [],
    },
  ],
  createKey: [{ what: 'an API key', act: store => store.createKey(newKey('key_told'), 9), tells: [] }],
  ...SILENT,
};

function all<const Name extends Verb>(silent: Silent, names: readonly Name[]): { [Each in Name]: Silent } {
  return Object.fromEntries(names.map(name => [name, silent])) as { [Each in Name]: Silent };
}

export const toldActs = (): Act[] =>
  Object.values(VERBS).flatMap(verb => (typeof verb === 'string' ? [] : [...verb]));
