/** Runs `calibrate` on a file in a worker: the file is read in the browser and sent nowhere. */
import type { CalibrationAnswer, CalibrationRequest } from '../../../protocol/portal/calibration.ts';

const SCRIPT = '/assets/calibrate.js';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string };
}

/** A fault of the file has a message; a fault of the program has none. */
export class CalibrationFault extends Error {}

/** Some browsers let scripts name a worker's address only through a policy, and this one knows one address. */
let policy: { createScriptURL(text: string): string } | undefined;
function scriptUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: () => SCRIPT });
  return policy?.createScriptURL(SCRIPT) ?? SCRIPT;
}

/** @param onRead gets the share of the file that was read, 0 to 1. @throws CalibrationFault */
export function calibrate(
  request: CalibrationRequest,
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(scriptUrl());
    const end = (settle: () => void) => {
      worker.terminate();
      settle();
    };
    signal.addEventListener('abort', () => end(() => reject(signal.reason)));
    worker.onerror = () => end(() => reject(new CalibrationFault()));
    worker.onmessage = ({ data }: MessageEvent<CalibrationAnswer>) => {
      if ('read' in data) onRead(request.file.size === 0 ? 1 : data.read / request.file.size);
      else if ('text' in data) end(() => resolve(data.text));
      else end(() => reject(new CalibrationFault(data.fault ?? '')));
    };
    worker.postMessage(request);
  });
}
