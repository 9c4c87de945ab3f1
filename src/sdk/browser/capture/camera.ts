/**
 * Opens the camera, shows it in a video element and stops it. A camera that is granted after the caller has given up is
 * stopped at once. Held by test/browser/capture.test.ts and test/sdk/capture-camera.test.ts.
 */
import { orAborted, throwIfAborted } from '../abort.ts';
import { type DeviceErrorCode, FaceSignInError } from '../errors.ts';

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
  AbortError: 'camera_in_use',
  NotFoundError: 'camera_missing',
  DevicesNotFoundError: 'camera_missing',
  OverconstrainedError: 'camera_missing',
  ConstraintNotSatisfiedError: 'camera_missing',
};

/** @param secure whether the page is a secure context */
export function cameraError(cause: unknown, secure = true): FaceSignInError {
  if (cause instanceof FaceSignInError) return cause;
  const name = cause instanceof Error || isNamed(cause) ? cause.name : '';
  const code = secure ? (CODES[name] ?? 'camera_missing') : 'insecure_page';
  return new FaceSignInError(code, { cause, detail: name === '' ? String(cause) : name });
}

function isNamed(thrown: unknown): thrown is { name: string } {
  return typeof (thrown as { name?: unknown } | null)?.name === 'string';
}

/** @throws FaceSignInError `insecure_page`: browsers do not offer the camera on this page */
export function checkPage(): void {
  if (globalThis.isSecureContext === false || !navigator.mediaDevices?.getUserMedia)
    throw new FaceSignInError('insecure_page', { detail: 'navigator.mediaDevices is missing' });
}

/** @throws FaceSignInError `camera_denied`, `camera_in_use`, `camera_missing`, `insecure_page`, `aborted` */
export async function openCamera(
  constraints: MediaTrackConstraints,
  signal: AbortSignal | undefined,
): Promise<MediaStream> {
  checkPage();
  throwIfAborted(signal);
  let waiting = true;
  const asked = navigator.mediaDevices.getUserMedia({ video: constraints, audio: false });
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
