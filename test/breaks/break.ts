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
