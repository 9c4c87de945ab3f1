/**
 * Opens the camera, shows it in a video element and stops it. A camera that is granted after the caller has given up is
 * stopped at once. Held by test/browser/capture.test.ts and test/sdk/browser-faults.test.ts.
 */

import { type DeviceErrorCode, FaceSignInError } from '../errors.ts';
import { orAborted, throwIfAborted } from '../thrown.ts';

/** Enough for a face. */
export const CONSTRAINTS: MediaTrackConstraints = {
  facingMode: 'user',
  width: { ideal: 640 },
  height: { ideal: 480 },
};

/** The DOMException names of `getUserMedia`, including those of older browsers. */
const CODES: Readonly<Record<string, DeviceErrorCode>> = {
  NotAllowedError: 'camera_denied',
  PermissionDeniedError: 'camera_denied',
  PermissionDismissedError: 'camera_denied',
  SecurityError: 'camera_denied',
  NotReadableError: 'camera_in_use',
  TrackStartError: 'camera_in_use',
  NotFoundError: 'camera_missing',
  DevicesNotFoundError: 'camera_missing',
  OverconstrainedError: 'camera_unsuitable',
  ConstraintNotSatisfiedError: 'camera_unsuitable',
};
/** The DOMException names of a video that does not play. */
const VIDEO_CODES: Readonly<Record<string, DeviceErrorCode>> = {
  NotAllowedError: 'video_blocked',
  AbortError: 'camera_stopped',
};

/** @param secure whether the page is a secure context */
export function cameraError(cause: unknown, secure = true): FaceSignInError {
  if (cause instanceof FaceSignInError) return cause;
  const { name, constraint, detail } = namesIn(cause);
  const code = CODES[name] ?? 'camera_failed';
  const known = code === 'camera_denied' && isForbidden() ? 'camera_forbidden' : code;
  const more = constraint ? `${detail}: ${constraint}` : detail;
  return new FaceSignInError(secure ? known : 'insecure_page', { cause, detail: more });
}

/** Of a video that shows a camera. */
export function videoError(cause: unknown): FaceSignInError {
  const { name, detail } = namesIn(cause);
  const code = VIDEO_CODES[name] ?? 'camera_failed';
  return new FaceSignInError(code, { cause, detail: `the video does not play: ${detail}` });
}

function namesIn(cause: unknown) {
  const { name, constraint } = Object(cause) as { name?: unknown; constraint?: unknown };
  const known = typeof name === 'string' && name !== '' ? name : undefined;
  return {
    name: known ?? '',
    constraint: typeof constraint === 'string' ? constraint : '',
    detail: known ?? String(cause),
  };
}

/** Only some browsers tell. */
function isForbidden(): boolean {
  const { featurePolicy } = (globalThis.document ?? {}) as {
    featurePolicy?: { allowsFeature(name: string): boolean };
  };
  return featurePolicy?.allowsFeature('camera') === false;
}

/** @throws FaceSignInError `insecure_page`, `camera_unsupported` */
export function checkPage(): void {
  if (globalThis.isSecureContext === false)
    throw new FaceSignInError('insecure_page', { detail: 'this page is not a secure context' });
  if (!navigator.mediaDevices?.getUserMedia)
    throw new FaceSignInError('camera_unsupported', { detail: 'navigator.mediaDevices is missing' });
}

/** @throws FaceSignInError with a code of the camera, `insecure_page`, `aborted` */
export async function openCamera(
  constraints: MediaTrackConstraints,
  signal: AbortSignal | undefined,
): Promise<MediaStream> {
  checkPage();
  throwIfAborted(signal);
  let waiting = true;
  const asked = given(constraints);
  asked.then(
    stream => {
      if (!waiting) stopTracks(stream);
    },
    () => undefined,
  );
  try {
    return await orAborted(asked, signal);
  } catch (error) {
    throw cameraError(error, globalThis.isSecureContext);
  } finally {
    waiting = !signal?.aborted;
  }
}

/** Some browsers throw at once what others reject with. */
const given = async (constraints: MediaTrackConstraints) =>
  navigator.mediaDevices.getUserMedia({ video: constraints, audio: false });

/** Resolves when the video plays. */
export async function show(video: HTMLVideoElement, stream: MediaStream): Promise<void> {
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  await video.play();
}

/** Stops the camera and removes its last picture from the element. */
export function stop(video: HTMLVideoElement | undefined, stream: MediaStream | undefined): void {
  if (stream) stopTracks(stream);
  if (!video) return;
  video.pause();
  video.srcObject = null;
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** The longest wait for the next picture, in milliseconds: hidden pages get none. */
const PICTURE_TIMEOUT = 250;

/** Resolves at the video's next picture, or at the timeout. */
export function nextPicture(video: HTMLVideoElement): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(finish, 'requestVideoFrameCallback' in video ? PICTURE_TIMEOUT : 33);
    const asked = video.requestVideoFrameCallback?.(finish);
    function finish() {
      clearTimeout(timer);
      if (asked !== undefined) video.cancelVideoFrameCallback(asked);
      resolve();
    }
  });
}
