/**
 * Colours, only on a terminal and never with --json. NO_COLOR and FORCE_COLOR are respected.
 * Held by test/cli/output.long.test.ts.
 */
import { styleText } from 'node:util';

export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow';
export type Paint = (colour: Colour, text: string) => string;

export const plain: Paint = (_colour, text) => text;

/** @param stream where the text goes; undefined: no colours */
export function paintFor(stream: NodeJS.WritableStream | undefined): Paint {
  if (!stream) return plain;
  return (colour, text) => styleText(colour, text, { stream, validateStream: true });
}
