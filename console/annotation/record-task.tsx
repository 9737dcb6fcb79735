import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AnnotationTemplate } from '../../core/ratings/annotation-template.ts';
import { post } from '../api/client.ts';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { toHref } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { PayloadView } from '../traces/payload-view.tsx';
import { AnswerField } from '../traces/ratings/answer-field.tsx';
import { ratingText } from '../traces/ratings/ratings.ts';
import { type Draft, findActive, isComplete, type KeyAction, toKeyAction } from './answering.ts';
import type { TaskRecord } from './queue.ts';

interface RecordTaskProps {
  readonly project_id: string;
  readonly api: string;
  readonly isReview: boolean;
  readonly record: TaskRecord;
  readonly templates: readonly AnnotationTemplate[];
  readonly reserved_until: string | null;
  /** Answers to begin with. */
  readonly draft: Draft;
  /** With the answers, or without them where the record was skipped. */
  readonly onEnded: (draft: Draft | undefined) => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onForward: (() => void) | undefined;
}

/** A record with the questions about it, answered by mouse or by keys. */
export function RecordTask(props: RecordTaskProps) {
  const { project_id, api, isReview, record, templates, reserved_until, onEnded, onPrevious, onForward } = props;
  const [draft, setDraft] = useState(props.draft);
  const [active, setActive] = useState<string>();
  const [skipping, setSkipping] = useState(false);
  const to = `${api}/items/${record.id}${isReview ? '/review' : ''}`;
  const save = useAction(async () => {
    await post(to, { answers: templates.map(({ id }) => ({ template_id: id, value: draft[id] })) });
    onEnded(draft);
  });
  const complete = isComplete(templates, draft);
  const current = findActive(templates, draft, active);
  const change = (template_id: string, value: Draft[string], isFinal: boolean): void => {
    setDraft((before) => ({ ...before, [template_id]: value }));
    setActive(isFinal ? undefined : template_id);
  };
  const next = (): void => {
    if (complete) void save.run();
    else if (onForward) onForward();
    else setActive(undefined);
  };
  useKeys(skipping, (key) => {
    const action = toKeyAction(key, current, draft);
    if (!action) return false;
    if (action.kind === 'answer') leaveButton();
    take(action);
    return true;
  });
  const take = (action: KeyAction): void => {
    if (action.kind === 'answer') change(action.template_id, action.value, typeof action.value !== 'object');
    else if (action.kind === 'skip') setSkipping(true);
    else if (action.kind === 'next') next();
    else onPrevious?.();
  };
  return (
    <div class="row g-4">
      <article class="col-lg-7" aria-label="Record">
        <h3 class="h6">Input</h3>
        <PayloadView value={record.input} />
        <h3 class="h6 mt-3">Output</h3>
        <PayloadView value={record.output} />
        <div class="d-flex gap-3 small mt-3">
          <a href={toHref(`/projects/${project_id}/traces/${record.trace_id}`)}>Open trace</a>
          {reserved_until && (
            <span>
              reserved for you until <Time at={reserved_until} />
            </span>
          )}
        </div>
      </article>
      <div class="col-lg-5">
        {templates.map((template) => (
          <section
            key={template.id}
            class={`annotation-question ${template.id === current?.id ? 'active' : ''}`}
            aria-label={template.name}
            onFocusIn={() => setActive(template.id)}
          >
            <h3 class="h6 mb-1">{template.name}</h3>
            {template.instructions && <p class="small text-body-secondary mb-1">{template.instructions}</p>}
            {isReview && <Given template={template} record={record} />}
            <AnswerField
              question={template}
              value={draft[template.id]}
              onChange={(value, isFinal) => change(template.id, value, isFinal)}
            />
          </section>
        ))}
        <Failure error={save.error} />
        <div class="d-flex flex-wrap gap-2 mt-3">
          <button type="button" class="btn btn-primary" disabled={!complete || save.busy} onClick={() => void save.run()}>
            {isReview ? 'Decide and go on' : 'Save and go on'}
          </button>
          <button type="button" class="btn btn-outline-secondary" aria-haspopup="dialog" onClick={() => setSkipping(true)}>
            Skip
          </button>
          <button type="button" class="btn btn-outline-secondary" disabled={!onPrevious} onClick={onPrevious}>
            Previous
          </button>
          {onForward && (
            <button type="button" class="btn btn-outline-secondary" onClick={onForward}>
              Forward
            </button>
          )}
        </div>
        <p class="small text-body-secondary mt-2">
          <kbd>1</kbd> to <kbd>9</kbd> answer, <kbd>n</kbd> or <kbd>Enter</kbd> saves and goes on, <kbd>s</kbd> skips,{' '}
          <kbd>p</kbd> goes back.
        </p>
      </div>
      {skipping && (
        <FormDialog
          title="Skip this record"
          verb="Skip"
          onClose={() => setSkipping(false)}
          onSubmit={async (values) => {
            await post(to, { skip: true, skip_reason: String(values.get('reason')) || null });
            onEnded(undefined);
          }}
        >
          <TextField label="Why" name="reason" help="Those who look at the progress see it." />
        </FormDialog>
      )}
    </div>
  );
}

/** Answers of the annotators, for the reviewer. */
const Given = ({ template, record }: { template: AnnotationTemplate; record: TaskRecord }) => (
  <p class="small mb-1">
    Answers:{' '}
    {Object.values(record.annotations[template.id] ?? {})
      .map(({ annotation_type, value }) => ratingText(annotation_type, value))
      .join(', ')}
  </p>
);

/** Keys of the page, but for those that are typed into a field, press a button or go to a dialog. */
function useKeys(isOff: boolean, onKey: (key: string) => boolean): void {
  const newest = useRef(onKey);
  newest.current = onKey;
  // With the page itself: an effect after it would lose the key of somebody who is quick.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (isOff || event.ctrlKey || event.metaKey || event.altKey || target.closest('textarea, select, dialog')) return;
      if (target.closest('input:not([type=checkbox])') || (event.key === 'Enter' && target.closest('button, a'))) return;
      if (newest.current(event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOff]);
}

/** Enter would press the button that has the focus, in place of going on to the next record. */
function leaveButton(): void {
  const { activeElement } = document;
  if (activeElement?.matches('button') && !activeElement.closest('.annotation-question'))
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}
