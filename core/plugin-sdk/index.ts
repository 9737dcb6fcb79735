/** The only door for plugins: everything a plugin may import. */
export { z } from 'zod';
export * from './far-side.ts';
export * from './model-provider.ts';
export * from './oauth2.ts';
export * from './plugin.ts';
export * from './scorer-kind.ts';
export * from './settings.ts';
