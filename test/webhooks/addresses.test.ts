/** Where webhooks may go: URLs and names, each refused or taken when a webhook is made, and again at each connection. */
import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { createSender } from '../../src/adapters/webhooks/sender.ts';
import { createTargets } from '../../src/adapters/webhooks/targets.ts';
import { suite } from '../support/suite.ts';

const test = suite('webhooks: addresses');
const NONE = { allowed: [], allowsLoopback: false };
const SOME = { allowed: ['10.1.0.0/16', 'fd12::/32', '198.51.100.7/32'], allowsLoopback: false };
const LOCAL = { allowed: [], allowsLoopback: true };

/** URL, and what stands against it by default, with SOME and with LOCAL; `-`: nothing. */
const URLS = `
https://93.184.216.34/hook | - | - | -
https://93.184.216.34:8443/hook?a=b | - | - | -
https://[2606:2800:220:1:248:1893:25c8:1946]/ | - | - | -
https://[64:ff9b::5db8:d822]/ | - | - | -
https://[::ffff:93.184.216.34]/ | - | - | -
https://1572395042/ | - | - | -
http://93.184.216.34/ | https | https | https
http://[2606:2800:220:1:248:1893:25c8:1946]/ | https | https | https
https://127.0.0.1/ | private | private | -
http://127.0.0.1:3000/ | private | private | -
https://127.255.255.254/ | private | private | -
https://127.1/ | private | private | -
https://0x7f.0.0.1/ | private | private | -
https://0177.0.0.1/ | private | private | -
https://2130706433/ | private | private | -
https://１２７.0.0.1/ | private | private | -
https://%31%32%37.0.0.1/ | private | private | -
https://[::1]/ | private | private | -
https://[0:0:0:0:0:0:0:1]/ | private | private | -
https://[::ffff:127.0.0.1]/ | private | private | -
https://[::ffff:7f00:1]/ | private | private | -
https://[64:ff9b::127.0.0.1]/ | private | private | -
https://[::127.0.0.1]/ | private | private | private
https://[::]/ | private | private | private
https://0.0.0.0/ | private | private | private
https://0.1.2.3/ | private | private | private
https://10.0.0.1/ | private | private | private
https://10.1.2.3/ | private | - | private
http://10.1.2.3:8080/hook | private | - | private
https://[::ffff:10.1.2.3]/ | private | - | private
http://[64:ff9b::10.1.2.3]/ | private | - | private
https://10.2.0.1/ | private | private | private
https://100.64.0.1/ | private | private | private
https://100.127.255.255/ | private | private | private
https://169.254.169.254/latest/meta-data/ | private | private | private
https://[::ffff:a9fe:a9fe]/ | private | private | private
https://172.16.0.1/ | private | private | private
https://172.31.255.255/ | private | private | private
https://172.32.0.1/ | - | - | -
https://192.0.0.8/ | private | private | private
https://192.0.2.1/ | private | private | private
https://192.88.99.1/ | private | private | private
https://192.168.1.1/ | private | private | private
https://198.18.0.1/ | private | private | private
https://198.51.100.7/ | private | - | private
https://203.0.113.9/ | private | private | private
https://224.0.0.1/ | private | private | private
https://239.255.255.255/ | private | private | private
https://240.0.0.1/ | private | private | private
https://255.255.255.255/ | private | private | private
https://[fe80::1]/ | private | private | private
https://[fc00::1]/ | private | private | private
https://[fd12::1]/ | private | - | private
http://[fd12:0:1::1]/ | private | - | private
https://[fd00:ec2::254]/ | private | private | private
https://[fec0::1]/ | private | private | private
https://[ff02::1]/ | private | private | private
https://[2001::1]/ | private | private | private
https://[2001:db8::1]/ | private | private | private
https://[2002:7f00:1::]/ | private | private | private
https://[3fff::1]/ | private | private | private
https://[64:ff9b:1::1]/ | private | private | private
https://[100::1]/ | private | private | private
https://user@93.184.216.34/ | user | user | user
https://user:secret@93.184.216.34/ | user | user | user
https://93.184.216.34/#part | fragment | fragment | fragment
https://93.184.216.34/# | fragment | fragment | fragment
https://93.184.216.34:0/ | port | port | port
ftp://93.184.216.34/ | begin | begin | begin
file:///etc/passwd | begin | begin | begin
//93.184.216.34/ | URL | URL | URL
https:// | URL | URL | URL
https://93.184.216.34/a b | blanks | blanks | blanks
`;
const SAYS: Readonly<Record<string, RegExp>> = {
  private: /^leads to \S+, which is not a public address: list it in WEBHOOK_ALLOW/,
  https: /^leads to \S+, which may only be reached with https$/,
  user: /user name or password/,
  fragment: /fragment/,
  port: /port 0/,
  begin: /must begin with https/,
  URL: /is not a URL/,
  blanks: /blanks or control characters/,
};

test('a URL is refused with its reason, or taken', async () => {
  const rows = URLS.trim().split('\n');
  assert.ok(rows.length >= 60);
  for (const row of rows) {
    const [url = '', ...wanted] = row.split(' | ');
    for (const [at, settings] of [NONE, SOME, LOCAL].entries()) {
      const fault = await createTargets(settings).faultOf(url);
      const says = SAYS[wanted[at] ?? ''];
      if (says) assert.match(fault ?? 'taken', says, row);
      else assert.is(fault, null, row);
    }
  }
});

/** Each look-up of a name, in order; none: it does not resolve. The last one stays. */
const NAMES: readonly (readonly [name: string, answers: string[][], made: string, connected: string])[] = [
  ['public.example', [['93.184.216.34']], '-', 'taken'],
  ['both.example', [['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946']], '-', 'taken'],
  ['private.example', [['10.0.0.1']], 'private', 'refused'],
  ['mixed.example', [['93.184.216.34', '192.168.0.1']], 'private', 'refused'],
  ['metadata.example', [['169.254.169.254']], 'private', 'refused'],
  ['six.example', [['fe80::1%2']], 'private', 'refused'],
  ['mapped.example', [['::ffff:127.0.0.1']], 'private', 'refused'],
  ['unknown.example', [[]], '-', 'name'],
  ['later.example', [[], ['93.184.216.34']], '-', 'taken'],
  ['changes.example', [['93.184.216.34'], ['127.0.0.1']], '-', 'refused'],
  ['turns-public.example', [['127.0.0.1'], ['93.184.216.34']], 'private', 'taken'],
  ['localhost', [['127.0.0.1', '::1']], 'private', 'refused'],
];

test('a name is judged by all its addresses, whatever they were before, and those are connected to', async () => {
  for (const [name, answers, made, connected] of NAMES) {
    const left = [...answers];
    const targets = createTargets(NONE, async () => {
      const addresses = left.length > 1 ? left.shift() : left[0];
      if (!addresses || addresses.length === 0) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
      return addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
    });
    const fault = await targets.faultOf(`https://${name}/`);
    if (made === '-') assert.is(fault, null, name);
    else assert.match(fault ?? 'taken', SAYS[made] as RegExp, name);
    const outcome = await new Promise(done =>
      targets.lookupFor('https:')(name, { all: true }, (error, found) =>
        done(error ? [error.name, (error as NodeJS.ErrnoException).code] : found),
      ),
    );
    if (connected === 'taken')
      assert.equal(
        (outcome as LookupAddress[]).map(({ address }) => address),
        answers.at(-1),
        name,
      );
    else assert.is((outcome as string[])[1], connected === 'name' ? 'ENOTFOUND' : undefined, name);
  }
});

test('nothing is sent to a refused address, also by a name that leads to it', async () => {
  let connections = 0;
  const server = createServer(socket => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const answers = ['93.184.216.34', '127.0.0.1'];
  const resolve = async (): Promise<LookupAddress[]> => [
    { address: answers.shift() ?? '127.0.0.1', family: 4 },
  ];
  const targets = createTargets(NONE, resolve);
  const sender = createSender(targets, 'test');
  assert.is(await sender.addressFault(`https://changes.example:${port}/`), null);
  for (const url of [
    `https://changes.example:${port}/`,
    `http://changes.example:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://127.1:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
  ]) {
    const answer = await sender.send({ url, headers: {}, body: '{}' });
    assert.equal([answer?.status, answer?.error], [null, 'address'], url);
  }
  assert.is(connections, 0);
  const allowed = createSender(createTargets(LOCAL, resolve), 'test');
  await allowed.send({ url: `http://changes.example:${port}/`, headers: {}, body: '{}' });
  assert.is(connections, 1, 'the server can be reached');
  await Promise.all([sender.close(), allowed.close()]);
  server.close();
});

test.run();
