/**
 * A server with the fault that the trial looks for: it compares keys letter by letter and stops at the first that
 * differs. A letter takes it longer than a real comparison would, so that a few thousand requests show it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [key = '', nanoseconds = '0'] = process.argv.slice(2);

const server = createServer((request, response) => {
  const { authorization, 'x-svc-key': header } = request.headers;
  const given = String(header ?? authorization?.slice('Bearer '.length) ?? '');
  for (let n = 0; n < key.length && given[n] === key[n]; n++) spin(Number(nanoseconds));
  request.resume();
  response.writeHead(given === key ? 200 : 401, { 'content-type': 'application/json' });
  response.end('{"error":{"code":"unauthorized","message":"Wrong."}}');
});
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('disconnect', () => process.exit());

function spin(wait: number): void {
  const end = process.hrtime.bigint() + BigInt(wait);
  while (process.hrtime.bigint() < end);
}
