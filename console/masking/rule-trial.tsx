import { useState } from 'preact/hooks';
import type { MaskingRule, MaskingTrialResult } from '../../core/masking/masking-rule.ts';
import { post } from '../api/client.ts';
import { Field } from '../kit/field.tsx';
import { numberText } from '../kit/formatting.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { parsedJson } from '../traces/payload.ts';

/** The rules as they are, tried on a text or on JSON. Nothing is stored. */
export function RuleTrial({ path, rules }: { path: string; rules: readonly MaskingRule[] }) {
  const [result, setResult] = useState<MaskingTrialResult>();
  const test = useAction(async (values: FormData) => {
    const text = String(values.get('content') ?? '');
    setResult(await post<MaskingTrialResult>(`${path}/masking-preview`, { content: parsedJson(text) ?? text, rules }));
  });
  return (
    <form
      aria-label="Test the rules"
      onSubmit={(event) => {
        event.preventDefault();
        void test.run(new FormData(event.currentTarget));
      }}
    >
      <h2 class="h6">Test the rules</h2>
      <Field label="Text or JSON" help="Shows what would be stored. Nothing is.">
        {(id) => <textarea class="form-control" id={id} name="content" rows={3} dir="auto" required />}
      </Field>
      <button type="submit" class="btn btn-sm btn-outline-secondary mb-2" disabled={test.busy}>
        Test
      </button>
      <Failure error={test.error} />
      {result && <TrialResult result={result} />}
    </form>
  );
}

export function TrialResult({ result: { content, masked } }: { result: MaskingTrialResult }) {
  const found = Object.entries(masked).filter(([, count]) => count > 0);
  return (
    <div role="status">
      <pre class="snippet" dir="auto">
        {typeof content === 'string' ? content : JSON.stringify(content, null, 2)}
      </pre>
      <p>
        {found.length === 0 ? 'Nothing was masked.' : found.map(([name, count]) => `${name}: ${numberText(count)}`).join(' · ')}
      </p>
    </div>
  );
}
