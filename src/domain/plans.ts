/** Plans: what an app may use in a month, and how many keys it may have. */

export interface Plan {
  /** Auths a calendar month (UTC); null: any number. */
  readonly monthlyAuths: number | null;
  /** Active keys per app, of both types together. */
  readonly liveKeys: number;
  readonly testKeys: number;
}

export type Plans = ReadonlyMap<string, Plan>;

export const DEFAULT_PLAN = 'free';

export const BUILT_IN_PLANS: Plans = new Map([
  ['free', { monthlyAuths: 1_000, liveKeys: 3, testKeys: 3 }],
  ['standard', { monthlyAuths: 50_000, liveKeys: 10, testKeys: 10 }],
  ['unlimited', { monthlyAuths: null, liveKeys: 100, testKeys: 100 }],
]);

/** An app whose plan is no longer in the plans file is held to the smallest of them, not let through. */
export function planOf(plans: Plans, name: string): Plan {
  const known = plans.get(name);
  if (known) return known;
  const amount = (plan: Plan) => plan.monthlyAuths ?? Number.POSITIVE_INFINITY;
  return [...plans.values()].reduce((least, plan) => (amount(plan) < amount(least) ? plan : least));
}
