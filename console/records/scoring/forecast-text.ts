import type { CostForecast } from '../../../core/scorers/forecast/cost-forecast.ts';
import { costText, numberText } from '../../kit/formatting.ts';

/** One sentence on what a scorer would cost, and by what. An unknown cost is never a number. */
export function forecastText({ monthly_cost, unknown_because, judged_last_week, models }: CostForecast): string {
  if (monthly_cost === null) return `Cost unknown: ${unknown_because}.`;
  const calls = Math.round(models.reduce((sum, { calls_per_month }) => sum + calls_per_month, 0));
  const tokens = models.every(({ is_measured }) => is_measured) ? 'tokens of earlier calls' : 'tokens estimated from texts';
  const records = numberText(Math.round(judged_last_week));
  return `About ${costText(monthly_cost)} a month: ${numberText(calls)} calls by the ${records} records of the last week, ${tokens}.`;
}
