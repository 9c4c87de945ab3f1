/** The two halves of every app's data. They never meet: each key, user, template and challenge has one mode for life. */
export type Mode = 'live' | 'test';

export const MODES: readonly Mode[] = ['live', 'test'];
