/**
 * The camera: asked for, shown in a video element, and stopped. Every way in has its way out; a camera that is granted
 * after the caller has given up is stopped at once. Held by test/browser/capture.test.ts and
 * test/sdk/capture-camera.test.ts.
 */
import { orAborted, throwIfAborted } from '../abort.ts';
import { type DeviceErrorCode, FaceSignInError } from '../errors.ts';

/** What a face needs, and no more. */
export const CONSTRAINTS: MediaTrackConstraints = {
  facingMode: 'user',
  width: { ideal: 640 },
  height: { ideal: 480 },
};

/** Names of DOMException that `getUserMedia` rejects with, older browsers' names among them. */
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

/** @throws FaceSignInError `insecure_page`, where browsers give no camera at all */
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

/** Shows the stream. Resolves when the video plays. */
export async function show(video: HTMLVideoElement, stream: MediaStream): Promise<void> {
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  await video.play();
}

/** Stops the camera and takes its last picture off the element. */
export function stop(video: HTMLVideoElement | undefined, stream: MediaStream | undefined): void {
  if (stream) stopTracks(stream);
  if (!video) return;
  video.pause();
  video.srcObject = null;
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Longest wait for a next picture, in milliseconds: hidden pages get none. */
const PATIENCE = 250;

/** Resolves at the video's next picture, or after a while without one. */
export function nextPicture(video: HTMLVideoElement): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(finish, 'requestVideoFrameCallback' in video ? PATIENCE : 33);
    const asked = video.requestVideoFrameCallback?.(finish);
    function finish() {
      clearTimeout(timer);
      if (asked !== undefined) video.cancelVideoFrameCallback(asked);
      resolve();
    }
  });
}
