import type { ViewChanges } from '../kit/location.ts';

interface DiffHeadProps {
  readonly newest: number;
  readonly from: number;
  readonly to: number;
  readonly onChange: (changes: ViewChanges) => void;
}

/** Which two versions. */
export const DiffHead = ({ newest, from, to, onChange }: DiffHeadProps) => (
  <div class="d-flex gap-2 align-items-center mb-2">
    <Version label="From version" newest={newest} value={from} onChange={(value) => onChange({ from: value, to: String(to) })} />
    <Version label="To version" newest={newest} value={to} onChange={(value) => onChange({ to: value, from: String(from) })} />
    <button
      type="button"
      class="btn btn-sm btn-outline-secondary"
      onClick={() => onChange({ from: String(to), to: String(from) })}
    >
      Swap
    </button>
  </div>
);

interface VersionProps {
  readonly label: string;
  readonly newest: number;
  readonly value: number;
  readonly onChange: (value: string) => void;
}

/** A number, not a list: a dataset may have thousands of versions. */
const Version = ({ label, newest, value, onChange }: VersionProps) => (
  <label class="d-flex gap-2 align-items-center">
    {label}
    <input
      class="form-control form-control-sm version-number"
      type="number"
      min={1}
      max={newest}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  </label>
);
