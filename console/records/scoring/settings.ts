import type { MetricSettingsUpdate, MetricSettingsView } from '../../../core/scorers/settings/metric-settings.ts';

/** One scorer that is enabled. */
export type Entry = MetricSettingsView['scorers'][number];

export type SettingsChange = Partial<Record<keyof MetricSettingsUpdate, readonly object[]>>;

/** Changes the settings as they are now, not as they were when the page was opened. */
export type ChangeSettings = (change: (now: MetricSettingsView) => SettingsChange) => Promise<void>;
