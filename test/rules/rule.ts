/** One rule of the documents, and what holds it. */
export interface Rule {
  /** Short and stable: by it a rule is spoken of. */
  readonly id: string;
  /** Where the rule stands: document and heading, as in a link. */
  readonly from: string;
  /** The rule in one line, in our own words. */
  readonly rule: string;
  /** `test/http/x.test.ts › name of the test`; several where only together they hold it. */
  readonly test: string | readonly string[];
  /** The tests hold it where requests go to so many nodes in turn: `npm test -- postgres`. */
  readonly nodes?: 2;
}
