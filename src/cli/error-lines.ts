/**
 * Errors and warnings on stderr: one line for people, with --json one JSON document, so that programs can read both
 * streams the same way. Held by test/cli/json.long.test.ts.
 */
import { SettingFault } from '../settings/values.ts';
import { WrongUsage } from './command.ts';
import { exitOf } from './exit.ts';
import { harmless } from './text.ts';

export function errorLine(error: unknown, json: boolean): string {
  const { line: message } = exitOf(error);
  return json
    ? JSON.stringify({ error: { message, ...placeOf(error, message) } })
    : `face-sign-in: ${message}`;
}

export function warningLine(message: string, json: boolean): string {
  return json ? JSON.stringify({ warning: { message } }) : `face-sign-in: warning: ${harmless(message)}`;
}

/** The setting or option that is wrong. The message of a WrongUsage begins with the option. */
function placeOf(error: unknown, message: string): { setting?: string; field?: string } {
  if (error instanceof SettingFault) return { setting: error.setting };
  if (!(error instanceof WrongUsage)) return {};
  const [, field] = /^--([a-z][a-z-]*)/.exec(message) ?? [];
  return field ? { field } : {};
}
