import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { toHref, useView, type ViewChanges } from '../../kit/location.ts';
import { Show } from '../../kit/notices.tsx';
import { useKeys } from '../../kit/use-keys.ts';
import { type TraceNode, toSteps } from '../../traces/steps/step.ts';
import { stepNamed, TraceParts, useRunOf } from '../../traces/trace-parts.tsx';
import { useLiveTrace } from '../../traces/use-live-trace.ts';
import type { Place } from '../level.ts';
import type { RecordPage } from '../search.ts';
import { CLOSED, toBeside } from './open-record.ts';

interface RecordPanelProps {
  readonly place: Place;
  readonly page: RecordPage;
  /** Of the open trace or span. */
  readonly id: string;
}

/** A trace or span of the list, opened beside it, with keys to the next and the previous one. */
export function RecordPanel({ place, page, id }: RecordPanelProps) {
  const [view, change] = useView();
  const key = `beside the list ${place.project_id} ${place.level} ${id}`;
  const { loaded } = useLiveTrace(key, (signal) => loadTrace(place, id, signal));
  const [next, previous] = [toBeside(page, id, 1), toBeside(page, id, -1)];
  // Back leaves the list, however many records were looked at.
  const go = (changes: ViewChanges | undefined): void => changes && change(changes, 'unnoticed');
  const close = (): void => change(CLOSED);
  useKeys({ j: () => go(next), k: () => go(previous), Escape: close });
  const panel = useFocusBack();
  const named = view.get('open');
  useEffect(() => {
    if (named !== id) change({ open: id }, 'unnoticed');
  }, [named, id, change]);
  return (
    <section ref={panel} class="record-panel" aria-label="Opened record">
      <div class="d-flex gap-2 align-items-center mb-2">
        <div class="btn-group btn-group-sm">
          <StepButton label="Previous" shortcut="k" onPress={previous && (() => go(previous))} />
          <StepButton label="Next" shortcut="j" onPress={next && (() => go(next))} />
        </div>
        {loaded.value && (
          <a class="btn btn-sm btn-outline-secondary" href={toHref(toTracePath(loaded.value, view.get('span')))}>
            Open trace
          </a>
        )}
        <button type="button" class="btn-close ms-auto" aria-label="Close" aria-keyshortcuts="Escape" onClick={close} />
      </div>
      <Show loaded={loaded}>{(trace) => <OpenTrace key={id} trace={trace} id={id} />}</Show>
    </section>
  );
}

function OpenTrace({ trace, id }: { trace: TraceNode; id: string }) {
  const [view, change] = useView();
  const steps = useMemo(() => toSteps(trace), [trace]);
  const selected = stepNamed(steps, view.get('span') ?? id);
  const select = ({ record }: { record: TraceNode }): void => change({ span: record.id }, 'unnoticed');
  return <TraceParts steps={steps} selected={selected} run={useRunOf(trace)} onSelect={select} />;
}

interface StepButtonProps {
  readonly label: string;
  readonly shortcut: string;
  /** Undefined where the list ends. */
  readonly onPress: (() => void) | undefined;
}

const StepButton = ({ label, shortcut, onPress }: StepButtonProps) => (
  <button
    type="button"
    class="btn btn-outline-secondary"
    aria-keyshortcuts={shortcut}
    title={`Key ${shortcut}`}
    disabled={!onPress}
    onClick={onPress}
  >
    {label}
  </button>
);

/** The trace, or that of the span. */
async function loadTrace({ project_id, level }: Place, id: string, signal: AbortSignal): Promise<TraceNode> {
  const project = `/projects/${project_id}`;
  const trace_id = level === 'trace' ? id : (await get<{ trace_id: string }>(`${project}/spans/${id}`, { signal })).trace_id;
  return get<TraceNode>(`${project}/traces/${trace_id}`, { signal });
}

const toTracePath = ({ project_id, id }: TraceNode, span: string | null): string =>
  `/projects/${project_id}/traces/${id}${span && span !== id ? `?span=${span}` : ''}`;

/** Gives the focus back to what had it before the panel came, unless it has gone elsewhere. */
function useFocusBack(): RefObject<HTMLElement> {
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const [before, here] = [document.activeElement, panel.current];
    return () => {
      const now = document.activeElement;
      if (before instanceof HTMLElement && (now === document.body || here?.contains(now))) before.focus();
    };
  }, []);
  return panel;
}
