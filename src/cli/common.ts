/** What every command takes, and how a command is written. */
import type { Command, Option } from './command.ts';

export const COMMON = {
  json: { type: 'boolean', meaning: 'Print one JSON document and nothing else.' },
  help: { type: 'boolean', short: 'h', meaning: 'Explain the command and do nothing.' },
} as const satisfies Record<string, Option>;

export const usageOf = ({ name, usage }: Command) => `${name} ${usage}`.trim();
