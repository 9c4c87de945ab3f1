/** What operators see of users, templates and usage. */
import type { Mode } from '../mode.ts';
import type { AppView } from './apps.ts';

/** The users and templates of one mode, and the counts of one month. */
export interface NumbersView {
  readonly users: number;
  readonly templates: number;
  readonly auths: number;
  readonly enrolls: number;
  readonly matches_ok: number;
  readonly matches_failed: number;
}

interface Numbers extends Omit<NumbersView, 'matches_ok' | 'matches_failed'> {
  readonly matchesOk: number;
  readonly matchesFailed: number;
}

export function numbersView({
  users,
  templates,
  auths,
  enrolls,
  matchesOk,
  matchesFailed,
}: Numbers): NumbersView {
  return { users, templates, auths, enrolls, matches_ok: matchesOk, matches_failed: matchesFailed };
}

/** The numbers of both modes. */
export type BothNumbersView = Readonly<Record<Mode, NumbersView>>;

export function bothNumbersView({ live, test }: Readonly<Record<Mode, Numbers>>): BothNumbersView {
  return { live: numbersView(live), test: numbersView(test) };
}

export interface AppNumbersView extends BothNumbersView {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** Live auths per month of the plan; null: no limit. */
  readonly monthly_auths: number | null;
  /** To one decimal. Null if the plan has no limit. */
  readonly plan_used_percent: number | null;
}

export function appNumbersView({
  app,
  numbers,
  limit,
  used,
}: {
  readonly app: Pick<AppView, 'id' | 'name' | 'plan'>;
  readonly numbers: Readonly<Record<Mode, Numbers>>;
  readonly limit: number | null;
  readonly used: number | null;
}): AppNumbersView {
  const plan_used_percent = used === null ? null : Math.round(used * 10) / 10;
  const { id, name, plan } = app;
  return { id, name, plan, monthly_auths: limit, plan_used_percent, ...bothNumbersView(numbers) };
}
