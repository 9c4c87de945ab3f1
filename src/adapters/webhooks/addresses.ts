/**
 * Which addresses webhooks may go to: public ones, and what WEBHOOK_ALLOW lists. An address that stands for another one
 * (IPv4 in IPv6, NAT64) is judged as that one. Held by test/webhooks/addresses.test.ts.
 */
import { BlockList, isIP } from 'node:net';

export interface AddressSettings {
  /** Networks like `10.0.0.0/8`, which are allowed as well, also without https. */
  readonly allowed: readonly string[];
  /** This machine is allowed too. */
  readonly allowsLoopback: boolean;
}

/** `listed`: allowed by a setting. */
export type Standing = 'public' | 'listed' | 'private';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** Of the special-purpose registries of IANA, all that is not reachable from everywhere, and multicast. */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Within what is public in IPv6: protocols (with Teredo), documentation, and 6to4, which leads to any IPv4 address. */
const PRIVATE_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const PUBLIC_IPV6 = ['2000::/3'];
/** Stands for the IPv4 address at its end. */
const MAPPED = ['::ffff:0:0/96', '64:ff9b::/96'];

const privateIpv4 = networks(PRIVATE_IPV4);
const privateIpv6 = networks(PRIVATE_IPV6);
const publicIpv6 = networks(PUBLIC_IPV6);
const mapped = networks(MAPPED);

export function standingBy({ allowed, allowsLoopback }: AddressSettings): (address: string) => Standing {
  const listed = networks([...allowed, ...(allowsLoopback ? LOOPBACK : [])]);
  return address => {
    const plain = unmapped(address);
    if (plain === null) return 'private';
    if (has(listed, plain)) return 'listed';
    return isPublic(plain) ? 'public' : 'private';
  };
}

const isPublic = (address: string) =>
  isIP(address) === 4 ? !has(privateIpv4, address) : has(publicIpv6, address) && !has(privateIpv6, address);

/** Null: it is no address. */
function unmapped(address: string): string | null {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : null;
  if (!has(mapped, bare)) return bare;
  // The URL parser writes the last four bytes as two groups.
  const [high = 0, low = 0] = new URL(`http://[${bare}]`).hostname
    .slice(1, -1)
    .split('::')
    .join(':0:')
    .split(':')
    .slice(-2)
    .map(group => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function networks(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', length = ''] = cidr.split('/');
    list.addSubnet(address, Number(length), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

const has = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
