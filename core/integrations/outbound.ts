/** Egress of plugins (SSRF guard): the addresses come from users, so that each is looked at before and while it is called. */
export interface Outbound {
  /**
   * As the global one, but: only addresses that are allowed, which is seen once more when the connection is made; no redirect
   * is followed; a reply ends after some megabyte; no proxy of the environment. Rejects with a PluginError that tells
   * nothing of the network, or with the signal's reason once that is aborted.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Whether an address may be called as far as is known now; its name is looked up. False for what is no address, and
   * for a name that cannot be found.
   */
  allows(url: string): Promise<boolean>;
}
