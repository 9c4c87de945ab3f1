/**
 * Every route that changes something, sent twice: each time it is done it has its entry in the audit log, once, also
 * when there is nothing left to change; refused, it has none. And every route that shows people: looking has an entry, equal looks are counted.
 * Made from the table of routes.
 */
import * as assert from 'uvu/assert';
import { PORTAL_COOKIE } from '../../../src/brand.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/table/operation.ts';
import { FIRST_TEAM } from '../../../src/ports/store.ts';
import { HOUR } from '../../../src/protocol/limits.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { enrolled, faces, type Headers, type Json } from '../../support/client.ts';
import { ask, cookiesOf, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { NOBODY_LISTENS, type Place } from './requests.ts';
import { placeIn } from './setup.ts';

const test = suite('internal: deeds');
const run = serviceFor(test);
const operators = operatorsFor(test, run);

interface Given extends Place {
  readonly as: Session & { readonly email: string };
}
type Sent = readonly [path: string, json?: object, headers?: Headers];

const now = () => run.clock.now();
const store = () => operators.admin.deps.store;

async function passkeyOf({ as }: Given): Promise<string> {
  const id = as.id.replace('opr_', 'psk_');
  const key = { credentialId: `c${as.id}`, publicKey: new Uint8Array(1), counter: 0, transports: [] };
  await store().addPasskey(
    { id, operatorId: as.id, ...key, label: 'Old', createdAt: now(), lastUsedAt: null },
    9,
  );
  return id;
}

async function member({ team }: Given): Promise<string> {
  return (await operators.create({ teams: { [team]: 'viewer' } })).id;
}

async function emptyTeam(): Promise<string> {
  const team = { id: `team_${now()}`, name: 'Empty', createdAt: now() };
  await store().createTeam(team);
  return team.id;
}

const webhookOf = ({ app, testWebhook }: Given) => `/apps/${app}/test/webhooks/${testWebhook}`;

async function invitationOf({ as, team }: Given): Promise<string> {
  const json = { email: 'invited@mail.example', role: 'viewer' };
  return (await ask(run, 'POST', `/teams/${team}/invitations`, { as, json })).json.invitation.id;
}

/** A challenge, and both cookies of the browser that asked for it. */
async function challenged({ as }: Given, path: string) {
  const asked = await ask(run, 'POST', `${path}/options`, { as });
  const cookies = { [PORTAL_COOKIE]: as.cookie, ...cookiesOf(asked) };
  const cookie = Object.entries(cookies).map(each => each.join('='));
  return { options: asked.json.options, headers: { cookie: cookie.join('; ') } };
}

async function registration(given: Given, authenticator = createAuthenticator(run.portal)) {
  const { options, headers } = await challenged(given, '/passkeys');
  return ['/passkeys', { credential: authenticator.register(options) }, headers] as const;
}

async function proof(given: Given, path: string): Promise<Sent> {
  const authenticator = createAuthenticator(run.portal);
  const [register, json, headers] = await registration(given, authenticator);
  await ask(run, 'POST', register, { as: given.as, json, headers });
  const asked = await challenged(given, path);
  return [path, { credential: authenticator.authenticate(asked.options) }, asked.headers];
}

/** What each route is sent twice, how the second time ends: as the first, or refused; and what it is called then. */
const TWICE: Readonly<
  Record<string, [(given: Given) => Sent | Promise<Sent>, 'done' | number, actions?: readonly string[]]>
> = {
  redeemLink: [
    async ({ as }) => ['/links/redeem', { token: (await operators.link({ operatorId: as.id })).token }],
    410,
    ['link.sign_in', 'sign-in.link'],
  ],
  signIn: [given => proof(given, '/session'), 401],
  stepUp: [given => proof(given, '/session/step-up'), 401],
  signInByCode: [
    async ({ as }) => {
      const { codes } = (await ask(run, 'POST', '/recovery-codes', { as })).json;
      return ['/session/recovery', { email: as.email, code: codes[0] }];
    },
    401,
  ],
  registerPasskey: [registration, 401],
  signOut: [() => ['/session'], 401],
  changeAccount: [() => ['/account', { theme: 'dark' }], 'done'],
  labelPasskey: [async given => [`/passkeys/${await passkeyOf(given)}`, { label: 'New' }], 'done'],
  deletePasskey: [
    async given => {
      await store().setRecoveryCodes(given.as.id, ['hash'], now());
      return [`/passkeys/${await passkeyOf(given)}`];
    },
    404,
  ],
  makeRecoveryCodes: [() => ['/recovery-codes'], 'done'],
  endSession: [
    async ({ as }) => {
      await operators.signIn(as.id);
      const { sessions } = (await ask(run, 'GET', '/sessions', { as })).json;
      return [`/sessions/${sessions.find((one: Json) => !one.current).id}`];
    },
    404,
  ],
  createTeam: [() => ['/teams', { name: 'Another' }], 'done'],
  renameTeam: [({ team }) => [`/teams/${team}`, { name: 'Renamed' }], 'done'],
  deleteTeam: [async () => [`/teams/${await emptyTeam()}`], 404],
  changeRole: [
    async given => [`/teams/${given.team}/members/${await member(given)}`, { role: 'support' }],
    'done',
  ],
  removeMember: [async given => [`/teams/${given.team}/members/${await member(given)}`], 404],
  invite: [
    ({ team }) => [`/teams/${team}/invitations`, { email: 'grace@mail.example', role: 'viewer' }],
    'done',
  ],
  withdrawInvitation: [async given => [`/teams/${given.team}/invitations/${await invitationOf(given)}`], 404],
  createApp: [({ team }) => ['/apps', { team_id: team, name: 'Another' }], 'done'],
  changeApp: [({ app }) => [`/apps/${app}`, { name: 'Renamed' }], 'done'],
  deleteApp: [({ app }) => [`/apps/${app}`, { name: 'Deeds app' }], 404],
  makeKey: [({ app }) => [`/apps/${app}/keys`, { type: 'secret', mode: 'test' }], 'done'],
  labelKey: [({ app, testKey }) => [`/apps/${app}/keys/${testKey}`, { label: 'Till' }], 'done'],
  revokeKey: [({ app, testKey }) => [`/apps/${app}/keys/${testKey}`], 'done'],
  rollKey: [({ app, testKey }) => [`/apps/${app}/keys/${testKey}/roll`, { ends_in_seconds: 0 }], 409],
  erasePerson: [
    async () => {
      const app = await run.createApp();
      const { user } = await enrolled(run, app);
      return [`/apps/${app.id}/live/users/${user.id}`];
    },
    404,
  ],
  createWebhook: [({ app }) => [`/apps/${app}/test/webhooks`, { url: NOBODY_LISTENS }], 'done'],
  changeWebhook: [given => [webhookOf(given), { enabled: false }], 'done'],
  rollWebhook: [given => [`${webhookOf(given)}/roll`], 'done'],
  testWebhook: [given => [`${webhookOf(given)}/test`], 'done'],
  replayWebhook: [given => [`${webhookOf(given)}/replay`, { since: '2026-01-01' }], 'done'],
  deleteWebhook: [given => [webhookOf(given)], 404],
  runJob: [() => ['/jobs/events/run'], 'done'],
  acceptClock: [() => ['/clock/accept'], 'done'],
  rotateSigningKey: [() => ['/signing-keys/rotate'], 409],
  changeOperator: [async given => [`/operators/${await member(given)}`, { disabled: true }], 'done'],
  makeOperatorLink: [async given => [`/operators/${await member(given)}/link`], 'done'],
  endOperatorSessions: [async given => [`/operators/${await member(given)}/sessions`], 'done'],
};

/** The operator's entries, oldest first. */
async function entriesOf(id: string): Promise<Json[]> {
  return (await store().listAudit({ actorId: id }, null, 1_000)).reverse();
}

const changing = OPERATIONS.filter(({ method, audit }) => method !== 'GET' && audit);
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

for (const route of changing)
  test(`${nameOf(route)}: an entry each time it is done, also if nothing changes`, async () => {
    const row = TWICE[route.id];
    assert.ok(row, `write a row for ${route.id} into TWICE`);
    const as = await operators.create({ isAdmin: true });
    const [send, second, actions = [route.audit?.action]] = row;
    const [path, json, headers = {}] = await send({ ...(await placeIn(operators, 'Deeds')), as });
    const before = (await entriesOf(as.id)).length;
    const statuses = [];
    for (let i = 0; i < 2; i++)
      statuses.push((await ask(run, route.method, path, { as, headers, ...(json && { json }) })).status);
    const [first = 0, other = 0] = statuses;
    assert.ok(first >= 200 && first < 300, `${first}`);
    assert.is(other, second === 'done' ? first : second);
    const done = (await entriesOf(as.id)).slice(before).filter(({ outcome }) => outcome === 'ok');
    assert.equal(
      done.map(({ action }) => action),
      second === 'done' ? [...actions, ...actions] : actions,
    );
  });

const looks: readonly [string, (app: string, user: string) => string, string][] = [
  ['the first page of users', app => `/apps/${app}/live/users`, 'people.read'],
  ['a search', app => `/apps/${app}/live/users?contains=a`, 'people.search'],
  ['finding by address', app => `/apps/${app}/live/users?email=ada%40mail.example`, 'people.search'],
  ['the first page of events', app => `/apps/${app}/live/events`, 'people.read'],
  ['opening a person', (app, user) => `/apps/${app}/live/users/${user}`, 'person.open'],
  ['exporting the audit log', () => '/audit.jsonl', 'audit.export'],
];

test('looking at people has an entry at once, and equal looks become one with their count', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  const reader = await operators.create({ isAdmin: true });
  for (const [what, pathOf, action] of looks) {
    const as = await operators.create({ teams: { [FIRST_TEAM]: 'owner' } });
    const path = pathOf(app.id, user.id);
    const own = async () =>
      (await entriesOf(as.id))
        .filter(entry => !/^(?:link|sign-in)/.test(entry.action))
        .map(entry => [entry.action, entry.outcome, entry.count]);
    assert.is((await ask(run, 'GET', path, { as })).status, 200, what);
    assert.equal(await own(), [[action, 'ok', 1]], what);
    for (let i = 0; i < 9; i++) await ask(run, 'GET', path, { as: await again(as, i) });
    assert.equal(await own(), [[action, 'ok', 1]], what);
    // Whoever sees the whole log sees what was counted until now.
    await ask(run, 'GET', '/audit', { as: reader });
    const counted = action === 'person.open' ? [] : [[action, 'ok', 9]];
    assert.equal(await own(), [[action, 'ok', 1], ...counted], what);
  }
});

/** Now and then another session of the same operator. */
const again = (as: Session, i: number) => (i % 4 === 3 ? operators.signIn(as.id) : as);

test('later pages have none; a person is opened once an hour, by a keyed hash', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  const as = await operators.create({ isAdmin: true });
  const page = (await ask(run, 'GET', `/apps/${app.id}/live/users?limit=1`, { as })).json;
  await ask(run, 'GET', `/apps/${app.id}/live/users?limit=1&cursor=${page.next_cursor}`, { as });
  const open = async () =>
    ask(run, 'GET', `/apps/${app.id}/live/users/${user.id}`, { as: await operators.signIn(as.id) });
  await open();
  await open();
  run.clock.advance(HOUR);
  await open();
  const looked = (await entriesOf(as.id)).filter(({ action }) => /^pe/.test(action));
  assert.equal(
    looked.map(({ action }) => action),
    ['people.read', 'person.open', 'person.open'],
  );
  assert.not.match(JSON.stringify(looked), new RegExp(user.id));
});

test.run();
