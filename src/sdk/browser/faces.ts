/**
 * The descriptors that go into a verb: the given ones, or those that a capture makes now. Nothing of a picture leaves this
 * file. Held by test/sdk/browser-faces.test.ts.
 */
import { orAborted, throwIfAborted } from './abort.ts';
import type { CaptureOptions } from './capture/capture.ts';
import type { CaptureFunction, FaceInput } from './client-types.ts';
import { FaceSignInError } from './errors.ts';
import { descriptorsOf, ENCODER_ID_RULE, encoderIdOf, isEncoderId } from './inputs.ts';
import type { Settings } from './options.ts';
import type { Captured, FaceEncoder } from './types.ts';

/** As the service takes them; `liveness` is left out where there is none. */
export interface Face {
  readonly descriptors: number[][];
  /** What made them; left out where nobody says. */
  readonly encoder?: string;
  readonly liveness?: unknown;
}

/** How many descriptors a verb takes, and how many are captured unless told. */
export interface Count {
  readonly most: number;
  readonly usual: number;
  /** Whether pictures are wanted that differ, unless told. */
  readonly variety?: boolean;
}

/** Loaded when it is used: who gives descriptors does not pay for the camera. */
const ownCapture: CaptureFunction = async options =>
  (await import('./capture/capture.ts')).captureFaces(options);

/**
 * @throws FaceSignInError invalid_request for what is given; for a capture its own codes, and encoder_failed where it
 *   throws anything else
 */
export async function faceOf(
  { encoder, capture = ownCapture }: Settings,
  input: FaceInput,
  of: Count,
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
    const detail = 'createClient was given no encoder: give it one, or descriptors to this call';
    throw new FaceSignInError('encoder_failed', { detail });
  }
  const options = captureOptions(encoder, input, of);
  const captured = await orAborted(captureWith(capture, options), input.signal);
  return { descriptors: captureChecked(captured, of.most), ...idOf(encoder), liveness: captured.liveness };
}

/** Read after the capture: an encoder may know its id only once it is loaded. */
function idOf({ id }: Partial<FaceEncoder>): { encoder?: string } {
  if (id === undefined || id === '') return {};
  if (isEncoderId(id)) return { encoder: id };
  throw new FaceSignInError('encoder_failed', { detail: `encoder.id: ${ENCODER_ID_RULE}` });
}

function captureOptions(encoder: FaceEncoder, { capture, signal }: FaceInput, of: Count): CaptureOptions {
  const { count = of.usual, variety = of.variety, ...rest } = capture ?? {};
  if (!Number.isInteger(count) || count < 1 || count > of.most) {
    const detail = `capture.count: must be a whole number from 1 to ${of.most}`;
    throw new FaceSignInError('invalid_request', { detail });
  }
  const told = Object.entries({ ...rest, variety, signal }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(told), encoder, count };
}

async function captureWith(capture: CaptureFunction, options: CaptureOptions): Promise<Captured> {
  try {
    return await capture(options);
  } catch (cause) {
    if (cause instanceof FaceSignInError) throw cause;
    throw new FaceSignInError('encoder_failed', { cause, detail: 'the capture failed: see the cause' });
  }
}

function captureChecked(captured: Captured, most: number): number[][] {
  try {
    return descriptorsOf(captured?.descriptors, most);
  } catch (cause) {
    throw new FaceSignInError('encoder_failed', { cause, detail: 'the capture made wrong descriptors' });
  }
}
