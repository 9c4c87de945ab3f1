/**
 * By which name an address is counted. Whoever has one IPv6 line has a /64 of addresses, and one address has many
 * spellings: every one that counts apart is a way around each limit.
 */

import type { Context } from 'koa';
import * as assert from 'uvu/assert';
import { clientOf, networkOf } from '../../src/http/client-address.ts';
import { suite } from '../support/suite.ts';

const test = suite('client address');

/** @param reports what trusted proxies have reported, the outermost one first */
function client(reports: string | string[], { socket = '198.51.100.9', userAgent = '' } = {}) {
  const ctx = {
    ips: [reports].flat().filter(report => report !== ''),
    req: { socket: { remoteAddress: socket } },
    get: () => userAgent,
  };
  return clientOf(ctx as unknown as Context);
}

test('a request has one client, whatever form its address came in', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    // as reported, address kept, network
    ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1', networkOf('2001:db8::1')],
    ['fe80::1%eth0', 'fe80::1', networkOf('fe80::1')],
    ['', '198.51.100.9', '198.51.100.9'],
    ['unknown', '198.51.100.9', '198.51.100.9'],
    ['192.0.2.1:8080', '192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:1', '192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1:443', '192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1', '192.0.2.1'],
    ['[2001:db8::1]', '2001:db8::1', networkOf('2001:db8::1')],
    ['[2001:db8::1]:443', '2001:db8::1', networkOf('2001:db8::1')],
    ['[2001:DB8:0::1]:65535', '2001:db8::1', networkOf('2001:db8::1')],
    ['[fe80::1%eth0]:443', 'fe80::1', networkOf('fe80::1')],
    ['2001:db8:0:0:0:0:0:1:443', '2001:db8::1', networkOf('2001:db8::1')],
    // Nothing says that this is a port; the network is the same.
    ['2001:db8::1:443', '2001:db8::1:443', networkOf('2001:db8::1')],
    ['192.0.2.256', '198.51.100.9', '198.51.100.9'],
    ['192.0.2.01', '198.51.100.9', '198.51.100.9'],
    ['127.1', '198.51.100.9', '198.51.100.9'],
    ['1', '198.51.100.9', '198.51.100.9'],
    ['0x7f.1', '198.51.100.9', '198.51.100.9'],
    ['<script>', '198.51.100.9', '198.51.100.9'],
    ['192.0.2.1:', '198.51.100.9', '198.51.100.9'],
    ['192.0.2.1:123456', '198.51.100.9', '198.51.100.9'],
    ['192.0.2.1:80:80', '198.51.100.9', '198.51.100.9'],
    ['[192.0.2.1', '198.51.100.9', '198.51.100.9'],
    ['[2001:db8::1]:', '198.51.100.9', '198.51.100.9'],
    ['[2001:db8::1]x', '198.51.100.9', '198.51.100.9'],
    ['_hidden', '198.51.100.9', '198.51.100.9'],
  ];
  for (const [reported, ip, network] of rows) {
    const found = client(reported);
    assert.equal([found.ip, found.network], [ip, network], reported);
  }
  assert.is(client('', { socket: '::ffff:198.51.100.9' }).ip, '198.51.100.9');
  assert.is(client('', { socket: '' }).network, 'unknown');
});

test('addresses of one /64, and spellings of one address, are one network', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['2001:db8:1:1::1', '2001:db8:1:1:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9', true],
    ['2001:db8:1:3::1', '2001:db8:1:4::1', false],
    ['2001:db8:5::1', '2001:db8:5:0:ffff::', true],
    ['2001:db8::7:2:3:4:5', '2001:db8:0:7::9', true],
    ['2001:db8::8:2:3:4:5', '2001:db8::9', false],
    ['2001::6:2:3:4:5', '2001:0:0:6::', true],
    ['::9:2:3:4:5:6', '0:0:9:2::1', true],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.2', '::FFFF:c000:0202', true],
    ['::ffff:192.0.2.3', '::ffff:192.0.2.4', false],
    ['192.0.2.5', '192.0.2.6', false],
  ];
  for (const [one, other, same] of rows)
    assert.is(client(one).network === client(other).network, same, `${one} ${other}`);
});

test('a report that is no address counts as the proxy that made it, whatever it says', () => {
  const garbage = (n: number) => ['unknown', `_${n}`, `x:${n}`, `192.0.2.1:${n}x`, `[::${n}`, `${n}`];
  for (let n = 0; n < 5; n++)
    for (const report of garbage(n)) {
      assert.is(client(report).network, '198.51.100.9', report);
      assert.is(client([report, '203.0.113.5:99']).network, '203.0.113.5', report);
      assert.is(client([report, report]).network, '198.51.100.9', report);
    }
});

test('a user agent is kept up to 512 characters', () => {
  assert.is(client('192.0.2.1', { userAgent: 'x'.repeat(600) }).userAgent, 'x'.repeat(512));
  assert.is(client('192.0.2.1', { userAgent: 'Mozilla/5.0' }).userAgent, 'Mozilla/5.0');
});

test.run();
