/**
 * Whether an app has outgrown MATCH_THRESHOLD, by its number of users. What comes first:
 * 1. The estimate of the app's own gallery, where it is sure: surely unsafe, or safe even at the careful end.
 * 2. The table of threshold.ts, if the gallery's encoder is the one it was measured with, or none was named.
 * 3. Another encoder has no table: its operator measures.
 *
 * Test mode is not judged, because its users are limited. Held by test/domain/scores-size.test.ts.
 */
import { grouped } from '../../protocol/amounts.ts';
import type { Safety } from './safety.ts';
import {
  CARRIED,
  CARRIED_ENCODER,
  CARRIED_FPIR,
  type Carried,
  rowFor,
  rowOf,
  type ThresholdWarning,
} from './threshold.ts';

const MEASURE =
  'The estimate may be wrong by a factor of four: measure with "calibrate" on labelled descriptors.';

/** For an encoder that distinguishes people, but not this many. */
export const SAFER = `Lower MATCH_THRESHOLD, use a better encoder, or keep fewer users in one app. ${MEASURE}`;

/** For descriptors that are all close together. */
export const CENTRE =
  'Run "calibrate" on labelled descriptors of the encoder. If it does not centre, subtract the mean descriptor in the page and enroll everyone again; otherwise lower MATCH_THRESHOLD.';

export type SizeState = 'fits' | 'outgrown' | 'measured' | 'other_encoder';

export interface Size {
  readonly state: SizeState;
  readonly users: number;
  readonly encoder: string | null;
  /** How many users MATCH_THRESHOLD carries. Null: it is above the table. */
  readonly carries: number | null;
  /** The row that carries the users. Null: none does, so a second factor is needed. */
  readonly asks: Carried | null;
}

type Estimated = Pick<Safety, 'state' | 'safeUsersLow'>;

/** @param encoder null: none was named */
export function sizeOfApp(
  users: number,
  encoder: string | null,
  threshold: number,
  safety?: Estimated,
): Size {
  const carries = rowOf(threshold)?.users ?? null;
  return {
    state: stateOf(users, encoder, carries, safety),
    users,
    encoder,
    carries,
    asks: rowFor(users),
  };
}

function stateOf(
  users: number,
  encoder: string | null,
  carries: number | null,
  safety: Estimated | undefined,
): SizeState {
  if (safety?.state === 'unsafe' || users <= (safety?.safeUsersLow ?? -1)) return 'measured';
  if (encoder !== null && encoder !== CARRIED_ENCODER) return 'other_encoder';
  // Above the table the warning about the threshold comes first; it asks for the default.
  return users > (carries ?? (CARRIED[0] as Carried).users) ? 'outgrown' : 'fits';
}

interface SizedApp {
  readonly appId: string;
  readonly size: Size;
}

const MOST_NAMED = 3;

/** One warning for all apps: they share the threshold, so the largest one decides. Null: none has outgrown it. */
export function outgrownWarning(apps: readonly SizedApp[], threshold: number): ThresholdWarning | null {
  const outgrown = apps
    .filter(({ size }) => size.state === 'outgrown')
    .toSorted((a, b) => b.size.users - a.size.users);
  const [largest] = outgrown;
  if (!largest) return null;
  const some = outgrown
    .slice(0, MOST_NAMED)
    .map(({ appId, size }) => `${appId} has ${grouped(size.users)}`)
    .join(', ');
  const more = outgrown.length > MOST_NAMED ? `, and ${outgrown.length - MOST_NAMED} more` : '';
  const { carries } = largest.size;
  const limit = carries === null ? 'is above all that was measured' : `carries ${grouped(carries)}`;
  return {
    message: `More users than MATCH_THRESHOLD is for: ${some}${more}; ${threshold} ${limit}. With the SDK's encoder, more than ${100 * CARRIED_FPIR} % of strangers may be let in.`,
    fix: outgrownFix(largest.size, threshold),
  };
}

/** For an app whose own faces are surely too close: the next row below, if they are of the table's encoder. */
export function saferFix(size: Size | null, threshold: number): string {
  if (size?.encoder !== CARRIED_ENCODER) return SAFER;
  return `${outgrownFix({ asks: rowFor(size.users, threshold) }, threshold)} ${MEASURE}`;
}

export function outgrownFix({ asks }: Pick<Size, 'asks'>, threshold: number): string {
  const lowest = CARRIED.at(-1) as Carried;
  const row = asks ?? (threshold > lowest.threshold ? lowest : null);
  const factor =
    'second factor: the option confirmBelow of the web component, which adds a code by email, or one of your own';
  if (row === null) return `Ask for a ${factor}. What lower thresholds carry was not measured.`;
  const costs = row.costs
    ? ` ${row.costs.join(' to ')} more of 100 owners are then not recognised: whoever is refused often should add a picture.`
    : '';
  return `Set MATCH_THRESHOLD to ${row.threshold}, which carries ${grouped(row.users)} users, for all apps of this server.${costs}${asks ? '' : ` Also ask for a ${factor}.`}`;
}
