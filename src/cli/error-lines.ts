/**
 * Errors and warnings on stderr: one line for people, with --json one JSON document, so that programs can read both
 * streams the same way. Held by test/cli/json.long.test.ts.
 */
import { NotAFile, StoreMisfit } from '../service/refusals.ts';
import { SettingFault } from '../settings/values.ts';
import { WrongUsage } from './command.ts';
import { harmless } from './text.ts';

/** Error message and exit code: 2 for wrong usage or a wrong setting, otherwise 1. */
export interface Exit {
  readonly line: string;
  readonly exitCode: 1 | 2;
}

export function exitOf(error: unknown): Exit {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = [WrongUsage, SettingFault, StoreMisfit, NotAFile].some(kind => error instanceof kind);
  return { line: harmless(message.replace(/\s*\n\s*/g, ' ')), exitCode: isUsage ? 2 : 1 };
}

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
