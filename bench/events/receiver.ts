/** Endpoints of webhooks, in a process of its own, which tells its parent what arrived. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Endpoint, Judge } from './judge.ts';

/** `after`: of events with a greater `seq`. `count` is answered with their number, `tell` with all that is known. */
export type Question =
  | { readonly add: Endpoint }
  | { readonly count: string; readonly after: number }
  | { readonly tell: string; readonly after: number };

const judges = new Map<string, Judge>();
const server = createServer((req, res) => {
  let body = '';
  req.setEncoding('utf8').on('data', part => {
    body += part;
  });
  req.on('end', async () => {
    const status = await judges.get(req.url ?? '')?.judge(req.headers, body);
    if (status !== null) res.writeHead(status ?? 404).end();
  });
});

function answer(question: Question): unknown {
  if ('add' in question) return judges.set(question.add.path, new Judge(question.add)).size;
  const judge = judges.get('count' in question ? question.count : question.tell);
  return 'count' in question ? judge?.takenAfter(question.after).length : judge?.told(question.after);
}

process.on('message', (question: Question) => process.send?.(answer(question)));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
