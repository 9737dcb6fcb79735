import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlaygroundReply } from '../../core/experiments/playground-call.ts';
import type { PlaygroundEvent } from '../../core/experiments/playground-events.ts';
import { send } from '../api/client.ts';
import { readEvents } from '../api/event-stream.ts';
import { useAction } from '../kit/use-action.ts';
import { toRequest, type Variant } from './variant.ts';

export type Result = PlaygroundReply['variants'][number];

/** The text of a variant so far, and its result once it is there. */
export interface Progress {
  readonly text: string;
  readonly result?: Result;
}

/** A run of all variants, followed while it goes on. */
export function useRun(project_id: string) {
  const [progress, setProgress] = useState<ReadonlyMap<string, Progress>>(new Map());
  const stopper = useRef<AbortController>();
  useEffect(() => () => stopper.current?.abort(), []);
  const action = useAction(async (variants: readonly Variant[], values: Readonly<Record<string, string>>) => {
    const body = { variants: variants.map(toRequest), values };
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    const reached = new Map<string, Progress>(variants.map(({ key }) => [key, { text: '' }]));
    setProgress(new Map(reached));
    try {
      const response = await send('POST', `/projects/${project_id}/playground/stream`, { body, signal });
      for await (const events of readEvents(response.body!)) {
        for (const event of events as readonly PlaygroundEvent[]) add(reached, variants, event);
        setProgress(new Map(reached));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
  return { progress, run: action.run, busy: action.busy, error: action.error, stop: () => stopper.current?.abort() };
}

/** Throws an Error when the service ends before the variants have. */
function add(reached: Map<string, Progress>, variants: readonly Variant[], { event, data }: PlaygroundEvent): void {
  if (event === 'interrupted') throw new Error(data.message);
  if (event === 'start' || event === 'end') return;
  const { key } = variants[data.variant]!;
  const text = reached.get(key)?.text ?? '';
  reached.set(key, event === 'delta' ? { text: text + data.text } : { text, result: data });
}
