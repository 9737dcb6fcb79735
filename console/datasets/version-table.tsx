import type { Dataset } from '../../core/datasets/dataset.ts';
import type { DatasetVersion } from '../../core/datasets/version.ts';
import { numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';

interface VersionTableProps {
  readonly dataset: Dataset;
  readonly versions: readonly DatasetVersion[];
  readonly onName: ((version: DatasetVersion) => void) | undefined;
}

export const VersionTable = ({ dataset, versions, onName }: VersionTableProps) => (
  <Table class="table table-hover table-rows">
    <TableHeaders of={['Version', 'What it changed', { end: 'Rows' }, 'Created by', 'Created']} actions />
    <tbody>
      {versions.map((version) => (
        <tr key={version.version_index}>
          <td>
            <a href={toHref(toRows(dataset, version))}>Version {version.version_index}</a>
            {version.name !== null && <span class="ms-2">{version.name}</span>}
            {version.version_index === dataset.current_version_index && <span class="badge text-bg-success ms-2">Current</span>}
          </td>
          <td>{changesText(version)}</td>
          <td class="text-end">{numberText(version.num_rows)}</td>
          <td>{version.created_by_user?.email}</td>
          <td>
            <Time at={version.created_at} />
          </td>
          <td class="text-end text-nowrap">
            {version.version_index > 1 && (
              <a href={toHref(`/datasets/${dataset.id}/diff?from=${version.version_index - 1}&to=${version.version_index}`)}>
                Show changes
              </a>
            )}
            {onName && (
              <button
                type="button"
                class="btn btn-sm btn-link py-0 text-decoration-none"
                aria-haspopup="dialog"
                onClick={() => onName(version)}
              >
                Name
              </button>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const toRows = ({ id, current_version_index }: Dataset, { version_index }: DatasetVersion): string =>
  version_index === current_version_index ? `/datasets/${id}` : `/datasets/${id}?version=${version_index}`;

const COUNTERS = [
  ['rows_added', 'row', 'added'],
  ['rows_removed', 'row', 'deleted'],
  ['rows_edited', 'row', 'edited'],
  ['columns_added', 'column', 'added'],
  ['columns_removed', 'column', 'removed'],
  ['columns_renamed', 'column', 'renamed'],
] as const;

/** In words; a version may have changed nothing. */
function changesText(version: DatasetVersion): string {
  const said = COUNTERS.filter(([name]) => version[name] > 0).map(
    ([name, what, verb]) => `${numberText(version[name])} ${what}${version[name] === 1 ? '' : 's'} ${verb}`,
  );
  return said.length > 0 ? said.join(', ') : 'nothing';
}
