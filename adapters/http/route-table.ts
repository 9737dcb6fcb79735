import { type RequestHandler, Router } from 'express';

/** Routers by the number of segments in their paths, so that a request is not held against each of hundreds of routes. */
export class RouteTable {
  readonly #routers = new Map<number, Router>();

  /** Where a path of Express belongs. */
  of(path: string): Router {
    const known = this.#routers.get(segmentsIn(path)) ?? Router();
    this.#routers.set(segmentsIn(path), known);
    return known;
  }

  readonly handler: RequestHandler = (req, res, next) => {
    const router = this.#routers.get(segmentsIn(req.path));
    if (router) router(req, res, next);
    else next();
  };
}

/** A slash at the end makes no difference to Express. */
const segmentsIn = (path: string): number => path.split('/').filter((segment) => segment !== '').length;
