import type { Experiment } from '../../core/experiments/experiment.ts';

/** Keys and values, small. */
export const TagChips = ({ tags }: { tags: Experiment['tags'] }) => (
  <>
    {Object.values(tags)
      .flat()
      .map(({ id, key, value }) => (
        <span key={id} class="badge text-bg-light border me-1 fw-normal">
          {key}: {value}
        </span>
      ))}
  </>
);
