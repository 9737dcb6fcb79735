import { request as requestOverHttp } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import {
  type CodeFlow,
  defineIdentityProvider,
  type Identity,
  type IdentityProvider,
  PluginError,
  type PluginHost,
  z,
} from '../../core/plugin-sdk/index.ts';
import { type IdentityProviderCase, SAMPLE_SIGN_IN } from '../../plugin-kit/identity-provider/identity-checks.ts';
import { sampleIdentity } from '../../plugin-kit/templates/identity_provider/index.ts';
import { sampleIdentityKit } from '../../plugin-kit/templates/identity_provider/kit.ts';
import { openidConnect } from '../../plugins/identity-providers/openid_connect/index.ts';
import { openidConnectKit } from '../../plugins/identity-providers/openid_connect/kit.ts';
import type { PlantedFault } from './planted-provider.ts';

export type IdentityCase = IdentityProviderCase<z.ZodType>;
type Settings = z.output<typeof sampleIdentity.settings>;
type Head = Partial<Parameters<typeof defineIdentityProvider<typeof sampleIdentity.settings>>[0]>;
type Reply = Readonly<Record<string, unknown>>;
interface Call {
  readonly credential: string;
  readonly signal: AbortSignal;
  readonly host: PluginHost;
  readonly settings: Settings;
}
type Identifying = (identify: IdentityProvider['identify'], call: Call) => Promise<Identity | undefined>;

const HEAD = 'has a well-formed head and is frozen';
const KNOWS = 'knows who a good credential is of';
const ISSUER = 'says whose word it takes, and takes no other';
const EMAIL = 'says that an address is verified only where the issuer does';
const SAME = 'calls a person the same each time, and another one otherwise';
const NO_CREDENTIAL = 'refuses what is no credential';
const AFTER_GOOD = 'remembers no credential for good that it knew before';
const AT_503 = 'says that it cannot tell now at status 503, and repeats nothing';
const OTHER_REPLY = 'takes no other reply for a word on anybody';
const REDIRECT = 'follows no redirect';
const ENDLESS = 'reads no reply without end';
const UNREACHABLE = 'says that the upstream service cannot be reached, without repeating why';
const ABORT = 'ends with the reason of an abort';
const TWO_PROVIDERS = 'keeps two providers apart';
const TWO_CALLS = 'keeps two calls apart';
const UNCHANGED = 'changes nothing that it is given';
const BY_HOST = 'asks only through the host';
const PROCESS = 'leaves the process as it was';
const LOG = 'logs neither secret nor credential';
const refuses = (what: string): string => `refuses a credential that is ${what}`;

const asCase = (given: unknown): IdentityCase => given as IdentityCase;
const withHead = (head: Head): IdentityCase =>
  asCase({ ...sampleIdentityKit, plugin: defineIdentityProvider({ ...sampleIdentity, ...head }) });

/** The sample, which identifies people otherwise. */
const withIdentify = (identifying: Identifying): IdentityCase =>
  withHead({
    create: (host, settings) => {
      const made = sampleIdentity.create(host, settings);
      return { identify: (credential, signal) => identifying(made.identify, { credential, signal, host, settings }) };
    },
  });

const toIdentity = (found: Reply): Identity => ({
  issuer: String(found.iss),
  subject: String(found.sub),
  email: (found.email as string | undefined) ?? null,
  email_verified: found.email_verified === true,
  first_name: (found.given_name as string | undefined) ?? null,
  last_name: (found.family_name as string | undefined) ?? null,
  expires_at: new Date(Number(found.exp) * 1000).toISOString(),
});

const isGood = (found: Reply, { host, settings: { endpoint, client_id } }: Call): boolean => {
  const now = host.clock().getTime() / 1000;
  const isOurs = found.active === true && found.iss === endpoint && found.aud === client_id && typeof found.sub === 'string';
  const isAccess = found.token_type !== 'refresh_token';
  return isOurs && isAccess && Number(found.exp) > now && Number(found.nbf ?? 0) <= now;
};

async function look({ credential, signal, host, settings }: Call, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${settings.token}` };
  const body = new URLSearchParams({ token: credential });
  const whole = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
  return host.fetch(`${settings.endpoint}/introspect`, { ...whole, ...init });
}

interface ByHand {
  readonly ask?: (call: Call) => Promise<Response>;
  readonly read?: (reply: Response, call: Call) => Promise<Reply>;
  readonly isGood?: (found: Reply, call: Call) => boolean;
  readonly failure?: (error: unknown, call: Call) => unknown;
}

/** The sample without the client of the SDK, as an author writes it who uses `fetch` alone. */
const byHand = (parts: ByHand = {}): IdentityCase =>
  withIdentify(async (_identify, call) => {
    call.signal.throwIfAborted();
    try {
      const reply = await (parts.ask ?? look)(call);
      const found = await (parts.read ?? readBounded)(reply, call);
      return (parts.isGood ?? isGood)(found, call) ? toIdentity(found) : undefined;
    } catch (error) {
      throw (parts.failure ?? toFailure)(error, call);
    }
  });

function toFailure(error: unknown, { signal }: Call): unknown {
  signal.throwIfAborted();
  return error instanceof PluginError ? error : new PluginError('unavailable', 'could not be reached');
}

async function readBounded(reply: Response): Promise<Reply> {
  if (!reply.ok) {
    await reply.body?.cancel();
    throw new PluginError('unavailable', 'it does not tell', { status: reply.status });
  }
  let text = '';
  for await (const chunk of reply.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.length > 100_000) throw new PluginError('bad_reply', 'too long');
  }
  try {
    return Object(JSON.parse(text)) as Reply;
  } catch {
    throw new PluginError('bad_reply', 'not JSON');
  }
}

/** OpenID Connect, with another way to identify. */
const withTokens = (identify: (token: string, identify: IdentityProvider['identify'], signal: AbortSignal) => Promise<unknown>) =>
  asCase({
    ...openidConnectKit,
    plugin: defineIdentityProvider({
      ...openidConnect,
      create: (host, settings) => {
        const made = openidConnect.create(host, settings);
        return { ...made, identify: (token, signal) => identify(token, made.identify, signal) as Promise<Identity | undefined> };
      },
    }),
  });

function readUnchecked(token: string): Identity | undefined {
  try {
    const found = decodeJwt(token);
    return found.iss === openidConnectKit.settings.issuer && found.sub !== undefined ? toIdentity(found) : undefined;
  } catch {
    return undefined;
  }
}

/** The sample by hand is whole: what is planted in it alone is found. */
export const wholeProviders: readonly IdentityCase[] = [asCase(sampleIdentityKit), asCase(openidConnectKit), byHand()];

const unless =
  (name: string) =>
  (found: Reply, call: Call): boolean =>
    isGood({ ...found, ...PERFECT[name] }, call);

/** Facts that make a reply good in one respect, whatever it says of that. */
const PERFECT: Readonly<Record<string, Reply>> = {
  exp: { exp: Number.MAX_SAFE_INTEGER },
  nbf: { nbf: 0 },
  aud: { aud: sampleIdentityKit.settings.client_id },
  iss: { iss: sampleIdentityKit.settings.endpoint },
  sub: { sub: 'undefined' },
  token_type: { token_type: undefined },
};

const credentials: readonly PlantedFault<IdentityCase>[] = [
  { what: 'takes expired tokens', found: refuses('expired'), make: () => byHand({ isGood: unless('exp') }) },
  { what: 'takes tokens before their time', found: refuses('not yet good'), make: () => byHand({ isGood: unless('nbf') }) },
  { what: 'takes tokens made for others', found: refuses('of another audience'), make: () => byHand({ isGood: unless('aud') }) },
  { what: 'takes tokens of any issuer', found: refuses('of another issuer'), make: () => byHand({ isGood: unless('iss') }) },
  { what: 'takes tokens of nobody', found: refuses('without subject'), make: () => byHand({ isGood: unless('sub') }) },
  { what: 'takes refresh tokens', found: refuses('of another kind'), make: () => byHand({ isGood: unless('token_type') }) },
  {
    what: 'believes a token that nobody has signed',
    found: refuses('unsigned'),
    make: () =>
      withTokens(async (token, identify, signal) => (token.endsWith('.') ? readUnchecked(token) : identify(token, signal))),
  },
  {
    what: 'looks at no signature',
    found: refuses('changed'),
    make: () => withTokens(async (token) => readUnchecked(token)),
  },
  {
    what: 'takes the signature of any key',
    found: refuses('of another key'),
    make: () => withTokens(async (token, identify, signal) => (await identify(token, signal)) ?? readUnchecked(token)),
  },
  {
    what: 'knows a token again by its first letters',
    found: AFTER_GOOD,
    make: () => {
      const known = new Map<string, Identity>();
      return withIdentify(async (identify, { credential, signal }) => {
        const start = credential.slice(0, 10);
        const identity = known.get(start) ?? (await identify(credential, signal));
        if (identity) known.set(start, identity);
        return identity;
      });
    },
  },
  {
    what: 'breaks on what is no token',
    found: NO_CREDENTIAL,
    make: () =>
      withTokens(async (token, identify, signal) => (token.split('.')[1]!.length > 3 ? identify(token, signal) : undefined)),
  },
  {
    what: 'takes an empty credential for the last one',
    found: NO_CREDENTIAL,
    make: () => {
      const { good } = { good: 'token-that-is-good' };
      return withIdentify((identify, { credential, signal }) => identify(credential === '' ? good : credential, signal));
    },
  },
  {
    what: 'takes every address for verified',
    found: EMAIL,
    make: () =>
      withIdentify(async (identify, { credential, signal }) => {
        const identity = await identify(credential, signal);
        return identity && { ...identity, email_verified: true };
      }),
  },
  {
    what: 'calls people by their address',
    found: KNOWS,
    make: () =>
      withIdentify(async (identify, { credential, signal }) => {
        const identity = await identify(credential, signal);
        return identity && { ...identity, subject: identity.email ?? '' };
      }),
  },
  {
    what: 'calls a person anew at each login',
    found: SAME,
    make: () => {
      let logins = 0;
      return withIdentify(async (identify, { credential, signal }) => {
        const identity = await identify(credential, signal);
        logins += 1;
        return identity && { ...identity, subject: `${identity.subject}-${logins}` };
      });
    },
  },
  {
    what: 'calls two people the same',
    found: SAME,
    make: () =>
      withIdentify(async (identify, { credential, signal }) => {
        const identity = await identify(credential, signal);
        return identity && { ...identity, subject: 'somebody' };
      }),
  },
  {
    what: 'gives fields of its own',
    found: KNOWS,
    make: () =>
      withIdentify(async (identify, { credential, signal }) => {
        const identity = await identify(credential, signal);
        return identity && ({ ...identity, groups: ['admins'] } as Identity);
      }),
  },
  { what: 'names an issuer that its tokens are not of', found: ISSUER, make: () => withHead({ issuers: () => ['acme'] }) },
];

const failures: readonly PlantedFault<IdentityCase>[] = [
  {
    what: 'says that nobody is known while the upstream service is away',
    found: AT_503,
    make: () => withIdentify((identify, { credential, signal }) => identify(credential, signal).catch(() => undefined)),
  },
  {
    what: 'says for good what may pass',
    found: AT_503,
    make: () => byHand({ failure: () => new PluginError('credentials_rejected', 'no') }),
  },
  { what: 'throws an Error that is none of the SDK', found: AT_503, make: () => byHand({ failure: () => new Error('no') }) },
  {
    what: 'repeats the reply of the upstream service',
    found: AT_503,
    make: () =>
      byHand({
        read: async (reply) => {
          const text = await reply.text();
          if (!reply.ok) throw new PluginError('unavailable', text);
          return JSON.parse(text) as Reply;
        },
      }),
  },
  {
    what: 'shows its key in base64 where it cannot ask',
    found: UNREACHABLE,
    make: () =>
      byHand({
        failure: (_error, { settings }) => new PluginError('unavailable', Buffer.from(settings.token).toString('base64')),
      }),
  },
  {
    what: 'shows the credential in the cause of an error',
    found: UNREACHABLE,
    make: () => byHand({ failure: (_error, { credential }) => new PluginError('unavailable', 'no', { cause: { credential } }) }),
  },
  {
    what: 'takes any reply for a yes',
    found: OTHER_REPLY,
    make: () => byHand({ isGood: () => true, read: async (reply) => ({ ...(await readBounded(reply)), exp: 2_000_000_000 }) }),
  },
  {
    what: 'follows redirects',
    found: REDIRECT,
    make: () => byHand({ read: async (reply, call) => readBounded(await following(reply, call)) }),
  },
  {
    what: 'reads replies to their end',
    found: ENDLESS,
    make: () => byHand({ read: async (reply) => JSON.parse(await endOf(reply)) as Reply }),
  },
  {
    what: 'hands on no signal, and so has no deadline',
    found: ABORT,
    make: () => byHand({ ask: (call) => look(call, { signal: null }) }),
  },
  {
    what: 'ends an abort by an error of its own',
    found: ABORT,
    make: () => byHand({ failure: () => new PluginError('unavailable', 'no') }),
  },
];

async function following(reply: Response, { host, signal }: Call): Promise<Response> {
  const location = reply.headers.get('location');
  return location === null ? reply : host.fetch(location, { method: 'POST', signal });
}

/** As `text()`, which breaks at 512 MB only: a limit of time ends the check. */
async function endOf(reply: Response): Promise<string> {
  let size = 0;
  for await (const chunk of reply.body ?? []) size += chunk.length;
  return String(size);
}

let lastSettings: Settings | undefined;
let lastCredential = '';

const states: readonly PlantedFault<IdentityCase>[] = [
  {
    what: 'goes by the settings that were given last',
    found: TWO_PROVIDERS,
    make: () =>
      withHead({
        create: (host, settings) => {
          lastSettings = settings;
          return { identify: (...call) => sampleIdentity.create(host, lastSettings ?? settings).identify(...call) };
        },
      }),
  },
  {
    what: 'shares what it knows among providers',
    found: TWO_PROVIDERS,
    make: () => {
      const known = new Map<string, Identity>();
      return withIdentify(async (identify, { credential, signal }) => {
        const identity = known.get(credential) ?? (await identify(credential, signal));
        if (identity) known.set(credential, identity);
        return identity;
      });
    },
  },
  {
    what: 'keeps the credential in a variable between two steps',
    found: TWO_CALLS,
    make: () =>
      withIdentify(async (identify, { credential, signal }) => {
        lastCredential = credential;
        await sleep(5);
        return identify(lastCredential, signal);
      }),
  },
  {
    what: 'changes its settings',
    found: UNCHANGED,
    make: () =>
      withIdentify((identify, { credential, signal, settings }) => {
        (settings as { client_id: string }).client_id += ' ';
        return identify(credential, signal);
      }),
  },
  {
    what: 'asks past the host',
    found: BY_HOST,
    make: () =>
      withIdentify(async (identify, { credential, signal }) => {
        requestOverHttp('http://127.0.0.1:9/')
          .on('error', () => {})
          .end();
        await sleep(1);
        return identify(credential, signal);
      }),
  },
  {
    what: 'asks when it is created',
    found: 'does nothing when it is created',
    make: () =>
      withHead({
        create: (host, settings) => {
          void host.fetch(settings.endpoint).catch(() => {});
          return sampleIdentity.create(host, settings);
        },
      }),
  },
  {
    what: 'prints and changes the environment',
    found: PROCESS,
    make: () =>
      withIdentify((identify, { credential, signal }) => {
        process.env.LAST_PERSON = credential;
        // biome-ignore lint/suspicious/noConsole: this is the fault.
        console.log(credential);
        return identify(credential, signal);
      }),
  },
  {
    what: 'notes its key in the log',
    found: LOG,
    make: () =>
      withIdentify((identify, { credential, signal, host, settings }) => {
        host.log(`asking by ${settings.token}`);
        return identify(credential, signal);
      }),
  },
  {
    what: 'notes bad credentials in the log',
    found: LOG,
    make: () =>
      withIdentify(async (identify, { credential, signal, host }) => {
        const identity = await identify(credential, signal);
        if (!identity) host.log('refused', { credential });
        return identity;
      }),
  },
];

const heads: readonly PlantedFault<IdentityCase>[] = [
  { what: 'has no label', found: HEAD, make: () => withHead({ label: ' ' }) },
  { what: 'is named as a password is', found: HEAD, make: () => withHead({ names: ['email'] }) },
  { what: 'is not frozen', found: HEAD, make: () => asCase({ ...sampleIdentityKit, plugin: { ...sampleIdentity } }) },
  {
    what: 'leads browsers elsewhere than its case says',
    found: 'says where browsers sign in',
    make: () => asCase({ ...openidConnectKit, signIn: { ...openidConnectKit.signIn, client_id: 'another' } }),
  },
  {
    what: 'shows a way less in which tokens are bad than there are',
    found: 'shows every way in which a credential is bad',
    make: () => asCase({ ...sampleIdentityKit, lacks: [] }),
  },
  {
    what: 'does not mark its key as a secret',
    found: 'has settings that print as JSON Schema, with a secret and a meaning for every field',
    make: () => withHead({ settings: sampleIdentity.settings.extend({ token: z.string().describe('A key.') }) }),
  },
];

const AUTHORIZE = 'sends browsers to sign in with state, nonce and challenge, and with no secret';
const REDEEM = 'redeems a code by the verifier of its sign-in, and puts neither into a URL';
const OTHER_CODE = 'takes no code of another sign-in';

/** OpenID Connect, with a code flow that differs. */
const withFlow = (differs: (flow: CodeFlow, host: PluginHost) => Partial<CodeFlow>): IdentityCase =>
  asCase({
    ...openidConnectKit,
    plugin: defineIdentityProvider({
      ...openidConnect,
      create: (host, settings) => {
        const made = openidConnect.create(host, settings);
        const { codeFlow } = made;
        return { ...made, ...(codeFlow && { codeFlow: { ...codeFlow, ...differs(codeFlow, host) } }) };
      },
    }),
  });

const without = (name: string): IdentityCase =>
  withFlow(({ authorize }) => ({
    authorize: async (asked, signal) => {
      const url = new URL((await authorize(asked, signal)) ?? '');
      url.searchParams.delete(name);
      return url.href;
    },
  }));

const flows: readonly PlantedFault<IdentityCase>[] = [
  { what: 'sends browsers without a state', found: AUTHORIZE, make: () => without('state') },
  { what: 'sends browsers without a nonce', found: AUTHORIZE, make: () => without('nonce') },
  { what: 'sends browsers without a challenge', found: AUTHORIZE, make: () => without('code_challenge') },
  {
    what: 'puts its secret into the URL of the browser',
    found: AUTHORIZE,
    make: () =>
      withFlow(({ authorize }) => ({
        authorize: async (asked, signal) =>
          `${await authorize(asked, signal)}&client_secret=${openidConnectKit.settings.client_secret}`,
      })),
  },
  {
    what: 'forgets the verifier',
    found: REDEEM,
    make: () => withFlow(({ redeem }) => ({ redeem: (back, signal) => redeem({ ...back, code_verifier: '' }, signal) })),
  },
  {
    what: 'compares no nonce',
    found: OTHER_CODE,
    make: () =>
      withFlow(({ redeem }) => ({
        redeem: (back, signal) => redeem({ ...back, nonce: SAMPLE_SIGN_IN.nonce }, signal),
      })),
  },
  {
    what: 'redeems a code again when the upstream service is away',
    found: 'says that it cannot redeem a code now, and repeats nothing',
    make: () => withFlow(({ redeem }) => ({ redeem: (back, signal) => redeem(back, signal).catch(() => redeem(back, signal)) })),
  },
  {
    what: 'redeems codes without a deadline',
    found: 'ends a code that is being redeemed with the reason of an abort',
    make: () => withFlow(({ redeem }) => ({ redeem: (back) => redeem(back, new AbortController().signal) })),
  },
  {
    what: 'has a code flow that its case is silent about',
    found: 'has a case for its code flow, or none',
    make: () => asCase({ ...openidConnectKit, codes: undefined }),
  },
];

export const identityFaults: readonly PlantedFault<IdentityCase>[] = [...credentials, ...failures, ...states, ...heads, ...flows];
