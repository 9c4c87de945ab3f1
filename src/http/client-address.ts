/**
 * Who sends a request. The address is the socket's, or, behind trusted proxies, the one that the outermost of them
 * reported (Koa counts from the right: `maxIpsCount`). test/domain/client-address.test.ts holds it.
 */
import { isIP } from 'node:net';
import type { Context } from 'koa';
import type { Client } from '../domain/caller.ts';

const USER_AGENT_LENGTH = 512;

export function clientOf(ctx: Context): Client {
  const ip = plainAddress(ctx.ip) ?? plainAddress(ctx.req.socket.remoteAddress ?? '') ?? 'unknown';
  return { ip, network: networkOf(ip), userAgent: ctx.get('User-Agent').slice(0, USER_AGENT_LENGTH) };
}

/** The address without an IPv4-mapped prefix, zone or port; null when it is none. */
function plainAddress(text: string): string | null {
  const address = text.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address;
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 one, in one spelling. */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(new URL(`http://[${ip}]`).hostname);
  if (mapped)
    return dotted(Number.parseInt(mapped[1] as string, 16), Number.parseInt(mapped[2] as string, 16));
  return `${groupsOf(ip)
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address. The URL parser brings every spelling to one. */
function groupsOf(ip: string): number[] {
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16));
  const first = parse(head);
  const last = tail === undefined ? [] : parse(tail);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
