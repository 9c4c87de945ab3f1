/** Every rule of the service, with the tests that hold it. test/repo/rules.test.ts holds this table. */
import { authenticationRules } from './authentication.ts';
import { bodiesRules } from './bodies.ts';
import { codesRules } from './codes.ts';
import { commandsRules } from './commands.ts';
import { credentialsRules } from './credentials.ts';
import { encoderRules } from './encoder.ts';
import { endpointsRules } from './endpoints.ts';
import { erasureRules } from './erasure.ts';
import { errorsRules } from './errors.ts';
import { fieldsRules } from './fields.ts';
import { limitsRules } from './limits.ts';
import { matchingRules } from './matching.ts';
import { meRules } from './me.ts';
import { nodesRules } from './nodes.ts';
import { orderRules } from './order.ts';
import { portalRules } from './portal.ts';
import { portalApiRules } from './portal-api.ts';
import { resourcesRules } from './resources.ts';
import { responsesRules } from './responses.ts';
import type { Rule } from './rule.ts';
import { statesRules } from './states.ts';
import { tokensRules } from './tokens.ts';
import { upkeepRules } from './upkeep.ts';
import { versioningRules } from './versioning.ts';

export const RULES: readonly Rule[] = [
  ...resourcesRules,
  ...statesRules,
  ...endpointsRules,
  ...codesRules,
  ...meRules,
  ...authenticationRules,
  ...errorsRules,
  ...limitsRules,
  ...versioningRules,
  ...orderRules,
  ...bodiesRules,
  ...fieldsRules,
  ...matchingRules,
  ...encoderRules,
  ...responsesRules,
  ...credentialsRules,
  ...tokensRules,
  ...erasureRules,
  ...commandsRules,
  ...upkeepRules,
  ...nodesRules,
  ...portalApiRules,
  ...portalRules,
];
