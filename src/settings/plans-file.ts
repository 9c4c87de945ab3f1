/** Reads the plans file, which replaces the built-in plans. */
import * as v from 'valibot';
import { DEFAULT_PLAN, type Plans } from '../domain/plans.ts';
import { readNamedFile } from './named-file.ts';
import { SettingFault } from './values.ts';

const EXAMPLE = '/etc/face-sign-in/plans.json';
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const schema = v.record(
  v.string(),
  v.strictObject({ monthly_auths: v.nullable(count), live_keys: count, test_keys: count }),
);

export function readPlans(name: string, path: string): Plans {
  const parsed = v.safeParse(schema, readJson(name, path));
  if (!parsed.success) {
    const at = v.getDotPath(parsed.issues[0]) ?? 'the file';
    throw fault(
      name,
      `${path}: ${at} is wrong: each plan has whole numbers monthly_auths (or null), live_keys and test_keys`,
    );
  }
  if (!(DEFAULT_PLAN in parsed.output))
    throw fault(name, `${path} has no plan "${DEFAULT_PLAN}", which new apps get`);
  return new Map(
    Object.entries(parsed.output).map(([plan, numbers]) => [
      plan,
      { monthlyAuths: numbers.monthly_auths, liveKeys: numbers.live_keys, testKeys: numbers.test_keys },
    ]),
  );
}

function readJson(name: string, path: string): unknown {
  const text = readNamedFile(name, path, EXAMPLE);
  try {
    return JSON.parse(text);
  } catch {
    throw fault(name, `${path} is not JSON`);
  }
}

function fault(name: string, what: string): SettingFault {
  return new SettingFault(name, what, EXAMPLE);
}
