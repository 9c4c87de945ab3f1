/** Who may do what: the table of the code. */
import * as assert from 'uvu/assert';
import { type Action, RANKS, RIGHTS, type Right, ROLES } from '../../src/protocol/portal/roles.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: roles');

/** Action → what admin, owner, developer, support and viewer may: yes, step-up, step-up in live mode, test, no. */
const PROMISED: Readonly<Record<Action, string>> = {
  read: 'yyyyy',
  'people.read': 'yytyn',
  'person.export': 'lltln',
  'person.erase': 'lltln',
  'people.export': 'lltnn',
  'key.test': 'yyynn',
  'key.label': 'yyynn',
  'key.live.publishable': 'yyynn',
  'key.live.secret': 'ssnnn',
  'key.live.revoke': 'ssnnn',
  'app.create': 'yyynn',
  'app.rename': 'yyynn',
  'app.origins.local': 'yyynn',
  'app.origins': 'sssnn',
  'app.first-party': 'ssnnn',
  'app.delete': 'ssnnn',
  'app.plan': 'snnnn',
  'app.move': 'snnnn',
  'team.create': 'snnnn',
  'team.delete': 'snnnn',
  'team.rename': 'ssnnn',
  'invitations.read': 'yynnn',
  members: 'ssnnn',
  'webhook.use': 'yyynn',
  webhook: 'ssnnn',
  'installation.read': 'ynnnn',
  installation: 'snnnn',
};
const LETTER: Readonly<Record<Right, string>> = {
  yes: 'y',
  'step-up': 's',
  'step-up-live': 'l',
  test: 't',
  no: 'n',
};

test('each role may do what is promised to teams', () => {
  const found = Object.entries(RIGHTS).map(([action, row]) => [
    action,
    RANKS.map(rank => LETTER[row[rank]]).join(''),
  ]);
  assert.equal(Object.fromEntries(found), PROMISED);
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

test.run();
