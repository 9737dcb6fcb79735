import type { Request, RequestHandler, Response } from 'express';
import passport from 'passport';
import { Strategy as BearerStrategy, type VerifyFunctionWithRequest } from 'passport-http-bearer';
import type { AccessService } from '../../../core/access/access-service.ts';
import type { Origin, Principal } from '../../../core/access/caller.ts';
import { lower } from '../../../core/access/role.ts';
import { AppError } from '../../../core/kernel/errors.ts';

const MAX_CREDENTIAL_CHARS = 8192;
/** The form of access tokens. What has it is never looked up as a key, so that expired tokens do not count as wrong keys. */
const JWT = /^[^.]*\.[^.]*\.[^.]*$/;

/** Settles one strategy: a caller, or undefined when the credentials are refused. */
type Verify = (req: Request) => Promise<Principal | undefined>;

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
    this.verify(req).then(
      (caller) => (caller ? this.success(caller) : this.fail(401)),
      (error: unknown) => this.error(error),
    );
  }
}

/**
 * Reads the credentials of a request by API key header, bearer token (an access token or an API key) and HTTP Basic (e-mail address and password, or any name without `@` and an API key). All that are presented MUST be
 * valid and name the same user. The caller is left in `res.locals.caller`.
 */
export function authenticate(accessService: AccessService, apiKeyHeaders: readonly string[]): RequestHandler {
  const authenticator = new passport.Passport();
  /** Clients that have no key send an empty header beside their token: it presents nothing. */
  const getKey = (req: Request): string | undefined => apiKeyHeaders.map((name) => req.get(name)).find((value) => value);

  /** An API key that comes as a bearer token is an API key, with its limits and the rate limit of wrong ones. */
  const parseBearer = (token: string, req: Request): Promise<Principal | undefined> =>
    JWT.test(token) ? accessService.callerByToken(token) : accessService.callerByApiKey(token, getOrigin(req, req.res!));

  authenticator.use(
    new HeaderStrategy('api_key', async (req) => accessService.callerByApiKey(getKey(req) ?? '', getOrigin(req, req.res!))),
  );
  authenticator.use(
    new HeaderStrategy('basic', async (req) => {
      const pair = basicPair(req.get('authorization') ?? '');
      if (!pair) return undefined;
      const origin = getOrigin(req, req.res!);
      // Clients that know a public and a secret key send both so: the secret one is an API key.
      if (!pair.username.includes('@')) return accessService.callerByApiKey(pair.password, origin);
      return accessService.callerByPassword(pair.username, pair.password, origin);
    }),
  );
  authenticator.use(
    new BearerStrategy<VerifyFunctionWithRequest>({ passReqToCallback: true }, (req, token, done) => {
      parseBearer(token, req).then(
        (caller) => done(null, caller ?? false),
        (error: unknown) => done(error),
      );
    }),
  );

  const settle = (scheme: string, req: Request): Promise<Principal | undefined> =>
    new Promise((resolve, reject) => {
      const handler = authenticator.authenticate(
        scheme,
        { session: false },
        (error: unknown, caller: Principal | false | undefined) => (error ? reject(error) : resolve(caller || undefined)),
      ) as RequestHandler;
      handler(req, req.res!, reject);
    });

  return async (req, res, next) => {
    if (req.query.access_token !== undefined) throw refused('credentials belong in a header, not in the query');
    const schemes = presentedSchemes(req, getKey(req) !== undefined);
    if (schemes.length === 0) throw new AppError('unauthenticated', 'credentials_missing', 'credentials are missing');
    const callers = await Promise.all(schemes.map((scheme) => settle(scheme, req)));
    const [first] = callers;
    if (!first || callers.some((caller) => caller?.user_id !== first.user_id)) throw refused('credentials are not valid');
    const limited = strictest(callers.filter((caller) => caller !== undefined));
    if (!limited) throw refused('the credentials are made for different projects');
    res.locals.caller = { ...limited, origin: getOrigin(req, res) };
    next();
  };
}

/** Of several good credentials of one user, the limits of each hold. Undefined when together they allow nothing. */
function strictest(callers: readonly Principal[]): Principal | undefined {
  const projects = new Set(callers.map(({ project_id }) => project_id).filter((id) => id !== null));
  if (projects.size > 1) return undefined;
  const roles = callers.map(({ max_role }) => max_role).filter((role) => role !== null);
  const [project_id = null] = projects;
  const max_role = roles.length > 0 ? roles.reduce(lower) : null;
  const api_key_id = callers.find((caller) => caller.api_key_id !== null)?.api_key_id ?? null;
  return { ...callers[0]!, api_key_id, project_id, max_role };
}

/** Where a request came from. The address is what `trust proxy` lets Express believe. */
export const getOrigin = (req: Request, res: Response): Origin => ({
  request_id: String(res.locals.requestId),
  address: req.ip ?? 'unknown',
});

function presentedSchemes(req: Request, hasKey: boolean): string[] {
  const schemes = hasKey ? ['api_key'] : [];
  const authorization = req.get('authorization');
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
