/**
 * Refuses what came along with a value: quotation marks that a shell would have removed and Docker's `--env-file` does
 * not, blanks, and line ends of another system. Kept, they name another folder or host; removed here, no one would
 * learn of it. Messages do not repeat the value, which may be a secret. Held by test/settings/wrapping.test.ts.
 */
import { SettingFault } from './values.ts';

const QUOTES = `"'\`“”„‘’«»`;
const AT_START = new RegExp(`^[${QUOTES}]`, 'u');
const AT_END = new RegExp(`[${QUOTES}]$`, 'u');
/** At the start, and again: `"Shop: sign-in" <no-reply@shop.example>`. */
const PART_QUOTED = new RegExp(`^[${QUOTES}].*[${QUOTES}].*[^${QUOTES}]$`, 'su');

/** @throws SettingFault */
export function requireBare(name: string, text: string, example: string | null): void {
  const fault = wrappingOf(text);
  if (fault) throw new SettingFault(name, fault, example);
}

function wrappingOf(text: string): string | null {
  if (text !== text.trim()) return 'begins or ends with a blank or a line end: remove it';
  if (/\p{Cc}/u.test(text)) return 'contains a control character, such as a line end: remove it';
  if (AT_END.test(text) || (AT_START.test(text) && !PART_QUOTED.test(text)))
    return 'begins or ends with a quotation mark, which is part of the value here: remove it';
  return null;
}
