import { resolve } from 'node:path';

/** Where Node keeps what it compiled for tests, see `vitest.config.ts`. */
export const COMPILE_CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/touchstone-tests');

/** Environment of processes that tests start, without our own: where programs are, and where Node keeps what it compiled. */
export const bareEnvironment = (): { readonly PATH: string; readonly NODE_COMPILE_CACHE: string } => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
};
