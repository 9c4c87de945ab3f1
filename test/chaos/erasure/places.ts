/** Where traces may be: every file below a folder, and the matcher's memory in a running process. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All files as one text of single bytes each, so that bytes can be looked for as texts. */
export function bytesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile());
  return Buffer.concat(files.map(file => readFileSync(file)));
}

/** WebAssembly memory lies at the beginning of a reservation this large; nothing else in the process does. */
const RESERVED = 2 ** 31;
const PIECE = 64 * 1024 * 1024;

interface Mapping {
  readonly from: number;
  readonly to: number;
}

/** What of a process's address space is in use as WebAssembly memory. */
function wasmMappings(pid: number): Mapping[] {
  const all = readFileSync(`/proc/${pid}/maps`, 'latin1')
    .trim()
    .split('\n')
    .map(line => {
      const [range = '', rights = ''] = line.split(/\s+/);
      const [from = 0, to = 0] = range.split('-').map(hex => Number.parseInt(hex, 16));
      return { from, to, rights };
    });
  return all.filter((mapping, i) => {
    const next = all[i + 1];
    if (mapping.rights !== 'rw-p' || !next || next.from !== mapping.to) return false;
    return next.rights === '---p' && next.to - next.from >= RESERVED;
  });
}

/**
 * Looks for pieces of 4 numbers (float32) at every fourth byte of the WebAssembly memory.
 * @returns how many bytes were looked at, and the numbers of the pieces that are there
 */
export function searchMemory(pid: number, pieces: readonly Buffer[]): { bytes: number; found: Set<number> } {
  const words4 = pieces.map(piece => [0, 4, 8, 12].map(at => piece.readUInt32LE(at)));
  const wanted = new Map<number, number[]>();
  for (const [i, piece] of pieces.entries()) {
    const first = piece.readUInt32LE(0);
    wanted.set(first, [...(wanted.get(first) ?? []), i]);
  }
  const found = new Set<number>();
  let bytes = 0;
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const { from, to } of wasmMappings(pid)) {
      for (let at = from; at < to; at += PIECE) {
        // Parts end with whole pages of the core, and nothing lies across two of those.
        const part = Buffer.alloc(Math.min(PIECE, to - at));
        const read = readSync(memory, part, 0, part.length, at);
        bytes += read;
        const words = new Uint32Array(part.buffer, part.byteOffset, Math.floor(read / 4));
        for (let w = 0; w < words.length; w++) {
          const candidates = wanted.get(words[w] as number);
          for (const i of candidates ?? []) {
            if (words4[i]?.every((word, n) => words[w + n] === word)) found.add(i);
          }
        }
      }
    }
  } finally {
    closeSync(memory);
  }
  return { bytes, found };
}
