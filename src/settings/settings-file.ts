/**
 * Reads settings from a file, so that the service and the operator's commands share them. Each line is NAME=value, as
 * in an env file. The environment has precedence. An unknown name is an error, because a misspelt setting would leave
 * its default in force. Held by test/settings/settings-file.test.ts.
 */
import { parseEnv } from 'node:util';
import { nearestSetting } from './misspelt.ts';
import { readNamedFile } from './named-file.ts';
import { SettingFault } from './values.ts';

const EXAMPLE = '/etc/face-sign-in/settings';
const LINE = /^\s*(?:#|$)|^\s*([A-Z][A-Z0-9_]*)\s*=/;

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
  for (const [i, line] of text.split('\n').entries()) {
    const found = LINE.exec(line);
    const [, setting] = found ?? [];
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
  }
  return parseEnv(text);
}

/** A fault in a line: an example of the file's path would not help. */
function fault(name: string, what: string): SettingFault {
  return new SettingFault(name, what, null);
}
