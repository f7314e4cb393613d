import { BlockList, isIP } from 'node:net';

/**
 * IPv4 ranges outside the public internet (IANA special-purpose registry), and one public address of a cloud's metadata
 * service.
 */
const IPV4_SPECIAL: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT, and a cloud's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // a cloud's metadata, though the address is public
  ['169.254.0.0', 16], // link-local, metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** Ranges within global unicast (2000::/3) that lead elsewhere. All addresses outside global unicast are refused. */
const IPV6_SPECIAL: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, anycast
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address within
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
];

const ipv4Special = new BlockList();
for (const [network, prefix] of IPV4_SPECIAL) ipv4Special.addSubnet(network, prefix, 'ipv4');
const ipv6Special = new BlockList();
for (const [network, prefix] of IPV6_SPECIAL) ipv6Special.addSubnet(network, prefix, 'ipv6');
const ipv6Global = new BlockList();
ipv6Global.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
const loopback6 = new BlockList();
loopback6.addAddress('::1', 'ipv6');

/**
 * Whether an address is one of the public internet. Its octets, not its spelling, are compared with ranges. An address that
 * does not parse or has a zone is not public. IPv6 addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4,
 * Teredo) are outside the allowed ranges.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !ipv4Special.check(address, 'ipv4');
    case 6:
      return ipv6Global.check(address, 'ipv6') && !ipv6Special.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Whether an address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return loopback.check(address, 'ipv4');
  return family === 6 && loopback6.check(address, 'ipv6');
}
