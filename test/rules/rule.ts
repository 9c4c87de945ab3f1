/** One rule of the documents, and what holds it. */
export interface Rule {
  /** Short and stable: by it a rule is spoken of. */
  readonly id: string;
  /** Where the rule stands: document and heading, as in a link. */
  readonly from: string;
  /** Several where only together they hold it. */
  readonly tests: readonly TestName[];
  /** The tests hold it where requests go to so many nodes in turn: `npm test -- postgres`. */
  readonly nodes: 1 | 2;
}

export interface TestName {
  readonly file: string;
  /** How the name begins: of one test, or of several if it ends with `…`. Elsewhere `…` stands for anything. */
  readonly name: string;
}

/** Heading → ids of rules → `http/x › name | another name` of `test/http/x.test.ts`; a list for several files. */
export type Table = Record<string, Record<string, string | readonly string[]>>;

export function rulesOf(table: Table, nodes: 1 | 2): Rule[] {
  return Object.entries(table).flatMap(([from, rows]) =>
    Object.entries(rows).flatMap(([ids, named]) => {
      const tests = [named].flat().flatMap(testsOf);
      return ids.split(' ').map(id => ({ id, from, tests, nodes }));
    }),
  );
}

function testsOf(row: string): TestName[] {
  const [file, names = ''] = row.split(' › ');
  return names.split(' | ').map(name => ({ file: `test/${file}.test.ts`, name }));
}
