/** The only door for plugins: everything a plugin may import. */
export { z } from 'zod';
export * from './model-provider.ts';
export * from './plugin.ts';
export * from './scorer-kind.ts';
