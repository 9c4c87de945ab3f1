/**
 * Formats text for people: names that cannot control the terminal, the width of text, times in UTC.
 * Held by test/cli/output.long.test.ts.
 */
import { stripVTControlCharacters } from 'node:util';
import { inUtc } from '../protocol/time.ts';
import { UNSAFE } from '../protocol/unseen.ts';

const PICTURES = 0x2400;
const PICTURE_OF_DEL = '\u2421';
const DEL = 0x7f;
const SPACE = 0x20;

/** Replaces control characters by visible ones: ESC by ␛, a line feed by ␊; unseen ones (unseen.ts) by \uFFFD. */
export function harmless(text: string): string {
  return text.replace(UNSAFE, character => {
    const code = character.codePointAt(0) as number;
    if (code < SPACE) return String.fromCodePoint(PICTURES + code);
    return code === DEL ? PICTURE_OF_DEL : '\uFFFD';
  });
}

/** Created when first needed: most starts do not need it. */
let graphemes: Intl.Segmenter | undefined;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}]/u;
/** East Asian wide and full-width characters, and emoji. */
const WIDE =
  /^(?:[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation})/u;
const AS_PICTURE = '\uFE0F';

/** How many columns a text takes on a terminal. Colours take none. */
export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text);
  // Fast path: most texts are plain, and a table asks twice for every cell.
  if (/^[ -~]*$/.test(bare)) return bare.length;
  let width = 0;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(bare)) {
    if (WIDE.test(segment) || segment.includes(AS_PICTURE)) width += 2;
    else if (!INVISIBLE.test(segment)) width += 1;
  }
  return width;
}

/** Breaks a text between words into lines of `width` columns. The indent, before all lines but the first, is extra. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(line) + 1 + widthOf(word) <= width)
      lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.join(`\n${indent}`);
}

/** `2026-03-15 12:00:00 UTC` */
export function when(ms: number | null, otherwise = 'never'): string {
  return ms === null ? otherwise : inUtc(ms);
}

/** As one word of a shell. */
export const shellWord = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
