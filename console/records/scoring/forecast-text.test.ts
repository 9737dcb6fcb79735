import { describe, expect, it } from 'vitest';
import type { CostForecast } from '../../../core/scorers/forecast/cost-forecast.ts';
import { forecastText } from './forecast-text.ts';

const model = {
  ...{ model_alias: 'judge', provider: 'openai', model: 'gpt-5', calls_per_month: 1200.4 },
  ...{ input_tokens_per_call: 100, output_tokens_per_call: 10, cost_per_call: 0.01, is_measured: true, is_forbidden: false },
};
const known: CostForecast = {
  ...{ monthly_cost: 12, unknown_because: null, records_last_week: 300, judged_last_week: 280.1, models: [model] },
};

describe('the forecast in the console', () => {
  it('says the cost, and by what', () => {
    expect(forecastText(known)).toBe(
      'About $12.00 a month: 1,200 calls by the 280 records of the last week, tokens of earlier calls.',
    );
    const estimated = { ...known, models: [model, { ...model, is_measured: false }] };
    expect(forecastText(estimated)).toContain('2,401 calls by the 280 records of the last week, tokens estimated from texts.');
  });

  it('says that a cost is unknown, and why, with no number', () => {
    const unknown = { ...known, monthly_cost: null, unknown_because: 'the price of the model "m" is not known' };
    expect(forecastText(unknown)).toBe('Cost unknown: the price of the model "m" is not known.');
  });
});
