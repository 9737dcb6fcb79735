import type { MetricSettingsUpdate, MetricSettingsView } from '../../../core/scorers/settings/metric-settings.ts';

/** The log stream that is set up. */
export interface RunPlace {
  readonly project_id: string;
  readonly log_stream_id: string;
}

/** One scorer that is enabled. */
export type Entry = MetricSettingsView['scorers'][number];

export type SettingsChange = Partial<Record<keyof MetricSettingsUpdate, readonly object[]>>;

/** Changes the settings as they are now, not as they were when the page was opened. */
export type ChangeSettings = (change: (now: MetricSettingsView) => SettingsChange) => Promise<void>;
