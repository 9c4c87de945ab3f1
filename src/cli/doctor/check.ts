/** One thing that `doctor` has looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** Nothing is broken, but somebody should look at it. */
  readonly warning?: true;
  /** One line: what was found, and what to do when it is wrong. */
  readonly detail: string;
}
