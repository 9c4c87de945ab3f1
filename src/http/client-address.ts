/**
 * Who sends a request. The address is the socket's or, behind trusted proxies, the one reported by the outermost of
 * them (Koa counts from the right: `maxIpsCount`). Some proxies add the port. If a proxy reports something that is not
 * an address, the request counts as that proxy's own, so that a client cannot escape its limits by sending nonsense.
 * Held by test/http/client-address.test.ts.
 */
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';
import type { Client } from '../domain/caller.ts';
import { USER_AGENT_LENGTH } from '../protocol/limits.ts';

const BRACKETED = /^\[(.*)\](?::\d{1,5})?$/;
const PORT = /:\d{1,5}$/;

export function clientOf(ctx: Context): Client {
  const reports = [...ctx.ips, ctx.req.socket.remoteAddress ?? ''];
  const ip = reports.map(addressIn).find(address => address !== null) ?? 'unknown';
  return {
    ip,
    network: networkOf(ip),
    site: siteOf(ip),
    userAgent: ctx.get('User-Agent').slice(0, USER_AGENT_LENGTH),
  };
}

/** The address in canonical form, without port, zone or IPv4-mapped prefix; null if there is none. */
function addressIn(report: string): string | null {
  const text = BRACKETED.exec(report)?.[1] ?? report;
  // If the last group of an IPv6 address could be a port, it is part of the address.
  for (const plain of [text, text.replace(PORT, '')].map(each => each.replace(/%.*$/, '')))
    if (isIP(plain) !== 0) return canonical(plain);
  return null;
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address, in canonical form. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4) ?? canonical(ip);
}

/**
 * The /48 of an IPv6 address. Many customers get a /48, and it contains 65,536 of the /64 networks that limits count.
 */
function siteOf(ip: string): string | null {
  return prefixOf(ip, 3);
}

/** IPv4 is written in one way only. */
function canonical(ip: string): string {
  return isIPv6(ip) ? ipaddr.process(ip).toString() : ip;
}

/**
 * Null unless it is IPv6, and for IPv4 mapped into IPv6. Slices the parts because ipaddr's own CIDR function is five
 * times slower.
 */
function prefixOf(ip: string, groups: number): string | null {
  if (!isIPv6(ip)) return null;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return null;
  const first = address.parts.slice(0, groups);
  return `${first.map(group => group.toString(16)).join(':')}::/${groups * 16}`;
}
