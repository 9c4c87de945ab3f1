/** Loaded into a node before all else, for the control: a write locks nothing before it begins. */
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/src/adapters/postgres/locks.ts')
      ? { format: 'module', source: 'export const locksOf = () => [];', shortCircuit: true }
      : next(url, context),
});
