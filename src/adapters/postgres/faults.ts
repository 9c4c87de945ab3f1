/**
 * Distinguishes faults of the database server, which cannot work now, from wrong statements. By SQLSTATE, or by what
 * the network and the driver say if there is none. Held by test/postgres/faults.test.ts.
 */
import { StoreUnavailable } from '../../ports/store.ts';

/**
 * 08 connection, 25006 a standby, 28 no longer let in, 3D000 database gone, 53 resources (disk, connections), 55P03 and
 * 57014 time limits, 57P the server is going, 58 its system, F0 and XX its own faults.
 */
const SERVER = /^(?:08...|25006|28...|3D000|53...|55P03|57014|57P0.|58...|F0...|XX...)$/;
const NETWORK =
  /^(?:E(?:CONN|PIPE|TIMEDOUT|HOST|NET|AI_|NOTFOUND|PROTO)|ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)/;
/** The driver's own errors carry no code. */
const DRIVER =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect|Cannot use a pool after calling end|Client was closed|The server does not support SSL)/;

const TIMEOUT = /^Query read timeout/;

/** Conflicts that end by trying again. 40001: serialization; 40P01: deadlock. */
const CONFLICT = /^40(?:001|P01)$/;

const codeOf = (error: unknown) => String((error as { code?: unknown })?.code ?? '');

/** The server itself reported it: all of its own faults have an SQLSTATE. */
export const isAnswer = (error: unknown) => /^(?=.*\d)[0-9A-Z]{5}$/.test(codeOf(error));

export function isServerFault(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  const code = codeOf(error);
  if (SERVER.test(code) || NETWORK.test(code)) return true;
  return DRIVER.test((error as Error)?.message ?? '');
}

/** The server took a statement, and has not answered in time. */
export const isTimeout = ({ cause }: StoreUnavailable) => TIMEOUT.test((cause as Error)?.message ?? '');

export const isConflict = (error: unknown) => CONFLICT.test(codeOf(error));

export function asUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  return isServerFault(error) ? new StoreUnavailable(error) : error;
}
