/** The only door for plugins: everything a plugin may import. */
export { z } from 'zod';
export * from './http-client.ts';
export * from './input-type.ts';
export * from './model-price.ts';
export * from './model-provider.ts';
export * from './notification-channel.ts';
export * from './oauth2.ts';
export * from './output-type.ts';
export * from './plugin.ts';
export type { ScoreRole } from './score-role.ts';
export { labelKey } from './score-text.ts';
export * from './score-value.ts';
export type * from './scorer-autogen.ts';
export * from './scorer-kind.ts';
export type { ScorerPreset } from './scorer-preset.ts';
export type * from './scorer-view.ts';
export * from './settings.ts';
export { asPresetName } from './vocabulary.ts';
