import { useState } from 'preact/hooks';
import { Field, TypedField } from '../kit/field.tsx';
import { costText, durationText, numberText } from '../kit/formatting.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { PayloadView } from '../traces/payload-view.tsx';
import type { Progress, Result } from './use-run.ts';
import type { Variant } from './variant.ts';

interface VariantCardProps {
  readonly label: string;
  readonly variant: Variant;
  readonly progress: Progress | undefined;
  readonly isRunning: boolean;
  readonly onChange: (variant: Variant) => void;
  /** Makes the variant the next version of the prompt that was begun with. */
  readonly onSave: ((variant: Variant) => Promise<unknown>) | undefined;
  readonly onRemove: (() => void) | undefined;
}

/** One variant with its model, and below it what came of the last run. */
export function VariantCard({ label, variant, progress, isRunning, onChange, onSave, onRemove }: VariantCardProps) {
  const { text, model, temperature } = variant;
  return (
    <section class="card p-2" aria-label={label}>
      <div class="d-flex align-items-center mb-1">
        <h2 class="h6 mb-0 me-auto">{label}</h2>
        {onSave && <SaveButton onSave={() => onSave(variant)} />}
        {onRemove && <button type="button" class="btn-close" aria-label={`Remove ${label}`} onClick={onRemove} />}
      </div>
      <Field label="Prompt text">
        {(id) => (
          <textarea
            class="form-control font-monospace"
            id={id}
            rows={8}
            dir="auto"
            defaultValue={text}
            onChange={({ currentTarget }) => onChange({ ...variant, text: currentTarget.value })}
          />
        )}
      </Field>
      <div class="d-flex gap-2">
        <TypedField label="Model" value={model} onType={(typed) => onChange({ ...variant, model: typed })} />
        <TypedField label="Temperature" value={temperature} onType={(typed) => onChange({ ...variant, temperature: typed })} />
      </div>
      <ToolFields variant={variant} onChange={onChange} />
      {progress && <ProgressView progress={progress} isRunning={isRunning} />}
    </section>
  );
}

/** Tools and response format, open where there are some. */
function ToolFields({ variant, onChange }: Pick<VariantCardProps, 'variant' | 'onChange'>) {
  const fields = [
    { name: 'tools', label: 'Tools (JSON)' },
    { name: 'response_format', label: 'Response format (JSON)' },
  ] as const;
  const [isFilled] = useState(fields.some(({ name }) => variant[name] !== ''));
  return (
    <details open={isFilled}>
      <summary>Tools and response format</summary>
      {fields.map(({ name, label }) => (
        <Field key={name} label={label}>
          {(id) => (
            <textarea
              class="form-control font-monospace"
              id={id}
              rows={4}
              defaultValue={variant[name]}
              onChange={({ currentTarget }) => onChange({ ...variant, [name]: currentTarget.value })}
            />
          )}
        </Field>
      ))}
    </details>
  );
}

function SaveButton({ onSave }: { onSave: () => Promise<unknown> }) {
  const [isSaved, setSaved] = useState(false);
  const save = useAction(async () => {
    await onSave();
    setSaved(true);
  });
  return (
    <>
      <Failure error={save.error} />
      <button type="button" class="btn btn-sm btn-link p-0 me-2" disabled={save.busy} onClick={() => void save.run()}>
        {isSaved ? 'Saved as a version' : 'Save as a version'}
      </button>
    </>
  );
}

/** The text as it comes; with the result, which alone is read out, once it is there. */
function ProgressView({ progress: { text, result }, isRunning }: { progress: Progress; isRunning: boolean }) {
  return (
    <div aria-busy={isRunning && !result}>
      {(result?.output || text) && (
        <pre class="playground-output" dir="auto">
          {result?.output || text}
        </pre>
      )}
      {!result && <p class="small text-body-secondary mb-0">{isRunning ? 'Waiting for the rest …' : 'Stopped before the end'}</p>}
      {result && <ResultView result={result} />}
    </div>
  );
}

function ResultView({ result }: { result: Result }) {
  const { tool_calls, error, missing_variables, model, num_input_tokens, num_output_tokens, cost, duration_ns, left_out } =
    result;
  return (
    <div role="status">
      {missing_variables.length > 0 && (
        <p class="small mb-1">
          No value for <strong>{missing_variables.join(', ')}</strong>
        </p>
      )}
      {error && <p class="score bad mb-1">⚠ {error.message}</p>}
      {tool_calls.length > 0 && <PayloadView value={{ role: 'assistant', content: '', tool_calls }} />}
      <p class="small text-body-secondary mb-0">
        {model} · {durationText(duration_ns)} · {numberText(num_input_tokens)} + {numberText(num_output_tokens)} tokens ·{' '}
        {cost === null ? 'cost not known' : costText(cost)}
      </p>
      {left_out.length > 0 && (
        <p class="small text-body-secondary mb-0">Not sent, as the model does not take it: {left_out.join(', ')}</p>
      )}
    </div>
  );
}
