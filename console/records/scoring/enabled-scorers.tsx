import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ConfirmButton } from '../../kit/confirm.tsx';
import { costText } from '../../kit/formatting.ts';
import { toHref } from '../../kit/location.ts';
import { Empty } from '../../kit/notices.tsx';
import { Table } from '../../kit/table.tsx';
import { TableHeaders } from '../../kit/table-headers.tsx';
import { NewScorerDialog } from '../../scorers/new-scorer.tsx';
import { ResumeButton, SuspensionNote } from '../../scorers/suspensions.tsx';
import { EnableDialog } from './enable-dialog.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { conditionText } from './scorer-condition.ts';
import type { ChangeSettings, Entry, RunPlace } from './settings.ts';
import { ShadowTrial } from './shadow-trial.tsx';

interface EnabledScorersProps {
  readonly place: RunPlace;
  readonly scorers: readonly Entry[];
  readonly change: ChangeSettings;
  readonly onResumed: () => void;
  readonly actions: ComponentChildren;
}

/** The scorers that judge new records, each with what it looks at and what it may cost. */
export function EnabledScorers({ place, scorers, change, onResumed, actions }: EnabledScorersProps) {
  const [adding, setAdding] = useState<'enabled' | 'new'>();
  const stop = (): void => setAdding(undefined);
  const [edited, setEdited] = useState<Entry>();
  return (
    <section class="mb-4">
      <div class="d-flex gap-2 align-items-center mb-2">
        <h2 class="h6 mb-0 me-auto">Enabled scorers</h2>
        {scorers.length > 0 && actions}
        <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setAdding('new')}>
          New scorer
        </button>
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setAdding('enabled')}>
          Enable a scorer
        </button>
      </div>
      {scorers.length === 0 ? (
        <Empty title="Nothing is scored here">
          <p>
            Enable a scorer to have new records judged as they come. Records from before can be judged then by recomputing.{' '}
            <a href={toHref('/scorers')}>All scorers</a>
          </p>
        </Empty>
      ) : (
        <Table class="table table-rows">
          <TableHeaders of={['Scorer', 'Version', 'Evaluator', 'Applies to', 'Daily budget']} actions />
          <tbody>
            {scorers.map((entry) => (
              <EntryRow
                key={entry.id}
                place={place}
                entry={entry}
                onResumed={onResumed}
                onEdit={() => setEdited(entry)}
                onDisable={() => change((now) => ({ scorers: now.scorers.filter(({ id }) => id !== entry.id) }))}
              />
            ))}
          </tbody>
        </Table>
      )}
      {adding === 'enabled' && <EnableDialog place={place} enabled={scorers} change={change} onClose={stop} />}
      {adding === 'new' && <NewScorerDialog on={place} onClose={stop} />}
      {edited && <EntryDialog entry={edited} change={change} onClose={() => setEdited(undefined)} />}
    </section>
  );
}

interface EntryRowProps {
  readonly place: RunPlace;
  readonly entry: Entry;
  readonly onResumed: () => void;
  readonly onEdit: () => void;
  readonly onDisable: () => Promise<void>;
}

function EntryRow({ place, entry, onResumed, onEdit, onDisable }: EntryRowProps) {
  const { id, name, scorer_version, scoreable_node_types, filters, daily_budget, suspension } = entry;
  return (
    <tr>
      <td>
        <a href={toHref(`/scorers/${id}`)}>{name}</a>
        {suspension && (
          <div class="small">
            <SuspensionNote suspension={suspension} />{' '}
            <ResumeButton scorer_id={id} version_id={suspension.scorer_version_id} onResumed={onResumed} />
          </div>
        )}
      </td>
      <td>{scorer_version ? `${scorer_version.version}, pinned` : 'Default'}</td>
      <td>{judgeText(entry)}</td>
      <td>
        {scoreable_node_types.join(', ')}
        {filters.map((filter) => (
          <div class="small text-body-secondary" key={JSON.stringify(filter)}>
            {conditionText(filter)}
          </div>
        ))}
      </td>
      <td>{daily_budget === null ? 'Unlimited' : costText(daily_budget)}</td>
      <td class="text-end text-nowrap">
        <ShadowTrial place={place} entry={entry} />
        <button type="button" class="btn btn-sm btn-outline-secondary me-2" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </button>
        <ConfirmButton
          label={`Disable ${name}`}
          question="New records are not judged by it any more. What it has said stays."
          onConfirm={onDisable}
        />
      </td>
    </tr>
  );
}

function judgeText({ model_type, model_name, num_judges }: Entry): string {
  if (model_type === 'code') return 'Code';
  return `${model_name ?? 'A model'}${num_judges && num_judges > 1 ? ` × ${num_judges}` : ''}`;
}
