/** Bytes written to a socket as they are, for what no HTTP client would send. */
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { type Answer, parsed } from './client.ts';
import { checkAnswer, checkFailure } from './openapi.ts';
import type { Running } from './service.ts';

export interface RawAnswer extends Answer {
  interim: number[];
}

/** Bytes on a socket; resolves with the first `count` answers, or with fewer when the service closes the connection. */
export function raw(run: Running, bytes: string | Uint8Array, count = 1, end = false): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const out = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    const { hostname, port } = new URL(run.base);
    const socket = connect(Number(port), hostname, () => {
      if (end) socket.end(out);
      else socket.write(out);
    });
    let seen: Buffer = Buffer.alloc(0);
    const finish = () => {
      socket.destroy();
      const answers = rawAnswers(seen);
      try {
        check(bytes, answers);
        resolve(answers);
      } catch (error) {
        reject(error);
      }
    };
    socket.setTimeout(5_000, () => {
      socket.destroy();
      reject(new Error(`no answer, and the connection stays open: ${String(bytes).slice(0, 120)}`));
    });
    socket.on('data', (part: Buffer) => {
      seen = Buffer.concat([seen, part]);
      if (rawAnswers(seen).length >= count) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
  });
}

/** What the API description says of the first answer, and of every failure. */
function check(bytes: string | Uint8Array, answers: readonly RawAnswer[]): void {
  const [, method, path] =
    /^([A-Z]+) (\/\S*) HTTP\/1\.1\r\n/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  for (const [index, answer] of answers.entries()) {
    if (index === 0 && method && path && answer.status < 400) checkAnswer(method, path, answer);
    if (answer.status >= 400) checkFailure(answer);
  }
}

function rawAnswers(seen: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  const interim: number[] = [];
  let rest = seen.toString('latin1');
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    if (head < 0) return answers;
    const [first = '', ...lines] = rest.slice(0, head).split('\r\n');
    const status = Number(first.split(' ')[1]);
    rest = rest.slice(head + 4);
    if (status < 200) {
      interim.push(status);
      continue;
    }
    const headers: IncomingHttpHeaders = {};
    for (const line of lines)
      headers[line.slice(0, line.indexOf(':')).toLowerCase()] = line.slice(line.indexOf(':') + 1).trim();
    const length = Number(headers['content-length'] ?? rest.length);
    if (rest.length < length) return answers;
    const text = Buffer.from(rest.slice(0, length), 'latin1').toString();
    answers.push({ status, headers, text, json: parsed(text), interim });
    rest = rest.slice(length);
  }
}
