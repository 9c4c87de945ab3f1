/** The result of one check of `doctor`. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** Nothing is broken, but the operator should look at it. */
  readonly warning?: true;
  /** One line: what was found, and how to fix it. */
  readonly detail: string;
}
