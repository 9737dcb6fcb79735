import type { ScorerEnabling } from '../core/experiments/scorer-enabling.ts';
import type { MetricSettingsService } from '../core/scorers/settings/metric-settings-service.ts';

/** Experiments enable scorers as a caller does by the metric settings. */
export const makeScorerEnabling =
  ({ metricSettingsService }: { metricSettingsService: MetricSettingsService }): ScorerEnabling =>
  async (caller, run, scorers) => {
    await metricSettingsService.update(caller, { ...run, kinds: ['experiment'] }, { scorers: [...scorers] });
  };
