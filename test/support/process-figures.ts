/** What Linux tells of a process from outside. */
import { readdirSync, readFileSync } from 'node:fs';

export const MB = 1024 * 1024;

/** Bytes of memory that are in use now (VmRSS), or were at most (VmHWM). */
export function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const kib = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1];
  if (kib === undefined) throw new Error(`/proc/${pid}/status lacks ${what}`);
  return Number(kib) * 1024;
}

/** Open files, sockets and pipes. */
export function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
