/** A rule broken in the source: one place is changed so that the service no longer keeps it, and nothing else does. */
export interface Break {
  /** Id of the rule in test/rules. */
  readonly rule: string;
  /** Path in the checkout. */
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** File → ids of rules, and the change that breaks them, as `git diff --word-diff` writes it: `at [-most-]{+least+}`. */
export type Changes = Record<string, readonly (readonly [rules: string, change: string])[]>;

const REMOVED = /\[-(.*?)-\]/gs;
const ADDED = /\{\+(.*?)\+\}/gs;

export function breaksOf(changes: Changes): Break[] {
  return Object.entries(changes).flatMap(([file, rows]) =>
    rows.flatMap(([rules, change]) => {
      const find = change.replace(ADDED, '').replace(REMOVED, '$1');
      const replace = change.replace(REMOVED, '').replace(ADDED, '$1');
      return rules.split(' ').map(rule => ({ rule, file, find, replace }));
    }),
  );
}
