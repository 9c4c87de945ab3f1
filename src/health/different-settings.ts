/** Held by test/settings/shared.test.ts. */
import type { NodeRecord } from '../ports/nodes.ts';

/**
 * The settings that nodes give different values, with the names of nodes that agree: `BASE_URL (a, b; c)`. A node of
 * another version may lack some.
 */
export function differentSettings(nodes: readonly Pick<NodeRecord, 'name' | 'settings'>[]): string[] {
  const given = nodes.flatMap(({ name: node, settings }) =>
    Object.entries(settings ?? {}).map(([name, value]) => ({ node, name, value })),
  );
  return [...Map.groupBy(given, ({ name }) => name)].flatMap(([name, all]) => {
    const groups = [...Map.groupBy(all, ({ value }) => value).values()];
    const agreeing = groups.map(group => group.map(({ node }) => node).join(', ')).join('; ');
    return groups.length > 1 ? `${name} (${agreeing})` : [];
  });
}
