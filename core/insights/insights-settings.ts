import { z } from 'zod';

export const InsightsSettings = z
  .object({
    run_id: z.string(),
    insights: z.object({
      logstream: z.object({
        enabled: z.boolean(),
        /** When it was enabled for the first time; null before. */
        start_time: z.string().nullable(),
      }),
    }),
  })
  .meta({ id: 'InsightsSettings' });
export type InsightsSettings = z.output<typeof InsightsSettings>;

/** Changes to the settings. A field that is absent stays as it is. */
export const InsightsSettingsUpdate = z
  .object({ insights: z.object({ logstream: z.object({ enabled: z.boolean().nullish() }).nullish() }).nullish() })
  .meta({ id: 'InsightsSettingsUpdate' });
export type InsightsSettingsUpdate = z.output<typeof InsightsSettingsUpdate>;

export interface StoredInsightsSettings {
  readonly enabled: boolean;
  readonly start_time: string | null;
}

export const NOT_ENABLED: StoredInsightsSettings = { enabled: false, start_time: null };
