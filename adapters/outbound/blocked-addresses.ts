import { BlockList, type IPVersion, isIP, type SocketAddress } from 'node:net';

/** Networks that are no part of the public internet, from the registries of special addresses (RFC 6890 and after). */
const IPV4 = [
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
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * Also those that carry an IPv4 address within: behind them may be any of the above. IPv4-mapped ones (`::ffff:0:0/96`) are not
 * here, because Node checks them as the IPv4 addresses that they hold; a rule for them would hold for all of IPv4.
 */
const IPV6 = [
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

export const toIpFamily = (address: string): IPVersion => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `network` is an address, or one with the length of its prefix. */
export function addNetwork(list: BlockList, network: string): void {
  const [address = '', length] = network.split('/');
  if (length === undefined) list.addAddress(address, toIpFamily(address));
  else list.addSubnet(address, Number(length), toIpFamily(address));
}

/** Addresses that are not called, but for the networks that the operator allows. Node asks `check` for each that it connects to. */
export class BlockedAddresses extends BlockList {
  readonly #allowed = new BlockList();

  constructor(allowed: readonly string[]) {
    super();
    for (const network of [...IPV4, ...IPV6]) addNetwork(this, network);
    for (const network of allowed) addNetwork(this.#allowed, network);
  }

  override check(address: string | SocketAddress, family?: IPVersion): boolean {
    if (typeof address !== 'string') return this.check(address.address, address.family);
    return super.check(address, family) && !this.#allowed.check(address, family);
  }
}
