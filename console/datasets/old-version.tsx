import type { Dataset } from '../../core/datasets/dataset.ts';
import { put } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { navigate, toHref } from '../kit/location.ts';
import { may } from './permissions.ts';

interface OldVersionBarProps {
  readonly dataset: Dataset;
  readonly version_index: number;
  readonly onRestored: () => void;
}

/** Says that these are the rows of then, and leads on: to now, to what changed since, and back to then for all. */
export function OldVersionBar({ dataset, version_index, onRestored }: OldVersionBarProps) {
  const { id, current_version_index: current } = dataset;
  const restore = async (): Promise<void> => {
    await put(`/datasets/${id}/content`, { rollback_version: version_index, base_version_index: current });
    navigate(`/datasets/${id}`);
    onRestored();
  };
  return (
    <div class="alert alert-info py-2 d-flex gap-3 align-items-center" role="status">
      <span class="me-auto">
        These are the rows of version {version_index}; the dataset is at version {current}.
      </span>
      <a class="alert-link" href={toHref(`/datasets/${id}`)}>
        Current rows
      </a>
      <a class="alert-link" href={toHref(`/datasets/${id}/diff?from=${version_index}&to=${current}`)}>
        What changed since
      </a>
      {may(dataset, 'update') && (
        <ConfirmButton
          label="Go back to it"
          question={`Make the rows of version ${version_index} the current ones again? That is a new version; none is lost.`}
          onConfirm={restore}
        />
      )}
    </div>
  );
}
