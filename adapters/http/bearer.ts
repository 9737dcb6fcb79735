import type { RouteInput } from './route.ts';

const MAX_HEADER_CHARS = 8192;
const BEARER = /^bearer +(\S+)$/i;

/** The token of the header, for operations that anybody may call and that do something for its bearer. */
export function parseBearer({ authorization }: RouteInput['headers']): string | undefined {
  if (typeof authorization !== 'string' || authorization.length > MAX_HEADER_CHARS) return undefined;
  return BEARER.exec(authorization)?.[1];
}
