import type { MetricSettings } from './metric-settings.ts';

/** Metric settings of runs. */
export interface MetricSettingsStore {
  /** Undefined for an unknown run; a run without settings has empty ones. */
  find(project_id: string, run_id: string): Promise<MetricSettings | undefined>;
  /**
   * Replaces the settings by what `change` makes of them and raises the run's `settings_revision`. `now` is the
   * database's clock, read after ingest under the old revision has ended. Undefined for an unknown run.
   */
  replace(
    project_id: string,
    run_id: string,
    change: (settings: MetricSettings, now: string) => MetricSettings,
  ): Promise<MetricSettings | undefined>;
}
