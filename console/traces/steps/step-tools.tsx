import { useId } from 'preact/hooks';
import { numberText } from '../../kit/formatting.ts';
import { useView } from '../../kit/location.ts';

interface StepToolsProps {
  readonly found: number;
  readonly of: number;
  readonly onFoldAll: () => void;
  readonly onUnfoldAll: () => void;
}

/** Finds steps in the trace; what is looked for stands in the address. */
export function StepTools({ found, of, onFoldAll, onUnfoldAll }: StepToolsProps) {
  const [view, change] = useView();
  const id = useId();
  const text = view.get('find') ?? '';
  const onlyFailed = view.get('errors') === '1';
  return (
    <div class="d-flex gap-2 align-items-center p-2 border-bottom">
      <input
        class="form-control form-control-sm"
        type="search"
        aria-label="Find spans"
        placeholder="Find in names, inputs and outputs"
        value={text}
        onInput={(event) => change({ find: event.currentTarget.value }, 'typing')}
      />
      <div class="form-check mb-0 text-nowrap">
        <input
          class="form-check-input"
          type="checkbox"
          id={id}
          checked={onlyFailed}
          onChange={(event) => change({ errors: event.currentTarget.checked ? '1' : undefined })}
        />
        <label class="form-check-label" for={id}>
          Errors only
        </label>
      </div>
      {text !== '' || onlyFailed ? (
        <span class="small text-body-secondary text-nowrap" role="status">
          {numberText(found)} of {numberText(of)}
        </span>
      ) : (
        <div class="btn-group btn-group-sm text-nowrap">
          <button type="button" class="btn btn-outline-secondary" onClick={onFoldAll}>
            Collapse all
          </button>
          <button type="button" class="btn btn-outline-secondary" onClick={onUnfoldAll}>
            Expand all
          </button>
        </div>
      )}
    </div>
  );
}
