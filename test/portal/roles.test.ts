/** Who may do what: the table of the code, as the operators' guide shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Action, type Rank, RIGHTS, type Right, ROLES } from '../../src/protocol/portal/roles.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: roles');
const GUIDE = readFileSync(join(import.meta.dirname, '../../src/portal/operators.md'), 'utf8');
const RANKS: readonly Rank[] = ['admin', ...ROLES];

const MEANING: Readonly<Record<Action, string>> = {
  read: 'see counts, charts, refusals, settings, keys by their last four characters, members',
  'people.read': 'list, find and open users; see events with address and browser',
  'person.export': 'export one user',
  'person.erase': 'erase one user',
  'people.export': 'export the list of users',
  'key.test': 'create, roll and revoke test keys',
  'key.label': 'label keys',
  'key.live.publishable': 'create and roll live publishable keys',
  'key.live.secret': 'create and roll live secret keys',
  'key.live.revoke': 'revoke live keys',
  'app.create': 'create apps',
  'app.rename': 'rename an app',
  'app.origins.local': 'change origins of localhost',
  'app.origins': 'change other origins',
  'app.first-party': 'make an app first-party, or no longer',
  'app.delete': 'delete an app',
  'app.plan': 'change the plan of an app',
  'app.move': 'move an app to another team',
  'team.create': 'create teams',
  'team.delete': 'delete a team without apps',
  'team.rename': 'rename a team',
  'invitations.read': 'see invitations',
  members: 'invite, remove and change members',
  'installation.read': 'see health in full, jobs, signing keys, operators',
  installation:
    'run jobs, accept the clock, rotate the signing key, disable operators, change their address, make links',
};
const SHOWN: Readonly<Record<Right, string>> = {
  yes: 'yes',
  'step-up': '↑',
  'step-up-live': '↑',
  test: 'test',
  no: '–',
};

/** The rows of the guide's table, made from RIGHTS. */
function table(): string[] {
  const head = [`| | ${RANKS.join(' | ')} |`, `|---|${'---|'.repeat(RANKS.length)}`];
  const rows = (Object.keys(RIGHTS) as Action[]).map(
    action => `| ${MEANING[action]} | ${RANKS.map(rank => SHOWN[RIGHTS[action][rank]]).join(' | ')} |`,
  );
  return [...head, ...rows];
}

test('the guide shows the table that the program uses', () => {
  const expected = table().join('\n');
  assert.ok(GUIDE.includes(`\n\n${expected}\n\n`), `write into src/portal/operators.md:\n${expected}`);
});

test('no role may do what the one above it may not, and an admin may do everything', () => {
  const STRENGTH: Readonly<Record<Right, number>> = {
    no: 0,
    test: 1,
    'step-up': 2,
    'step-up-live': 2,
    yes: 3,
  };
  for (const [action, row] of Object.entries(RIGHTS)) {
    assert.ok(STRENGTH[row.admin] >= 2, action);
    for (const role of ROLES) assert.ok(STRENGTH[row.admin] >= STRENGTH[row[role]], `${action} of ${role}`);
    assert.ok(STRENGTH[row.owner] >= STRENGTH[row.viewer], action);
  }
});

test('nobody but an admin touches the installation, and a viewer sees no person', () => {
  for (const action of ['installation', 'installation.read', 'app.plan', 'app.move', 'team.create'] as const)
    assert.equal(
      ROLES.map(role => RIGHTS[action][role]),
      ['no', 'no', 'no', 'no'],
      action,
    );
  for (const [action, row] of Object.entries(RIGHTS)) assert.is(row.viewer, action === 'read' ? 'yes' : 'no');
});

test.run();
