/**
 * Reads settings from a file, so that the service and the operator's commands share them. Each line is NAME=value, as
 * in an env file. The environment has precedence. An unknown name is an error, because a misspelt setting would leave
 * its default in force. A value is what stands after the sign, or between quotation marks around all of it. Refused
 * is what programs cut off or read in different ways: a # in a value without quotation marks, and text after them.
 * Held by test/settings/settings-file.test.ts.
 */
import { nearestSetting } from './misspelt.ts';
import { readNamedFile } from './named-file.ts';
import { SettingFault } from './values.ts';

const EXAMPLE = '/etc/face-sign-in/settings';
const LINE = /^\s*(?:#.*|)$|^\s*([A-Z][A-Z0-9_]*)\s*=(.*)$/;
const BARE = /^(?!["'`])[^#]*$/;
/** In one kind of quotation marks, which the value does not contain. A comment may follow. */
const QUOTED = /^(["'])((?:(?!\1).)*)\1(?:\s+#.*)?$/;

/**
 * @param known the allowed names
 * @throws SettingFault naming the file and the line
 */
export function readSettingsFile(
  name: string,
  path: string,
  known: readonly string[],
): Readonly<Record<string, string | undefined>> {
  const text = readNamedFile(name, path, EXAMPLE);
  const seen = new Map<string, number>();
  const values: Record<string, string> = {};
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const found = LINE.exec(line);
    const [, setting, rest = ''] = found ?? [];
    // The message does not repeat the line: it may contain a secret.
    if (!found)
      throw fault(name, `${path}: line ${i + 1} is not in the form NAME=value, for example PORT=8080`);
    if (setting === undefined) continue;
    if (!known.includes(setting)) {
      const near = nearestSetting(setting, known);
      const hint = near ? `: did you mean ${near}?` : '';
      const list = '("help settings" lists them)';
      throw fault(name, `${path}: line ${i + 1}: ${setting} is not a setting${hint} ${list}`);
    }
    const before = seen.get(setting);
    if (before !== undefined)
      throw fault(
        name,
        `${path}: line ${i + 1}: ${setting} is already set in line ${before}: remove one of the two`,
      );
    seen.set(setting, i + 1);
    const value = valueIn(rest.trim());
    if (value === null)
      throw fault(
        name,
        `${path}: line ${i + 1}: the value of ${setting} has a # or a quotation mark that could cut it short: put all of it in single or double quotation marks, and a comment on a line of its own`,
      );
    values[setting] = value;
  }
  return values;
}

/** Null: it could be read in different ways. */
function valueIn(text: string): string | null {
  return BARE.test(text) ? text : (QUOTED.exec(text)?.[2] ?? null);
}

/** A fault in a line: an example of the file's path would not help. */
function fault(name: string, what: string): SettingFault {
  return new SettingFault(name, what, null);
}
