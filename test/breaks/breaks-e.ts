/** Rules broken in the source, one row each: what ends slow attacks. */
import type { Break } from './break.ts';

// biome-ignore format: one row a break, so that it reads as a table
export const BREAKS_E: readonly Break[] = [
  { rule: 'matching.add-nobody-else-near', file: 'src/domain/me/templates.ts',
    find: 'otherDistance >= matchThreshold && ',
    replace: '' },
  { rule: 'matching.add-nobody-else-near', file: 'src/domain/me/templates.ts',
    find: 'await deps.galleries.search(gallery, [descriptor], marginOfAll(deps));',
    replace: 'await deps.galleries.search(gallery, [descriptor]);' },
  { rule: 'matching.add-nobody-else-near', file: 'src/adapters/wasm/perform.ts',
    find: 'margins?.[search]',
    replace: 'margins?.[0]' },
  { rule: 'matching.add-threshold-margin', file: 'src/domain/me/templates.ts',
    find: ' && otherDistance - best.distance >= matchMargin',
    replace: '' },
  { rule: 'matching.add-in-limit', file: 'src/domain/me/templates.ts',
    find: '  await requireFewFailures(deps, caller); // 6\n',
    replace: '' },
  { rule: 'matching.add-in-limit', file: 'src/domain/me/templates.ts',
    find: '    failures: failureWindow(deps, caller),\n',
    replace: '    failures: null,\n' },
];
