import { useState } from 'preact/hooks';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { ApiFailure, toErrorMessage } from '../api/failure.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { makeDefault } from './scorer-calls.ts';

interface DefaultButtonProps {
  readonly scorer: Scorer;
  readonly version: ScorerVersion;
  readonly onDone: () => void;
  readonly onFailed: (error: unknown) => void;
}

/** Makes a version the default. Where the gate refuses it, whoever insists is asked once more. */
export function DefaultButton({ scorer, version, onDone, onFailed }: DefaultButtonProps) {
  const [refusal, setRefusal] = useState<ApiFailure>();
  const make = async (force: boolean): Promise<void> => {
    await makeDefault(scorer.id, version.id, force);
    onDone();
  };
  const tryIt = (): void => {
    onFailed(undefined);
    make(false).catch((error) => {
      if (error instanceof ApiFailure && error.code === 'gate_closed') setRefusal(error);
      else onFailed(error);
    });
  };
  return (
    <>
      <button
        type="button"
        class="btn btn-sm btn-link py-0 text-decoration-none"
        aria-label={`Make default: version ${version.version}`}
        onClick={tryIt}
      >
        Make default
      </button>
      {refusal && (
        <FormDialog
          title="The gate is closed"
          verb="Make default all the same"
          danger
          onClose={() => setRefusal(undefined)}
          onSubmit={() => make(true)}
        >
          <p>{toErrorMessage(refusal)}</p>
          <p class="mb-0">Overrides are logged.</p>
        </FormDialog>
      )}
    </>
  );
}
