import { type RequestHandler, Router } from 'express';

type AddRoute = (router: Router) => void;

/**
 * Routers by the beginning and the number of segments of their paths, so that a request is not held against each of hundreds
 * of routes. Each is built when the first request comes for it: compiling the patterns of all took half of every start.
 */
export class RouteTable {
  readonly #waiting = new Map<string, AddRoute[]>();
  readonly #routers = new Map<string, Router>();

  /** Adds what belongs to a path of Express, which must not begin with a parameter. What is added first is tried first. */
  add(path: string, addRoute: AddRoute): void {
    const place = getPlace(path);
    const waiting = this.#waiting.get(place) ?? [];
    this.#waiting.set(place, waiting);
    waiting.push(addRoute);
  }

  readonly handler: RequestHandler = (req, res, next) => {
    const router = this.#find(getPlace(req.path));
    if (router) router(req, res, next);
    else next();
  };

  #find(place: string): Router | undefined {
    const waiting = this.#waiting.get(place);
    if (!waiting) return this.#routers.get(place);
    const router = Router();
    for (const addRoute of waiting) addRoute(router);
    this.#routers.set(place, router);
    this.#waiting.delete(place);
    return router;
  }
}

/** Neither a slash at the end nor the case of letters makes a difference to Express. */
function getPlace(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const head = segments.slice(0, segments[0]?.toLowerCase() === 'v2' ? 2 : 1);
  return [segments.length, ...head].join('/').toLowerCase();
}
