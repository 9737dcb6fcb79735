import type { BlockList, LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

export interface ConnectorSettings {
  readonly timeoutMs: number;
  readonly lookup: LookupFunction | undefined;
  /** Addresses that no connection is made to; undefined: none is asked about. */
  readonly blockList: BlockList | undefined;
}

/**
 * Connects in two steps, because `tls.connect` does not ask the block list that it is given: only the plain connection below it
 * does, for every address that it tries, so that a name cannot change what it stands for after it was looked at.
 */
export function guardedConnector({ timeoutMs, lookup, blockList }: ConnectorSettings): buildConnector.connector {
  const plain = buildConnector({ timeout: timeoutMs, ...(lookup && { lookup }), ...(blockList && { blockList }) } as object);
  const secure = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port || (protocol === 'https:' ? '443' : '80');
    plain({ hostname, protocol: 'http:', port }, (...[error, socket]) => {
      if (error) callback(error, null);
      else if (protocol === 'https:') secure({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}
