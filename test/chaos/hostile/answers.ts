/** Answers as they come out of a socket, in pieces of any size, each told once by what it is. */
import { assertEnvelope, parsed } from '../../support/client.ts';

const CRLF2 = Buffer.from('\r\n\r\n');

/** @param tell is given `400 invalid_request`, `200`, `400 outside the envelope`, … */
export function answerReader(tell: (kind: string) => void): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return part => {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    let from = 0;
    for (;;) {
      const head = rest.indexOf(CRLF2, from);
      if (head < 0) break;
      const lines = rest.toString('latin1', from, head);
      const status = Number(lines.split(' ', 2)[1]);
      const length = Number(/^content-length: *(\d+)$/im.exec(lines)?.[1] ?? 0);
      const end = head + CRLF2.length + length;
      if (rest.length < end) break;
      if (status >= 200) tell(kindOf(status, rest.toString('utf8', head + CRLF2.length, end)));
      from = end;
    }
    rest = rest.subarray(from);
  };
}

export function kindOf(status: number, text: string): string {
  if (status < 400) return String(status);
  const json = parsed(text);
  try {
    assertEnvelope({ status, json, text });
    return `${status} ${json.error.code}`;
  } catch {
    return `${status} outside the envelope`;
  }
}
