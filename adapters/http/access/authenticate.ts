import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import passport from 'passport';
import { Strategy as BearerStrategy, type VerifyFunctionWithRequest } from 'passport-http-bearer';
import type { AccessService } from '../../../core/access/access-service.ts';
import type { Caller, Origin, Principal } from '../../../core/access/caller.ts';
import { type ApiKeyPurpose, lower } from '../../../core/access/role.ts';
import { AppError } from '../../../core/kernel/errors.ts';

const MAX_CREDENTIAL_CHARS = 8192;
/** The form of access tokens. What has it is never looked up as a key, so that expired tokens do not count as wrong keys. */
const JWT = /^[^.]*\.[^.]*\.[^.]*$/;

/** Settles one strategy: a caller, or undefined when the credentials are refused. */
type Verify = (presented: Presented) => Promise<Principal | undefined>;

/** A header scheme of our own: the strategies published for Basic and key headers cut passwords or read the query. */
class HeaderStrategy extends passport.Strategy {
  override readonly name: string;
  /** Not a `#` name: passport runs objects that inherit from this one, and they do not have those. */
  private readonly verify: Verify;

  constructor(name: string, verify: Verify) {
    super();
    this.name = name;
    this.verify = verify;
  }

  override authenticate(req: Request): void {
    this.verify(presentedIn(req)).then(
      (caller) => (caller ? this.success(caller) : this.fail(401)),
      (error: unknown) => this.error(error),
    );
  }
}

/**
 * Resolves with whom these headers name. Rejects with AppError `unauthenticated`, with `too_many` after many wrong ones, and with `forbidden` for a key that is made for
 * another purpose than what is asked for; most of what there is has none.
 */
export type Authentication = (headers: IncomingHttpHeaders, origin: Origin, purpose?: ApiKeyPurpose) => Promise<Caller>;

/** A request as the strategies read it, whether it came over HTTP or gRPC. */
interface Presented {
  readonly headers: IncomingHttpHeaders;
  readonly origin: Origin;
}

/** Leaves the caller in `res.locals.caller`. Takes keys without a purpose, and those made for this one. */
export function authenticate(authentication: Authentication, purpose?: ApiKeyPurpose): RequestHandler {
  return async (req, res, next) => {
    if (req.query.access_token !== undefined) throw refused('credentials belong in a header, not in the query');
    res.locals.caller = await authentication(req.headers, getOrigin(req, res), purpose);
    next();
  };
}

/**
 * Reads the credentials of a request by API key header, bearer token (an access token or an API key) and HTTP Basic (e-mail address and password, or any name without `@` and an API key). All that are presented MUST be
 * valid and name the same user.
 */
export function authentication(accessService: AccessService, apiKeyHeaders: readonly string[]): Authentication {
  const authenticator = new passport.Passport();
  const keyHeaders = apiKeyHeaders.map((name) => name.toLowerCase());
  /** Clients that have no key send an empty header beside their token: it presents nothing. */
  const getKey = (headers: IncomingHttpHeaders): string | undefined =>
    keyHeaders.map((name) => headers[name]?.toString()).find((value) => value);

  /** An API key that comes as a bearer token is an API key, with its limits and the rate limit of wrong ones. */
  const parseBearer = (token: string, { origin }: Presented): Promise<Principal | undefined> =>
    JWT.test(token) ? accessService.callerByToken(token) : accessService.callerByApiKey(token, origin);

  authenticator.use(
    new HeaderStrategy('api_key', async ({ headers, origin }) => accessService.callerByApiKey(getKey(headers) ?? '', origin)),
  );
  authenticator.use(
    new HeaderStrategy('basic', async ({ headers, origin }) => {
      const pair = basicPair(headers.authorization ?? '');
      if (!pair) return undefined;
      // Clients that know a public and a secret key send both so: the secret one is an API key.
      if (!pair.username.includes('@')) return accessService.callerByApiKey(pair.password, origin);
      return accessService.callerByPassword(pair.username, pair.password, origin);
    }),
  );
  authenticator.use(
    new BearerStrategy<VerifyFunctionWithRequest>({ passReqToCallback: true }, (req, token, done) => {
      parseBearer(token, presentedIn(req)).then(
        (caller) => done(null, caller ?? false),
        (error: unknown) => done(error),
      );
    }),
  );

  const settle = (scheme: string, presented: Presented): Promise<Principal | undefined> =>
    new Promise((resolve, reject) => {
      const handler = authenticator.authenticate(
        scheme,
        { session: false },
        (error: unknown, caller: Principal | false | undefined) => (error ? reject(error) : resolve(caller || undefined)),
      ) as RequestHandler;
      // Strategies read the headers of a request and nothing else; a call over gRPC has no other part of one.
      handler({ ...presented } as unknown as Request, {} as Response, reject);
    });

  return async (headers, origin, purpose) => {
    const schemes = presentedSchemes(headers, getKey(headers) !== undefined);
    if (schemes.length === 0) throw new AppError('unauthenticated', 'credentials_missing', 'credentials are missing');
    const callers = await Promise.all(schemes.map((scheme) => settle(scheme, { headers, origin })));
    const [first] = callers;
    if (!first || callers.some((caller) => caller?.user_id !== first.user_id)) throw refused('credentials are not valid');
    const limited = strictest(callers.filter((caller) => caller !== undefined));
    if (!limited) throw refused('the credentials are made for different projects');
    if (limited.purpose !== null && limited.purpose !== purpose)
      throw new AppError('forbidden', 'key_has_other_purpose', `this API key is made for ${limited.purpose} alone`);
    return { ...limited, origin };
  };
}

const presentedIn = (req: Request): Presented => req as unknown as Presented;

/** Of several good credentials of one user, the limits of each hold. Undefined when together they allow nothing. */
function strictest(callers: readonly Principal[]): Principal | undefined {
  const projects = new Set(callers.map(({ project_id }) => project_id).filter((id) => id !== null));
  if (projects.size > 1) return undefined;
  const roles = callers.map(({ max_role }) => max_role).filter((role) => role !== null);
  const [project_id = null] = projects;
  const max_role = roles.length > 0 ? roles.reduce(lower) : null;
  const api_key_id = callers.find((caller) => caller.api_key_id !== null)?.api_key_id ?? null;
  const purpose = callers.find((caller) => caller.purpose !== null)?.purpose ?? null;
  return { ...callers[0]!, api_key_id, project_id, max_role, purpose };
}

/** Where a request came from. The address is what `trust proxy` lets Express believe. */
export const getOrigin = (req: Request, res: Response): Origin => ({
  request_id: String(res.locals.requestId),
  address: req.ip ?? 'unknown',
});

function presentedSchemes({ authorization }: IncomingHttpHeaders, hasKey: boolean): string[] {
  const schemes = hasKey ? ['api_key'] : [];
  if (authorization === undefined || authorization === '') return schemes;
  if (authorization.length > MAX_CREDENTIAL_CHARS) throw refused('the authorization header is too long');
  if (/^bearer +\S+$/i.test(authorization)) return [...schemes, 'bearer'];
  if (/^basic +\S+$/i.test(authorization)) return [...schemes, 'basic'];
  throw refused('the authorization scheme is neither Bearer nor Basic');
}

/** RFC 7617: only the first colon parts user name and password. */
function basicPair(header: string): { username: string; password: string } | undefined {
  const decoded = Buffer.from(header.slice('basic'.length).trim(), 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

const refused = (why: string): AppError => new AppError('unauthenticated', 'credentials_refused', why);
