/** Plans: what an app may use in a month, and how many keys it may have. */
import type { Mode } from '../protocol/mode.ts';

export interface Plan {
  /** Auths per calendar month (UTC). Null: unlimited. */
  readonly monthlyAuths: number | null;
  /** Active keys per app. Secret and publishable keys count together. */
  readonly liveKeys: number;
  readonly testKeys: number;
}

export type Plans = ReadonlyMap<string, Plan>;

export { DEFAULT_PLAN } from '../protocol/app-fields.ts';

export const BUILT_IN_PLANS: Plans = new Map([
  ['free', { monthlyAuths: 1_000, liveKeys: 3, testKeys: 3 }],
  ['standard', { monthlyAuths: 50_000, liveKeys: 10, testKeys: 10 }],
  ['unlimited', { monthlyAuths: null, liveKeys: 100, testKeys: 100 }],
]);

/** An app whose plan is missing from the plans file gets the limits of the smallest plan. */
export function planOf(plans: Plans, name: string): Plan {
  return plans.get(name) ?? smallest(plans)[1];
}

/** The auths of an app per month. Null: unlimited, or test mode. */
export function monthlyAuthsOf(plans: Plans, app: { readonly plan: string }, mode: Mode): number | null {
  return mode === 'live' ? planOf(plans, app.plan).monthlyAuths : null;
}

/** A plan that apps have and the plans file lacks. */
export interface StrayPlan {
  readonly plan: string;
  /** Ids of the apps that have it. */
  readonly apps: readonly string[];
  /** The plan whose limits apply instead. */
  readonly heldTo: string;
}

/** Reported at the start: a typo in the plans file would otherwise show only as refused sign-ins. */
export function strayPlans(plans: Plans, apps: readonly { id: string; plan: string }[]): StrayPlan[] {
  const missing = Map.groupBy(
    apps.filter(({ plan }) => !plans.has(plan)),
    ({ plan }) => plan,
  );
  const [heldTo] = smallest(plans);
  return [...missing].map(([plan, using]) => ({ plan, apps: using.map(({ id }) => id), heldTo }));
}

function smallest(plans: Plans): [string, Plan] {
  const amount = ([, plan]: [string, Plan]) => plan.monthlyAuths ?? Number.POSITIVE_INFINITY;
  return [...plans].reduce((least, one) => (amount(one) < amount(least) ? one : least));
}
