import { useState } from 'preact/hooks';
import type { MaskingKind, MaskingRule, MaskingTrialResult } from '../../core/masking/masking-rule.ts';
import { post } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { Choice } from '../kit/choice.tsx';
import { commaList } from '../kit/comma-list.ts';
import { Field, TextField, TypedField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { freeName, KINDS, newRule, PRESETS } from './kinds.ts';
import { TrialResult } from './rule-trial.tsx';

interface RuleToolsProps {
  /** Of the project in the API. */
  readonly path: string;
  readonly rules: readonly MaskingRule[];
  readonly onSave: (rules: readonly MaskingRule[]) => Promise<void>;
}

/** Adds a rule: one that the service knows, or a pattern of one's own. */
export function RuleTools({ path, rules, onSave }: RuleToolsProps) {
  const [open, setOpen] = useState<'preset' | 'pattern'>();
  const close = (): void => setOpen(undefined);
  const add = (rule: MaskingRule): Promise<void> => onSave([...rules, rule]);
  return (
    <div class="d-flex gap-2 mb-4">
      <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setOpen('preset')}>
        Add preset
      </button>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen('pattern')}>
        Add pattern
      </button>
      {open === 'preset' && <PresetDialog rules={rules} onAdd={add} onClose={close} />}
      {open === 'pattern' && <PatternDialog path={path} rules={rules} onAdd={add} onClose={close} />}
    </div>
  );
}

interface DialogProps {
  readonly rules: readonly MaskingRule[];
  readonly onAdd: (rule: MaskingRule) => Promise<void>;
  readonly onClose: () => void;
}

function PresetDialog({ rules, onAdd, onClose }: DialogProps) {
  const [kind, setKind] = useState<MaskingKind>('email');
  const { label } = KINDS[kind];
  const add = (values: FormData): Promise<void> => {
    const keys = commaList(String(values.get('keys') ?? ''));
    return onAdd(newRule(freeName(label, rules), kind, { keys: keys.length > 0 ? keys : null }));
  };
  return (
    <FormDialog title="Add preset" verb="Add" onClose={onClose} onSubmit={add}>
      <Choice
        label="What to mask"
        choices={PRESETS.map((id) => ({ id, label: KINDS[id].label }))}
        value={kind}
        onChoose={setKind}
      />
      {kind === 'secret_keys' && (
        <TextField label="Names" name="keys" help="Separated by commas. Empty: password, authorization, api_key and the like." />
      )}
    </FormDialog>
  );
}

function PatternDialog({ path, rules, onAdd, onClose }: DialogProps & { readonly path: string }) {
  const [name, setName] = useState('');
  const [pattern, setPattern] = useState('');
  const [ignore_case, setIgnoreCase] = useState(false);
  const [text, setText] = useState('');
  const [result, setResult] = useState<MaskingTrialResult>();
  const rule = newRule(name.trim() || 'pattern', 'pattern', { pattern, ignore_case });
  const test = useAction(async () =>
    setResult(await post<MaskingTrialResult>(`${path}/masking-preview`, { content: text, rules: [rule] })),
  );
  const add = (values: FormData): Promise<void> => {
    const replacement = String(values.get('replacement') ?? '').trim();
    return onAdd({ ...rule, name: freeName(rule.name, rules), replacement: replacement || null });
  };
  return (
    <FormDialog title="Add pattern" verb="Add" wide onClose={onClose} onSubmit={add}>
      <TypedField label="Name" value={name} onType={setName} required maxLength={100} />
      <TypedField
        label="Pattern"
        value={pattern}
        onType={setPattern}
        required
        maxLength={500}
        placeholder="EMP-\d{4,8}"
        help="A regular expression without look-around and back references."
      />
      <Check label="Ignore case" checked={ignore_case} onCheck={setIgnoreCase} />
      <TextField label="Replaced by" name="replacement" help="A word in capitals in square brackets. Empty: [MASKED]." />
      <Field label="Test text">
        {(id) => (
          <textarea
            class="form-control"
            id={id}
            rows={3}
            dir="auto"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary mb-2"
        disabled={pattern === '' || test.busy}
        onClick={() => void test.run()}
      >
        Test pattern
      </button>
      <Failure error={test.error} />
      {result && <TrialResult result={result} />}
    </FormDialog>
  );
}
