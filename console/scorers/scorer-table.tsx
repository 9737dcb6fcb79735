import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { clipped } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { scorerPath } from './scorer-calls.ts';
import { OUTPUT_WORDS, TYPE_WORDS, wordFor } from './words.ts';

export const ScorerTable = ({ scorers }: { scorers: readonly Scorer[] }) => (
  <Table class="table table-hover table-rows">
    <TableHeaders of={['Name', 'Type', 'Evaluates', 'Output type', { end: 'Version' }, 'Tags', 'Updated']} />
    <tbody>
      {scorers.map((scorer) => (
        <tr key={scorer.id}>
          <td>
            <a href={toHref(scorerPath(scorer.id))}>{scorer.label}</a>
            {scorer.deprecated && <span class="badge text-bg-secondary ms-2">deprecated</span>}
            <div class="small text-body-secondary">{clipped(scorer.description ?? '', 140)}</div>
          </td>
          <td>{wordFor(TYPE_WORDS, scorer.scorer_type)}</td>
          <td>{scorer.scoreable_node_types?.join(', ') ?? '–'}</td>
          <td class="text-nowrap">{wordFor(OUTPUT_WORDS, scorer.output_type)}</td>
          <td class="text-end">{versionText(scorer)}</td>
          <td>
            <Tags tags={scorer.tags} />
          </td>
          <td>
            <Time at={scorer.updated_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

/** The default version, and the latest where that is another one. */
function versionText({ default_version, latest_version }: Scorer): string {
  if (!default_version) return 'none';
  const isLatest = latest_version?.id === default_version.id;
  return isLatest ? String(default_version.version) : `${default_version.version} of ${latest_version?.version}`;
}

export const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span class="d-inline-flex flex-wrap gap-1">
    {tags.map((tag) => (
      <span key={tag} class="badge tag">
        {tag}
      </span>
    ))}
  </span>
);
