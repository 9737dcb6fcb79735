import { useState } from 'preact/hooks';
import type { CostForecast } from '../../../core/scorers/forecast/cost-forecast.ts';
import { post } from '../../api/client.ts';
import { Failure } from '../../kit/notices.tsx';
import { useAction } from '../../kit/use-action.ts';
import { forecastText } from './forecast-text.ts';
import type { RunPlace } from './settings.ts';

interface CostForecastProps {
  readonly place: RunPlace;
  readonly id: string;
  readonly name: string;
}

/** Cost of a scorer in a month, told before it is enabled. Only when asked for: the scorer is tried on records for it. */
export function CostForecastText({ place: { project_id, log_stream_id }, id, name }: CostForecastProps) {
  const [forecast, setForecast] = useState<CostForecast>();
  const ask = useAction(async () =>
    setForecast(await post<CostForecast>(`/projects/${project_id}/runs/${log_stream_id}/scorer-forecast`, { id })),
  );
  return (
    <div class="small">
      {forecast ? (
        <span role="status">{forecastText(forecast)}</span>
      ) : (
        <button
          type="button"
          class="btn btn-link btn-sm p-0"
          aria-label={`Forecast the cost of ${name}`}
          disabled={ask.busy}
          onClick={() => ask.run()}
        >
          Forecast the cost
        </button>
      )}
      <Failure error={ask.error} />
    </div>
  );
}
