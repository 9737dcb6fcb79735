import { Socket } from 'node:net';

/** Canary in the environment while the kit runs. */
export const ELSEWHERE = 'environment-canary';
/** Where vendors' packages look for what they were not given. */
const ENVIRONMENT = [
  ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'MISTRAL_API_KEY'],
  ...['AZURE_API_KEY', 'AZURE_RESOURCE_NAME', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_VERTEX_API_KEY', 'AWS_REGION'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_ENDPOINT_URL'],
];

/** The kit's own servers, those of checks before too: connections that were kept open to them are made anew now and then. */
const own = new Set<string>();

export interface WaysPast {
  /** The attempts to reach the network without the host: URLs, or host and port. */
  readonly attempts: string[];
  reopen(): void;
}

/**
 * Closes the ways past the host until `reopen`: the global `fetch`, and every socket but those to `allowedPort` on loopback.
 * Puts a canary into the variables of the environment that vendors' packages read. An attempt fails, and is noted.
 */
export function closeWaysPast(id: string, allowedPort?: number): WaysPast {
  const attempts: string[] = [];
  if (allowedPort !== undefined) own.add(`127.0.0.1:${allowedPort}`);
  const { fetch } = globalThis;
  const { connect } = Socket.prototype;
  const before = ENVIRONMENT.map((name) => [name, process.env[name]] as const);
  globalThis.fetch = (input) => {
    attempts.push(input instanceof Request ? input.url : String(input));
    return Promise.reject(new Error(`${id} went past the host's fetch`));
  };
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const target = targetOf(given);
    if (own.has(target)) return Reflect.apply(connect, this, given);
    attempts.push(target);
    return this.destroy(new Error(`${id} went past the host's fetch`));
  };
  for (const name of ENVIRONMENT) process.env[name] = name.endsWith('URL') ? `https://${ELSEWHERE}.test` : ELSEWHERE;
  return {
    attempts,
    reopen() {
      globalThis.fetch = fetch;
      Socket.prototype.connect = connect;
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

/** Node hands the arguments on as they came, or as a list of options and callback. */
function targetOf([first, second]: readonly unknown[]): string {
  const [options] = Array.isArray(first) ? first : [first];
  if (typeof options !== 'object' || options === null) return `${typeof second === 'string' ? second : 'localhost'}:${options}`;
  const { host = 'localhost', port, path } = options as { host?: string; port?: number | string; path?: string };
  return port === undefined && path !== undefined ? path : `${host}:${port}`;
}
