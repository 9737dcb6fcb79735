import { BlockList, isIP } from 'node:net';
import { addNetwork, BlockedAddresses, toIpFamily } from './blocked-addresses.ts';

/** Where others than the operator may have a service at a public address, beside the allow-list. */
const OPEN_PORTS = new Set(['', '8443']);

/** How an address may be called: not at all, with a look at what its name stands for, or as it is because the operator says so. */
export type EgressPolicy = 'refused' | 'guarded' | 'trusted';

/** Hosts and networks that the operator allows: `host`, `host:port`, an address, or a network such as `10.1.0.0/16`. */
export class AllowList {
  readonly blocked: BlockedAddresses;
  readonly #hosts: ReadonlySet<string>;
  readonly #networks = new BlockList();

  constructor(entries: readonly string[]) {
    const networks = entries.filter(isNetwork);
    for (const network of networks) addNetwork(this.#networks, network);
    this.blocked = new BlockedAddresses(networks);
    this.#hosts = new Set(entries.filter((entry) => !isNetwork(entry)).map(normal));
  }

  getEgressPolicy(url: URL): EgressPolicy {
    if (url.username !== '' || url.password !== '' || !/^https?:$/.test(url.protocol)) return 'refused';
    const literal = bare(url.hostname);
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    if (this.#hosts.has(normal(url.hostname)) || this.#hosts.has(normal(`${url.hostname}:${port}`))) return 'trusted';
    if (isIP(literal) > 0) {
      if (this.#networks.check(literal, toIpFamily(literal))) return 'guarded';
      if (this.blocked.check(literal, toIpFamily(literal))) return 'refused';
    }
    return url.protocol === 'https:' && OPEN_PORTS.has(url.port) ? 'guarded' : 'refused';
  }
}

/** Whether an entry of the list is a network or a bare address. */
export const isNetwork = (entry: string): boolean => isIP(entry.split('/')[0]!) > 0;

/** As `URL` writes names: in lower case, and here without the dot of a full name. */
const normal = (host: string): string => host.toLowerCase().replace(/\.(?=:|$)/, '');

/** An IPv6 address stands in brackets within a URL. */
export const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
