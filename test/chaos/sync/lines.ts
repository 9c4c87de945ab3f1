/**
 * A strace log as events. The number of a line is its time: strace sees every call enter and leave, and lets no call
 * begin before it has noted that it enters; so a call that enters on a later line than another one left began after
 * that one had ended, whatever threads they ran on.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Call {
  readonly thread: number;
  readonly name: string;
  /** What strace shows between the brackets; of a read, whole only when it leaves. */
  readonly args: string;
  /** Path, or `socket:[…]`, of the first argument. */
  readonly file: string;
  readonly entered: number;
  /** Set when the call leaves. */
  readonly left: number | null;
  readonly result: number | null;
}

export interface Watcher {
  enters(call: Call): void;
  leaves(call: Call): void;
}

const LINE = /^(\d+) +[\d.]+ (.*)$/s;
const BEGIN = /^(\w+)\((.*)$/s;
const RESUMED = /^<\.\.\. \w+ resumed>(.*)$/s;
const UNFINISHED = ' <unfinished ...>';
const FILE = /^\d+<([^>]*)>/;
const RESULT = /\)\s+= (-?\d+)/g;
/** Room for a result and its explanation, behind any data. */
const END = 200;

/** @returns the number of lines */
export async function readCalls(path: string, watchers: readonly Watcher[]): Promise<number> {
  const open = new Map<number, Call>();
  let time = 0;

  function leave(call: Call, text: string): void {
    const result = [...text.slice(-END).matchAll(RESULT)].at(-1)?.[1];
    const args = call.args + text;
    const ended = { ...call, args, left: time, result: result === undefined ? null : Number(result) };
    for (const watcher of watchers) watcher.leaves(ended);
  }

  for await (const line of createInterface({ input: createReadStream(path, 'latin1') })) {
    time += 1;
    const [, thread, rest = ''] = LINE.exec(line) ?? [];
    if (thread === undefined) continue;
    const id = Number(thread);
    const more = RESUMED.exec(rest)?.[1];
    const begun = open.get(id);
    if (more !== undefined) {
      open.delete(id);
      if (begun) leave(begun, more);
      continue;
    }
    const [, name, text] = BEGIN.exec(rest) ?? [];
    if (name === undefined || text === undefined) continue;
    const unfinished = text.endsWith(UNFINISHED);
    const args = unfinished ? text.slice(0, -UNFINISHED.length) : '';
    const file = FILE.exec(text)?.[1] ?? '';
    const call: Call = { thread: id, name, args, file, entered: time, left: null, result: null };
    for (const watcher of watchers) watcher.enters(unfinished ? call : { ...call, args: text });
    if (unfinished) open.set(id, call);
    else leave(call, text);
  }
  return time;
}

const NAMED: Record<string, number> = { n: 10, t: 9, r: 13, v: 11, f: 12, '"': 34, '\\': 92 };

/** The bytes of the first string that strace shows in the arguments. */
export function bytesOf(args: string): Buffer {
  const text = /"((?:[^"\\]|\\.)*)"/s.exec(args)?.[1] ?? '';
  const bytes: number[] = [];
  for (const [, octal, hex, named, plain] of text.matchAll(
    /\\([0-7]{1,3})|\\x([0-9a-f]{2})|\\(.)|([^\\])/gs,
  )) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (named !== undefined) bytes.push(NAMED[named] ?? named.charCodeAt(0));
    else bytes.push((plain as string).charCodeAt(0));
  }
  return Buffer.from(bytes);
}

/** The last bytes, whose end is left out, as strace shows them: an octal number is whole where such a digit follows. */
export function shown(bytes: Buffer): string {
  const names = Object.fromEntries(Object.entries(NAMED).map(([name, code]) => [code, `\\${name}`]));
  const one = (byte: number, next = 0) => {
    if (names[byte]) return names[byte];
    if (byte >= 32 && byte < 127) return String.fromCharCode(byte);
    const isBeforeOctal = next >= 48 && next <= 55;
    return `\\${byte.toString(8).padStart(isBeforeOctal ? 3 : 1, '0')}`;
  };
  return [...bytes.subarray(-17, -1)].map((byte, n) => one(byte, bytes.at(n - 16))).join('');
}
