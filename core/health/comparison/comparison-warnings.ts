import type { ComparedRun, ComparisonWarning, RunPair } from './run-comparison.ts';

/** Circumstances under which a difference between runs may come from something other than the scorers. */
export function listWarnings(
  runs: readonly ComparedRun[],
  declared: readonly (string | null)[],
  comparisons: readonly RunPair[],
): ComparisonWarning[] {
  const versions = distinct(runs.map(({ dataset_version_index }) => dataset_version_index));
  const columns = distinct(runs.map(({ truth_column }) => truth_column));
  const types = distinct(declared.filter((type) => type !== null));
  const most = Math.max(0, ...comparisons.map(({ truth_differs }) => truth_differs));
  const failed = runs.filter(({ failed_rows }) => failed_rows > 0);
  const warnings: (ComparisonWarning | false)[] = [
    versions.length > 1 && {
      code: 'dataset_versions_differ',
      message: `the runs went through versions ${versions.join(', ')} of the dataset: inputs may differ, too`,
    },
    columns.length > 1 && {
      code: 'truth_columns_differ',
      message: `ground truth is in different columns: ${columns.map((name) => name ?? 'none').join(', ')}`,
    },
    most > 0 && {
      code: 'truths_differ',
      message: `up to ${most} rows of a comparison are left out, whose ground truth is not the same for both runs`,
    },
    types.length > 1 && {
      code: 'output_types_differ',
      message: `the scorers declare different output types: ${types.join(', ')}`,
    },
    failed.length > 0 && {
      code: 'rows_failed',
      message: `the scorer failed on rows of ${failed.length} runs, which are left out: ${failed.map(describeFailed).join(', ')}`,
    },
  ];
  return warnings.filter((warning) => warning !== false);
}

const describeFailed = ({ run_name, failed_rows }: ComparedRun): string => `${failed_rows} of ${run_name}`;

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
