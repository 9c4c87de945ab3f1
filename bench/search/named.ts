/** Says which engine threw, and during what. */
import { Missing } from '../engines/missing.ts';

/** The message already says which engine it is about. */
export class EngineFault extends Error {}

/** @throws EngineFault for whatever `work` throws, except Missing */
export async function named<T>(who: string, during: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Missing || cause instanceof EngineFault) throw cause;
    const trace = cause instanceof Error ? cause.stack || cause.message : String(cause);
    throw new EngineFault(`${who} threw while ${during}:\n${trace}`, { cause });
  }
}
