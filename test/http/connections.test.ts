/** What a single connection may ask for: requests in turn, not too many ahead, and answers that somebody reads. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { type ConnectionLimits, inTurn } from '../../src/http/connections.ts';
import { suite } from '../support/suite.ts';

const test = suite('connections');
const servers: Server[] = [];
const sockets: Socket[] = [];
test.after(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

async function serving(listener: RequestListener, limits?: ConnectionLimits): Promise<Server> {
  const server = createServer(inTurn(listener, limits).listener);
  servers.push(server);
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  return server;
}

function dial(server: Server): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

const request = (n: number) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
const requests = (count: number) => Array.from({ length: count }, (_, n) => request(n)).join('');
const pause = (ms: number) => new Promise(next => setTimeout(next, ms));
const open = (server: Server) =>
  new Promise<number>(reported => server.getConnections((_, count) => reported(count)));

async function until(what: () => Promise<boolean> | boolean, said: string): Promise<void> {
  const end = Date.now() + 5_000;
  while (!(await what())) {
    assert.ok(Date.now() < end, said);
    await pause(10);
  }
}

test('requests sent together are begun one after the other, and answered in their order', async () => {
  let [running, most] = [0, 0];
  const server = await serving(async ({ url }, answer) => {
    running += 1;
    most = Math.max(most, running);
    await pause(2);
    running -= 1;
    answer.end(`<${url}>`);
  });
  const socket = dial(server);
  let text = '';
  socket.on('data', part => {
    text += part;
  });
  socket.write(requests(50));
  await until(() => text.includes('</49>'), 'all are answered');
  assert.is(most, 1);
  assert.equal(
    [...text.matchAll(/<\/(\d+)>/g)].map(match => Number(match[1])),
    Array.from({ length: 50 }, (_, n) => n),
  );
});

test('a client that sends more ahead than allowed is let go', async () => {
  let begun = 0;
  const server = await serving(
    (_, answer) => {
      begun += 1;
      setTimeout(() => answer.end('x'), 20);
    },
    { ahead: 10, aheadBytes: 100_000, unreadMs: 30_000 },
  );
  dial(server).write(requests(12));
  await until(async () => (await open(server)) === 0, 'the connection is ended');
  assert.ok(begun <= 2, `${begun} were begun`);
  let answered = 0;
  dial(server)
    .on('data', part => (answered += String(part).split('HTTP/1.1 200').length - 1))
    .write(requests(11));
  await until(() => answered === 11, 'one less is served');
});

test('a client whose heads ahead are larger than allowed is let go', async () => {
  const server = await serving((_, answer) => setTimeout(() => answer.end('x'), 20), {
    ahead: 100,
    aheadBytes: 40_000,
    unreadMs: 30_000,
  });
  const large = `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'a'.repeat(10_000)}\r\n\r\n`;
  const sent = async (count: number) => {
    const [socket, { promise: isClosed, resolve }] = [dial(server), Promise.withResolvers<void>()];
    let answered = 0;
    socket.on('close', resolve).on('data', part => {
      answered += String(part).split('HTTP/1.1 200').length - 1;
      if (answered === count) socket.destroy();
    });
    socket.write(large.repeat(count));
    await isClosed;
    return answered;
  };
  assert.is(await sent(4), 4);
  assert.ok((await sent(5)) < 5, 'one more ends the connection');
});

test('a client that reads nothing is let go, and only one of its answers was ever made', async () => {
  let begun = 0;
  const server = await serving(
    (_, answer) => {
      begun += 1;
      answer.end(Buffer.alloc(20_000_000));
    },
    { ahead: 100, aheadBytes: 100_000, unreadMs: 200 },
  );
  dial(server).pause().write(requests(20));
  await until(() => begun > 0, 'it was begun');
  await until(async () => (await open(server)) === 0, 'the connection is ended');
  assert.is(begun, 1);
});

test('a slow answer is waited for, also behind one that was read', async () => {
  const server = await serving(
    ({ url }, answer) => {
      setTimeout(() => answer.end(`<${url}>`), url === '/0' ? 0 : 400);
    },
    { ahead: 100, aheadBytes: 100_000, unreadMs: 100 },
  );
  let text = '';
  dial(server)
    .on('data', part => (text += part))
    .write(requests(2));
  await until(() => text.includes('</1>'), 'the second is answered');
});

test('a client that leaves takes its waiting requests with it', async () => {
  let begun = 0;
  const server = await serving((_, answer) => {
    begun += 1;
    setTimeout(() => answer.end('x'), 100);
  });
  const socket = dial(server);
  socket.write(requests(5));
  await until(() => begun === 1, 'the first is begun');
  socket.destroy();
  await pause(300);
  assert.is(begun, 1);
});

test.run();
