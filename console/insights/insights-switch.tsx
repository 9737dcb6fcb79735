import { useState } from 'preact/hooks';
import type { InsightsSettings } from '../../core/insights/insights-settings.ts';
import { get, patch } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { Failure, Show } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';

interface InsightsSwitchProps {
  /** Of the run. */
  readonly path: string;
  readonly onChanged: () => void;
}

/** Whether the log stream is looked at; the first look comes at once. */
export function InsightsSwitch({ path, onChanged }: InsightsSwitchProps) {
  const settings = useLoaded(`${path} settings`, (signal) => get<InsightsSettings>(`${path}/insights-settings`, { signal }));
  const [wanted, setWanted] = useState<boolean>();
  const change = useAction(async (enabled: boolean) => {
    setWanted(enabled);
    try {
      await patch(`${path}/insights-settings`, { insights: { logstream: { enabled } } });
    } catch (failure) {
      setWanted(undefined);
      throw failure;
    }
    settings.reload();
    onChanged();
  });
  return (
    <Show loaded={settings}>
      {({ insights: { logstream } }) => (
        <>
          <Check
            isSwitch
            class="mb-0"
            label="Enable insights"
            checked={wanted ?? logstream.enabled}
            disabled={change.busy}
            onCheck={(enabled) => void change.run(enabled)}
          />
          {logstream.start_time && (
            <span class="small text-body-secondary">
              since <Time at={logstream.start_time} />
            </span>
          )}
          <Failure error={change.error} />
        </>
      )}
    </Show>
  );
}
