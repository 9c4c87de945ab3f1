/**
 * Every role on every page, in a browser against the real service: a control is there exactly for those who may use it,
 * by the table of rights, and no page asks for what its operator may not see. What the buttons do is tested page by
 * page; that the service refuses the same requests of others, in test/portal/internal/rights.test.ts.
 */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { type Action, RANKS, RIGHTS } from '../../src/protocol/portal/roles.ts';
import { browser, call, enrolled, faces, type Mode } from '../support/client.ts';
import { ask, operatorsFor, type Session } from '../support/portal.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { axe } from './chromium.ts';
import { tabOf } from './portal-pages.ts';

const test = suite('browser: roles in the portal');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const MODES = ['live', 'test'] as const;
const ELSEWHERE = 'https://elsewhere.example';
const HOOKS = 'http://127.0.0.1:9/hooks';

let app: TestApp;
let admin: Session;
const users: Partial<Record<Mode, string>> = {};
const webhooks: Partial<Record<Mode, string>> = {};

test.before(async () => {
  app = await run.createApp({ name: 'Shop' });
  for (const mode of MODES) {
    const fields = { email: `${mode}@mail.example` };
    users[mode] = (await enrolled(run, app, { mode, descriptors: [faces.genuine(1)], fields })).user.id;
  }
  await call(run, 'POST', '/v1/challenges', { headers: browser(app, 'test', ELSEWHERE) });
  admin = await operators.create({ isAdmin: true, name: 'Root', teams: { [FIRST_TEAM]: 'owner' } });
  const json = { email: 'new@mail.example', role: 'viewer' };
  await ask(run, 'POST', `/teams/${FIRST_TEAM}/invitations`, { as: admin, json });
  for (const mode of MODES) {
    const path = `/apps/${app.id}/${mode}/webhooks`;
    webhooks[mode] = (await ask(run, 'POST', path, { as: admin, json: { url: HOOKS } })).json.webhook.id;
  }
});

type Part = (page: Page) => ReturnType<Page['locator']>;
type Control = readonly [what: string, action: Action, part: Part];
/** A page, its mode if it has one, and its controls. All controls are there for whoever may use them. */
type Row = readonly [path: () => string, mode: Mode | undefined, controls: readonly Control[]];

const button =
  (name: string | RegExp): Part =>
  page =>
    page.getByRole('button', { name }).first();
const heading =
  (name: string): Part =>
  page =>
    page.getByRole('heading', { name });
const inRow =
  (row: RegExp, name: RegExp): Part =>
  page =>
    page.getByRole('row', { name: row }).getByRole('button', { name }).first();
/** There for all, and only usable by some. */
const usable =
  (role: 'textbox' | 'checkbox' | 'combobox', name: string): Part =>
  page =>
    page.getByRole(role, { name, exact: true, disabled: false });

function ofMode(mode: Mode): Row[] {
  const at = () => `/apps/${app.id}/${mode}`;
  const of = (page: string, controls: Row[2]): Row => [() => `${at()}${page}`, mode, controls];
  const makes = mode === 'test' ? 'key.test' : 'key.live.publishable';
  return [
    of('', []),
    of('/users', [
      ['a user', 'people.read', page => page.getByRole('link', { name: `${mode}@mail.example` })],
      ['CSV', 'people.export', button('CSV')],
      ['JSON Lines', 'people.export', button('JSON Lines')],
    ]),
    [
      () => `${at()}/users/${users[mode]}`,
      mode,
      [
        ['the profile', 'people.read', heading('Profile')],
        ['the file', 'person.export', button('Save as JSON')],
        ['erasing', 'person.erase', button('Erase user')],
      ],
    ],
    of('/events', [['live events', 'people.read', usable('checkbox', 'Follow')]]),
    of('/faces', []),
    of('/refusals', mode === 'test' ? [['allowing', 'app.origins', button(/^Allow it/)]] : []),
    of('/keys', [
      ['a new key', makes, button('Create a key')],
      ['rolling a publishable key', makes, inRow(/Publishable/, /^Roll/)],
      ['rolling a secret key', mode === 'test' ? makes : 'key.live.secret', inRow(/Secret/, /^Roll/)],
      ['a label', 'key.label', button(/^Label/)],
      ['revoking', mode === 'test' ? makes : 'key.live.revoke', button(/^Revoke/)],
    ]),
    of('/webhooks', [
      ['a new webhook', 'webhook', button('Create a webhook')],
      ['webhooks', 'webhook.use', page => page.getByRole('link', { name: HOOKS })],
    ]),
    [
      () => `${at()}/webhooks/${webhooks[mode]}`,
      mode,
      [
        ['deliveries', 'webhook.use', heading('Deliveries')],
        ['testing', 'webhook.use', button('Send a test event')],
        ['sending again', 'webhook.use', button('Send events again')],
        ['changing', 'webhook', button('Change')],
        ['rolling its secret', 'webhook', button('Roll the secret')],
        ['disabling', 'webhook', button('Disable')],
        ['deleting', 'webhook', button('Delete')],
      ],
    ],
    of('/settings', [
      ['the name', 'app.rename', usable('textbox', 'Name')],
      ['origins', 'app.origins.local', button(/^Remove/)],
      ['the plan', 'app.plan', usable('combobox', 'Plan')],
      ['moving', 'app.move', heading('Move to another team')],
      ['first-party', 'app.first-party', usable('checkbox', 'This app is first-party')],
      ['deleting', 'app.delete', button('Delete app')],
    ]),
  ];
}

const ROWS: readonly Row[] = [
  [() => '/apps', undefined, [['a new app', 'app.create', button('Create an app')]]],
  ...ofMode('live'),
  ...ofMode('test'),
  [
    () => `/teams/${FIRST_TEAM}`,
    undefined,
    [
      ['renaming', 'team.rename', button('Rename the team')],
      ['invitations', 'invitations.read', page => page.getByText('new@mail.example').first()],
      ['inviting', 'members', button('Invite someone')],
      ['withdrawing', 'members', button(/^Withdraw/)],
      ['roles', 'members', page => page.getByRole('combobox', { name: 'Role of Root' })],
      ['removing', 'members', button(/^Remove/)],
      ['a new team', 'team.create', button('Create a team')],
      ['deleting', 'team.delete', button('Delete the team')],
    ],
  ],
  [() => '/account', undefined, [['passkeys', 'read', button('Add a passkey')]]],
  [() => '/installation', undefined, [['figures', 'installation.read', heading('Figures')]]],
  [() => '/installation/jobs', undefined, [['jobs', 'installation', button(/^Run now/)]]],
  [() => '/installation/signing-keys', undefined, [['rotating', 'installation', button('Rotate')]]],
  [
    () => '/installation/operators',
    undefined,
    [
      ['links', 'installation', button(/^Sign-in link/)],
      ['disabling', 'installation', button(/^Disable/)],
    ],
  ],
  [
    () => '/installation/audit',
    undefined,
    [
      ['the audit log', 'read', button('Export (JSONL)')],
      ['its operators', 'installation.read', page => page.getByRole('combobox', { name: 'Operator' })],
    ],
  ],
];

for (const rank of RANKS)
  test(`${rank}: each page has the controls of the role, and asks for nothing else`, async () => {
    const isAdmin = rank === 'admin';
    const teams = isAdmin ? {} : { [FIRST_TEAM]: rank };
    await using tab = await tabOf(run, await operators.create({ name: `Own ${rank}`, isAdmin, teams }));
    const refused: string[] = [];
    tab.page.on('response', answer => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
    });
    for (const [path, mode, controls] of ROWS) {
      const { page } = tab;
      await page.goto(`${run.portal}${path()}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.is(
        await page.getByRole('alert').count(),
        0,
        `${path()}: ${await page.locator('main').innerText()}`,
      );
      for (const [what, action, part] of controls) {
        const right = RIGHTS[action][rank];
        const isHere = right !== 'no' && (right !== 'test' || mode === 'test');
        if (isHere) await part(page).waitFor();
        else assert.is(await part(page).count(), 0, `${path()}: ${what}`);
      }
    }
    assert.equal(refused, []);
    assert.equal(tab.complaints, []);
  });

test('in Spanish every page fits a phone, and axe finds nothing', async () => {
  await using tab = await tabOf(run, await operators.create({ name: 'Own Spanish', isAdmin: true }));
  const { page } = tab;
  await page.setViewportSize({ width: 390, height: 860 });
  await page.addInitScript(() => localStorage.setItem('language', 'es'));
  for (const [path] of ROWS) {
    await page.goto(`${run.portal}${path()}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.is(await page.locator('html').getAttribute('lang'), 'es', path());
    const [inner, outer] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth] as const;
    });
    assert.ok(inner <= outer, `${path()}: ${inner} wide in ${outer}`);
    assert.equal(await axe(page), [], path());
  }
});

test('a removed member’s open page is refused at once', async () => {
  const member = await operators.create({ name: 'Dev', teams: { [FIRST_TEAM]: 'developer' } });
  await using tab = await tabOf(run, member);
  const { page } = tab;
  await page.goto(`${run.portal}/apps/${app.id}/test/keys`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await ask(run, 'DELETE', `/teams/${FIRST_TEAM}/members/${member.id}`, { as: admin });
  await dialog.getByRole('button', { name: 'Create a key' }).click();
  await dialog.getByText('not_found').waitFor();
  const keys = (await ask(run, 'GET', `/apps/${app.id}/keys`, { as: admin })).json.keys;
  assert.not.ok(keys.some((key: { created_by: string }) => key.created_by === member.id));
});

test.run();
