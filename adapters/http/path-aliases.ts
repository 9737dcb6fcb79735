import type { RequestHandler } from 'express';

/**
 * Lets a deployment serve a client that spells a neutral word another way: each aliased path segment is replaced by
 * the specification's word before routing.
 */
export function aliasedPaths(aliases: Readonly<Record<string, string>>): RequestHandler {
  const table = new Map(Object.entries(aliases));
  return (req, _res, next) => {
    if (table.size > 0) {
      const [path = '', query] = req.url.split(/\?(.*)/s);
      const segments = path.split('/').map((segment) => table.get(segment) ?? segment);
      req.url = segments.join('/') + (query === undefined ? '' : `?${query}`);
    }
    next();
  };
}
