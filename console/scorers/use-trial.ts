import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job } from '../../core/jobs/job.ts';
import { getEnd, type TrialOutcome, type TrialRun, triedRecords } from './trial.ts';

export interface Trial {
  readonly busy: boolean;
  readonly progress: Job | undefined;
  readonly outcome: TrialOutcome | undefined;
  readonly error: unknown;
  /** Starts anew; what the one before came to is forgotten. */
  run(start: () => Promise<TrialRun>, metric: string, types: readonly string[]): Promise<void>;
}

type State = Pick<Trial, 'busy' | 'progress' | 'outcome' | 'error'>;
const NOTHING: State = { busy: false, progress: undefined, outcome: undefined, error: undefined };

/** A trial under way: started, followed to its end, and read. Leaving the view stops following it, not the trial. */
export function useTrial(): Trial {
  const [state, setState] = useState<State>(NOTHING);
  const following = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => following.current?.abort(), []);

  const run: Trial['run'] = async (start, metric, types) => {
    following.current?.abort();
    const ending = new AbortController();
    following.current = ending;
    const { signal } = ending;
    setState({ ...NOTHING, busy: true });
    try {
      const started = await start();
      const job = await getEnd(started, (progress) => setState({ ...NOTHING, busy: true, progress }), signal);
      const records = await triedRecords(started, metric, types, signal);
      setState({ ...NOTHING, outcome: { run: started, job, records } });
    } catch (error) {
      if (!signal.aborted) setState({ ...NOTHING, error });
    }
  };
  return { ...state, run };
}
