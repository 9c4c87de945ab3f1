/**
 * `calibrate` in a worker of the portal's page: the code of the command, on a file that stays in the browser.
 * src/build/portal.ts makes dist/portal/calibrate.js of it. Held by test/browser/portal-numbers.test.ts.
 */
import type { CalibrationAnswer, CalibrationRequest } from '../../protocol/portal/calibration.ts';
import { CommandFailed } from '../command.ts';
import { calibrated } from './calibrated.ts';
import { textOf } from './text.ts';

/** The command's default. */
const SEED = 1;

const answer = (message: CalibrationAnswer) => globalThis.postMessage(message);

globalThis.onmessage = async ({ data }: MessageEvent<CalibrationRequest>) => {
  const { file, rule, wantedFmr } = data;
  try {
    const options = { rule, wantedFmr, seed: SEED };
    const { report, source } = await calibrated(file.name, piecesOf(file), options, read => answer({ read }));
    answer({ text: textOf(report, source) });
  } catch (thrown) {
    answer({ fault: thrown instanceof CommandFailed ? thrown.message : null });
  }
};

/** Not every browser iterates over a stream by itself. */
async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}
