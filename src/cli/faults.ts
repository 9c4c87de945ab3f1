/**
 * How the command line says on stderr that something failed or is unwise: one line for people, and with --json one JSON
 * document, so that a program reads both streams in one way. Held by test/cli/json.test.ts.
 */
import { WrongInput } from '../domain/wrong-input.ts';
import { SettingFault } from '../settings/values.ts';
import { WrongUsage } from './command.ts';
import { harmless } from './text.ts';

export function errorLine(error: unknown, json: boolean): string {
  const message = oneLine(error);
  return json
    ? JSON.stringify({ error: { message, ...placeOf(error, message) } })
    : `face-sign-in: ${harmless(message)}`;
}

export function warningLine(message: string, json: boolean): string {
  return json ? JSON.stringify({ warning: { message } }) : `face-sign-in: warning: ${harmless(message)}`;
}

/** The setting, or the option without its dashes, that the message begins with. */
function placeOf(error: unknown, message: string): { setting?: string; field?: string } {
  if (error instanceof SettingFault) return { setting: error.setting };
  if (!(error instanceof WrongUsage || error instanceof WrongInput)) return {};
  const [, field] = /^--([a-z][a-z-]*)/.exec(message) ?? [];
  return field ? { field } : {};
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s*\n\s*/g, ' ');
}
