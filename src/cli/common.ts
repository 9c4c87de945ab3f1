/** Options of every command, and the syntax of a command. */
import type { Command, Option } from './command.ts';

export const COMMON = {
  json: { type: 'boolean', meaning: 'Print one JSON document and nothing else.' },
  help: { type: 'boolean', short: 'h', meaning: 'Show this help.' },
} as const satisfies Record<string, Option>;

export const usageOf = ({ name, usage }: Command) => `${name} ${usage}`.trim();

/** How an option is typed: `--origin O`. */
export function typed(name: string, { type, value, values }: Option): string {
  if (type === 'boolean') return `--${name}`;
  return `--${name} ${value ?? values?.join('|') ?? name.toUpperCase()}`;
}
