import type { ScorerPreset } from '../../plugin-sdk/index.ts';

/** A scorer that exists from the first start, with the kind that brings it along. */
export interface Preset extends ScorerPreset {
  /** The plugin that runs it. */
  readonly kind: string;
}
