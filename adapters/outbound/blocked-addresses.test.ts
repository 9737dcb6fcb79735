import { BlockList, isIPv4 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SPECIAL_IPV4, SPECIAL_IPV6, type SpecialBlock } from '../../test/fixtures/special-addresses.ts';
import { addNetwork, BlockedAddresses, toIpFamily } from './blocked-addresses.ts';

const blocked = new BlockedAddresses([]);
const isBlocked = (address: string): boolean => blocked.check(address, toIpFamily(address));

/** The number that an address is, and the address that a number is. */
function parseNumber(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const [head = '', tail = ''] = address.split('::');
  const [left, right] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - left!.length - right!.length).fill('0');
  return [...left!, ...zeros, ...right!].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
const ipv4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const ipv6 = (value: bigint): string =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 65_535n).toString(16)).join(':');

/** The first, the last and some between. */
function toSamples(block: string): string[] {
  const [address = '', length = ''] = block.split('/');
  const [bits, written] = isIPv4(address) ? [32n, ipv4] : [128n, ipv6];
  const size = 1n << (bits - BigInt(length));
  const parts = [0n, size / 3n, size / 2n, (size * 7n) / 8n, size - 1n].filter((at) => at >= 0n && at < size);
  return [...new Set(parts)].map((at) => written(parseNumber(address) + at));
}

/** The ways in which IPv6 carries an IPv4 address. */
const CARRIERS: Readonly<Record<string, (address: string) => string>> = {
  'IPv4-compatible': (address) => `::${address}`,
  'IPv4-mapped': (address) => `::ffff:${address}`,
  'IPv4-translated': (address) => `::ffff:0:${address}`,
  NAT64: (address) => `64:ff9b::${address}`,
  'NAT64 of a local prefix': (address) => `64:ff9b:1::${address}`,
  '6to4': (address) => ipv6((0x2002n << 112n) | (parseNumber(address) << 80n)),
  Teredo: (address) => ipv6((0x2001n << 112n) | (parseNumber(address) ^ 0xffff_ffffn)),
};

/** Not said to be reachable everywhere: what is empty or N/A counts as not. */
const isInside = ({ isReachable }: SpecialBlock): boolean => isReachable !== true;
const named = ({ block, name }: SpecialBlock): [string, string] => [block, name];

describe('of the registries of special addresses', () => {
  // The address inside a mapped one decides; see below.
  it.each(
    [...SPECIAL_IPV4, ...SPECIAL_IPV6]
      .filter(isInside)
      .filter(({ block }) => block !== '::ffff:0:0/96')
      .map(named),
  )('%s (%s) is blocked from its first address to its last', (block) => {
    for (const address of toSamples(block)) expect(isBlocked(address), address).toBe(true);
  });

  it.each(SPECIAL_IPV4.filter(isInside).map(named))('%s (%s) is blocked in whatever carries it', (block) => {
    for (const address of toSamples(block))
      for (const [how, carried] of Object.entries(CARRIERS)) expect(isBlocked(carried(address)), how).toBe(true);
  });

  it('a reachable block is blocked only where it lies within one that is not, or carries IPv4 addresses', () => {
    const reachable = [...SPECIAL_IPV4, ...SPECIAL_IPV6].filter((row) => !isInside(row));
    const open = reachable.filter(({ block }) => !isBlocked(toSamples(block)[0]!)).map(({ block }) => block);
    expect(open).toEqual(['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '2620:4f:8000::/48']);
  });
});

describe('an address of the internet', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '192.0.1.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ])('%s is not blocked', (address) => expect(isBlocked(address)).toBe(false));

  it('would be blocked by a rule for mapped addresses, which is why there is none', () => {
    const list = new BlockList();
    addNetwork(list, '::ffff:0:0/96');
    expect(list.check('8.8.8.8', 'ipv4')).toBe(true);
  });

  it('inside is not blocked where the operator allows its network', () => {
    const allowing = new BlockedAddresses(['10.1.0.0/16', 'fd00::/64']);
    expect([allowing.check('10.1.2.3', 'ipv4'), allowing.check('fd00::1', 'ipv6')]).toEqual([false, false]);
    expect([allowing.check('10.2.2.3', 'ipv4'), allowing.check('fd00:1::1', 'ipv6')]).toEqual([true, true]);
  });
});

it.each(['224.0.0.1', '239.255.255.255', 'ff02::1', 'fec0::1'])('%s, multicast or site-local, is blocked too', (address) => {
  expect(isBlocked(address)).toBe(true);
});
