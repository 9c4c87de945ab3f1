/** The verbs of operators on a database of their own, and what they refuse. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import type { AdminDeps } from '../../src/domain/deps.ts';
import { OperatingFault } from '../../src/domain/operating/fault.ts';
import { openAdmin } from '../../src/service/data.ts';
import { clockAt, type HandClock } from '../support/clock.ts';

export interface Operated {
  readonly deps: AdminDeps;
  readonly clock: HandClock;
  close(): Promise<void>;
}

export async function operate(settings: Record<string, string> = {}): Promise<Operated> {
  const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-operating-'));
  const clock = clockAt('2026-03-15T12:00:00.000Z');
  const admin = await openAdmin(loadConfig({ ...settings, DATA_DIR: folder }), { clock });
  return {
    deps: admin.deps,
    clock,
    async close() {
      await admin.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Wants a fault of this field and code, whose message no door has spelled, and answers the message. */
export async function refused(field: string, code: string, verb: () => Promise<unknown>): Promise<string> {
  const fault = await verb().then(
    () => null,
    error => error,
  );
  assert.instance(fault, OperatingFault, `refused: ${fault}`);
  assert.equal([fault.field, fault.code], [field, code]);
  assert.not.match(fault.message, /--|\[\d|; use: |"(?:app|key|user) (?:list|show|update)/);
  assert.not.ok(fault.message.startsWith(field), 'the door names the field');
  return fault.message;
}
