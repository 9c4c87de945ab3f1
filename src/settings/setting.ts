/** One setting: a row of table.ts. */
import { integer, type Read, SettingFault } from './values.ts';

export interface Setting<Field extends string, Value> {
  /** Its name in `Config`. */
  readonly field: Field;
  readonly read: Read<Value>;
  /** A text that is read like a given one, or a value and how documents show it. */
  readonly default: string | { readonly shown: string; readonly value: (dataDir: string) => Value };
  /** Example of a valid value, for messages. Default: the default, if that is a text. */
  readonly example?: string;
  readonly meaning: string;
}

/** A row of the table, with the type of its value inferred. */
export function setting<const Field extends string, Value, Default = never>(row: {
  readonly field: Field;
  readonly read: Read<Value>;
  readonly default: string | { readonly shown: string; readonly value: (dataDir: string) => Default };
  readonly example?: string;
  readonly meaning: string;
}): Setting<Field, Value | Default> {
  return row;
}

/** A rate limit. 0 turns it off. */
export function limit<const Field extends string>(
  field: Field,
  most: number,
  meaning: string,
): Setting<Field, number> {
  return setting({ field, read: integer(0, 1_000_000_000), default: String(most), meaning });
}

/** The default, as documents show it. */
export function shownDefault({ default: byDefault }: Setting<string, unknown>): string {
  return typeof byDefault === 'string' ? `\`${byDefault}\`` : byDefault.shown;
}

/** The value of a setting. An empty text counts as unset. @throws SettingFault */
export function settingValue<Value>(
  name: string,
  row: Setting<string, Value>,
  text: string | undefined,
  dataDir: string,
): Value {
  const isSet = text !== undefined && text !== '';
  if (!isSet && typeof row.default !== 'string') return row.default.value(dataDir);
  const byDefault = typeof row.default === 'string' ? row.default : '';
  if (isSet) requireBare(name, text, row.example || byDefault || null);
  return row.read(name, isSet ? text : byDefault, { example: row.example ?? byDefault, dataDir });
}

const QUOTES = `"'\`“”„‘’«»`;
const AT_START = new RegExp(`^[${QUOTES}]`, 'u');
const AT_END = new RegExp(`[${QUOTES}]$`, 'u');
/** At the start, and again: `"Shop: sign-in" <no-reply@shop.example>`. */
const PART_QUOTED = new RegExp(`^[${QUOTES}].*[${QUOTES}].*[^${QUOTES}]$`, 'su');

/**
 * Refuses what came along with a value: quotation marks that a shell would have removed and Docker's `--env-file` does
 * not, blanks, and line ends of another system. Kept, they name another folder or host; removed here, no one would
 * learn of it. Messages do not repeat the value, which may be a secret. Held by test/settings/wrapping.test.ts.
 *
 * @throws SettingFault
 */
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
