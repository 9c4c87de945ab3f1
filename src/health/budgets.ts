/**
 * Budgets of apps that are half used, or more, and users whom faces could not tell apart. Held by
 * test/health/problems.test.ts.
 */
import { type Budget, shareOf } from '../domain/limits/budgets.ts';
import { CLI } from '../typed.ts';
import type { Condition } from './condition.ts';
import { MOST_NAMED, named, type Problem } from './problem.ts';

const WORDS: Record<Budget['of'], { readonly what: string; readonly effect: string; readonly fix: string }> =
  {
    plan: {
      what: 'auths of this month (UTC)',
      effect: 'With none left, nobody enrolls or signs in until the next month.',
      fix: `See who fails with "${CLI} events". If these are your users, run "${CLI} app update APP --plan PLAN".`,
    },
    'failed-faces': {
      what: 'failed faces of today (UTC)',
      effect: 'With none left, nobody signs in by face until midnight UTC. Email codes still work.',
      fix: `See where they come from with "${CLI} events". Block these addresses in front of the service, or raise LIMIT_FAILED_FACES_PER_APP_DAY.`,
    },
  };

export function budgets({ budgets: used }: Pick<Condition, 'budgets'>): Problem[] {
  return [...Map.groupBy(used ?? [], ({ of }) => of)].map(([of, all]) => {
    const { what, effect, fix } = WORDS[of];
    const shares = all.map(budget => {
      const { gallery, limit } = budget;
      return `${gallery.appId} (${gallery.mode}) ${Math.floor(100 * shareOf(budget))} % of ${limit}`;
    });
    return {
      name: of,
      since: null,
      message: `Half or more of the ${what} are used: ${named(shares)}. ${effect}`,
      fix,
    };
  });
}

/** It has the ids of users, as the portal's addresses do: a name would be in every monitor. */
export function lookAlikes({ lookAlikes: pairs }: Pick<Condition, 'lookAlikes'>): Problem[] {
  if (!pairs || pairs.length === 0) return [];
  const some = pairs
    .slice(0, MOST_NAMED)
    .map(
      ({ gallery: { appId, mode }, younger, older, count }) =>
        `${older} and ${younger} (enrolled later) in ${appId} (${mode}), ${count} times`,
    );
  const more = pairs.length > some.length ? ' and more' : '';
  return [
    {
      name: 'look-alikes',
      since: null,
      message: `Users are hard to tell apart, and may not be recognised: ${some.join('; ')}${more}.`,
      fix: 'Check both people before you act. Either may have a face made to resemble the other, whoever enrolled first: users add pictures later.',
    },
  ];
}
