const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const SUBNET_GROUPS = 4;
const SITE_GROUPS = 3;
const ALL_GROUPS = 8;

/**
 * Returns the network that an address counts as: an IPv4 address, and the /64 of an IPv6 one, because whoever has an
 * IPv6 address usually has all of its /64. Anything else stands for itself.
 */
export function getNetwork(address: string): string {
  const bare = address.split('%', 1)[0]!.toLowerCase();
  const mapped = MAPPED_IPV4.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  return bare.includes(':') ? `${toGroups(bare).slice(0, SUBNET_GROUPS).join(':')}::/64` : bare;
}

/**
 * The /48 of an IPv6 address, which is what one customer is given at most; undefined for others. It holds 65,536 networks: limits
 * by network alone would be no limits.
 */
export function siteOf(address: string): string | undefined {
  const network = getNetwork(address);
  return network.endsWith('/64') ? `${network.split(':').slice(0, SITE_GROUPS).join(':')}::/48` : undefined;
}

/** The eight groups of an IPv6 address without leading zeros, `::` written out. */
function toGroups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = toParts(head);
  const right = tail === undefined ? [] : toParts(tail);
  const gap = tail === undefined ? 0 : Math.max(0, ALL_GROUPS - left.length - right.length);
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((group) => group.replace(/^0+(?=.)/, ''));
}

/** An IPv4 address at the end stands for two groups; which ones is of no matter for the first four. */
const toParts = (text: string): string[] =>
  text === '' ? [] : text.split(':').flatMap((part) => (part.includes('.') ? ['v4', 'v4'] : [part]));
