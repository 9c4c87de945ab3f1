/**
 * The descriptors for a call: given ones, or those of a capture. No picture leaves this file. Held by
 * test/sdk/browser-faces.test.ts.
 */

import type { CaptureOptions, Kept } from './capture/capture.ts';
import type { CaptureFunction, FaceInput } from './client-types.ts';
import { FaceSignInError } from './errors.ts';
import { descriptorsOf, ENCODER_ID_RULE, encoderIdOf, isEncoderId } from './inputs.ts';
import type { Settings } from './options.ts';
import { errorOf, imported, orAborted, throwIfAborted } from './thrown.ts';
import type { Captured, FaceEncoder } from './types.ts';

/** In the format of the service. */
export interface Face {
  readonly descriptors: number[][];
  /** The encoder's ID, if known. */
  readonly encoder?: string;
  readonly liveness?: unknown;
}

/** The limit and the default number of pictures. If they become one descriptor, the limit is the default. */
export interface Count {
  readonly most: number;
  readonly byDefault: number;
  readonly enrollment?: boolean;
  /** What a failed capture leaves for the next one. */
  readonly keep?: Kept;
}

/** Loaded on first use, so pages that pass descriptors do not load the camera code. */
const ownCapture: CaptureFunction = async options =>
  (await imported(() => import('./capture/capture.ts'))).captureFaces(options);

/**
 * @param prepare called before a capture
 * @throws FaceSignInError `invalid_request` for invalid input; the codes of a capture, and `encoder_failed` for
 *   anything else that it throws
 */
export async function faceOf(
  { encoder, capture = ownCapture }: Settings,
  input: FaceInput,
  of: Count,
  prepare?: () => Promise<void>,
): Promise<Face> {
  throwIfAborted(input.signal);
  if (input.descriptors !== undefined) {
    return {
      descriptors: descriptorsOf(input.descriptors, of.most),
      ...(input.encoder !== undefined && { encoder: encoderIdOf(input.encoder) }),
      ...(input.liveness !== undefined && { liveness: input.liveness }),
    };
  }
  if (!encoder) {
    const detail = 'createClient has no encoder: pass it one, or pass descriptors to this call';
    throw new FaceSignInError('encoder_failed', { detail });
  }
  const options = captureOptions(encoder, input, of);
  await prepare?.();
  const captured = await orAborted(captureWith(capture, options), input.signal);
  return { descriptors: captureChecked(captured, of.most), ...idOf(encoder), liveness: captured.liveness };
}

/** Called after the capture, because an encoder may know its ID only when it is loaded. */
function idOf({ id }: Partial<FaceEncoder>): { encoder?: string } {
  if (id === undefined || id === '') return {};
  if (isEncoderId(id)) return { encoder: id };
  throw new FaceSignInError('encoder_failed', { detail: `encoder.id: ${ENCODER_ID_RULE}` });
}

function captureOptions(encoder: FaceEncoder, { capture, signal }: FaceInput, of: Count): CaptureOptions {
  const { mean, enrollment = of.enrollment, ...others } = capture ?? {};
  const isMean = mean ?? (enrollment === true && encoder.mean !== undefined);
  const { count = isMean ? of.most : of.byDefault, ...rest } = others;
  if (!Number.isInteger(count) || count < 1 || count > of.most) {
    const detail = `capture.count: must be a whole number from 1 to ${of.most}`;
    throw new FaceSignInError('invalid_request', { detail });
  }
  const given = Object.entries({ ...rest, mean, enrollment, signal, keep: of.keep }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(given), encoder, count };
}

async function captureWith(capture: CaptureFunction, options: CaptureOptions): Promise<Captured> {
  try {
    return await capture(options);
  } catch (cause) {
    throw errorOf(cause, 'encoder_failed', 'the capture failed: see the cause');
  }
}

function captureChecked(captured: Captured, most: number): number[][] {
  try {
    return descriptorsOf(captured?.descriptors, most);
  } catch (cause) {
    throw new FaceSignInError('encoder_failed', {
      cause,
      detail: 'the capture returned invalid descriptors',
    });
  }
}
