/** Every app keeps its live and test data apart. A key, user, template or challenge never changes its mode. */
export type Mode = 'live' | 'test';

export const MODES: readonly Mode[] = ['live', 'test'];
