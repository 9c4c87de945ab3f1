/** Held by test/settings/shared.test.ts. */

type Settings = Readonly<Record<string, string>>;

/** The names of settings that nodes give different values. A node of another version may lack some. */
export function differentSettings(nodes: readonly Settings[]): string[] {
  const values = Map.groupBy(nodes.flatMap(Object.entries<string>), ([name]) => name);
  return [...values]
    .filter(([, pairs]) => new Set(pairs.map(([, value]) => value)).size > 1)
    .map(([name]) => name);
}
