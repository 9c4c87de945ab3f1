/**
 * Reads labelled descriptors from a file of JSON lines, one at a time, so that memory does not grow with the file. The
 * message for a bad line gives its number, the field and the fix, and never repeats its values. Descriptors follow the
 * rules of the API. Held by test/cli/calibrate-refusals.test.ts.
 */
import * as v from 'valibot';
import { descriptors } from '../../protocol/descriptors.ts';
import { CommandFailed } from '../command.ts';

/** In bytes. 128 numbers take less than 4 KB. */
const LONGEST = 64 * 1_024;
const LONGEST_LABEL = 200;
const LONGEST_GROUP = 100;
/** The same rule as in the API. */
const ENCODER = /^[\x20-\x7e]{1,100}$/;
const LINE_FEED = 10;
const EXAMPLE = '{"person": "p1", "descriptor": [128 numbers]}';

export interface Labelled {
  readonly person: string;
  readonly descriptor: readonly number[];
  /** Null: the line does not name it. */
  readonly encoder: string | null;
  readonly group: string | null;
  readonly line: number;
}

/** The bytes of a file, in pieces. */
export type Pieces = AsyncIterable<Uint8Array>;

/** @param onRead gets the number of bytes read so far. @throws CommandFailed naming the line */
export async function* labelledLines(
  file: Pieces,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<Labelled> {
  let number = 0;
  for await (const bytes of linesOf(file, onRead)) {
    number++;
    const labelled = parse(bytes, number);
    if (labelled) yield labelled;
  }
}

async function* linesOf(file: Pieces, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array(0);
  let number = 1;
  let read = 0;
  for await (const piece of file) {
    read += piece.length;
    onRead(read);
    const bytes = rest.length === 0 ? piece : joined(rest, piece);
    let from = 0;
    for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      yield bytes.subarray(from, to);
      from = to + 1;
      number++;
    }
    rest = bytes.slice(from);
    if (rest.length > LONGEST) throw tooLong(number);
  }
  if (rest.length > 0) yield rest;
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const both = new Uint8Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}

function tooLong(number: number): CommandFailed {
  return new CommandFailed(
    `line ${number}: is longer than 64 KB: write one JSON object per line, ${EXAMPLE}, not one array`,
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const ONE = descriptors(1);

/** Null: an empty line. */
function parse(bytes: Uint8Array, number: number): Labelled | null {
  const wrong = (fault: string) => new CommandFailed(`line ${number}: ${fault}`);
  if (bytes.length > LONGEST) throw tooLong(number);
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw wrong('is not UTF-8 text: save the file as UTF-8');
  }
  if (text.trim() === '') return null;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong(`is not JSON: write one object per line, ${EXAMPLE}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`must be an object: ${EXAMPLE}`);
  const { person, descriptor, encoder, group } = value as Record<string, unknown>;
  if (typeof person !== 'string' || person === '' || person.length > LONGEST_LABEL)
    throw wrong(
      `person: must be a string of 1 to ${LONGEST_LABEL} characters, the same for all descriptors of a person`,
    );
  if (encoder !== undefined && !(typeof encoder === 'string' && ENCODER.test(encoder)))
    throw wrong('encoder: must be a string of 1 to 100 printable ASCII characters, or left out');
  if (group !== undefined && !(typeof group === 'string' && group !== '' && group.length <= LONGEST_GROUP))
    throw wrong(`group: must be a string of 1 to ${LONGEST_GROUP} characters, or left out`);
  if (descriptor === undefined) throw wrong(`descriptor: is required: ${EXAMPLE}`);
  const checked = v.safeParse(ONE, [descriptor]);
  if (checked.success)
    return {
      person,
      descriptor: checked.output[0] as number[],
      encoder: encoder ?? null,
      group: group ?? null,
      line: number,
    };
  const [issue] = checked.issues;
  // The list holds this one descriptor, so its index means nothing to the reader.
  const at = issue.path?.slice(1).map(item => `[${String(item.key)}]`) ?? [];
  throw wrong(`descriptor${at.join('')}: ${issue.message}`);
}
