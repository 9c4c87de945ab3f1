/** Colours, on a terminal only: NO_COLOR and FORCE_COLOR are obeyed, and with --json there are none. Held by test/cli/output.test.ts. */
import { styleText } from 'node:util';

export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow';
export type Paint = (colour: Colour, text: string) => string;

export const plain: Paint = (_colour, text) => text;

/** @param stream where the text will go; undefined: to no terminal */
export function paintFor(stream: NodeJS.WritableStream | undefined): Paint {
  if (!stream) return plain;
  return (colour, text) => styleText(colour, text, { stream, validateStream: true });
}
