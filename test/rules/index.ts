/** Every rule of the service, with the tests that hold it. test/repo/rules.test.ts holds this table. */
import { answers } from './answers.ts';
import { nodes, onTwoNodes } from './nodes.ts';
import { operating } from './operating.ts';
import { people } from './people.ts';
import { portal } from './portal.ts';
import { requests } from './requests.ts';
import { type Rule, rulesOf } from './rule.ts';
import { webhooks } from './webhooks.ts';

export const RULES: readonly Rule[] = [
  ...[requests, people, answers, operating, nodes, portal, webhooks].flatMap(table => rulesOf(table, 1)),
  ...rulesOf(onTwoNodes, 2),
];
