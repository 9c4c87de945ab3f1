/** `demo`: shows a sign-in. Its modules are loaded only for this command. */
import type { Command } from '../command.ts';

export const DEMO: Command = {
  name: 'demo',
  about: 'Shows a sign-in step by step against the running server, or one that it starts.',
  examples: ['demo', 'demo --json'],
  run: async invocation => (await import('../demo/play.ts')).playDemo(invocation),
};
