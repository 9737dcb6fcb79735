import '../styles/scorers.css';
import { useState } from 'preact/hooks';
import { get, post } from '../api/client.ts';
import { BarChoice } from '../kit/choice.tsx';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ViewSearch } from '../kit/view-search.tsx';
import { NewScorerDialog } from './new-scorer.tsx';
import type { ScorerPage } from './scorer-calls.ts';
import { ScorerTable } from './scorer-table.tsx';

const LIMIT = 50;

/** Scorers of one's own, or presets, or those of one type; found by name and tag. */
export function ScorersPage() {
  const [view, change] = useView();
  const [creating, setCreating] = useState(false);
  const [kind, name, tag] = [view.get('kind') ?? 'own', view.get('name') ?? '', view.get('tag') ?? ''];
  const starting_token = startIn(view);
  const tags = useLoaded('scorer tags', (signal) => get<string[]>('/scorers/tags', { signal })).value ?? [];
  const loaded = useLoaded(`scorers ${kind} ${name} ${tag} ${starting_token}`, (signal) =>
    post<ScorerPage>(
      '/scorers/list',
      { filters: toScorerFilters({ kind, name, tag }) },
      { query: { starting_token, limit: LIMIT }, signal },
    ),
  );
  return (
    <>
      <div class="d-flex flex-wrap gap-2 align-items-center mb-3">
        <h1 class="h4 mb-0 me-auto">Scorers</h1>
        <fieldset class="btn-group btn-group-sm" aria-label="Which scorers">
          {KINDS.map(({ key, label }) => (
            <button
              key={key}
              type="button"
              class={`btn btn-outline-secondary ${key === kind ? 'active' : ''}`}
              aria-pressed={key === kind}
              onClick={() => change({ kind: key === 'own' ? undefined : key, from: undefined })}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <div class="tag-choice">
          <BarChoice
            label="With the tag"
            choices={[{ id: '', label: 'Any tag' }, ...tags]}
            value={tag}
            onChoose={(chosen) => change({ tag: chosen, from: undefined })}
          />
        </div>
        <ViewSearch label="Find scorers by name" />
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New scorer
        </button>
      </div>
      <Show loaded={loaded}>
        {(page) =>
          page.scorers.length === 0 ? (
            <NoScorers isFiltered={name !== '' || tag !== ''} />
          ) : (
            <>
              <ScorerTable scorers={page.scorers} />
              <ViewPager page={page} />
            </>
          )
        }
      </Show>
      {creating && <NewScorerDialog onClose={() => setCreating(false)} />}
    </>
  );
}

const NoScorers = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No scorer fits" />
  ) : (
    <Empty title="No scorers of your own yet">
      <p class="mb-0">
        A scorer judges traces, spans or sessions: by a function you write here, or by a language model that is asked. Make one
        with “New scorer”, or enable one of the presets in the settings of a log stream.
      </p>
    </Empty>
  );

/** Filters of the list; presets stand apart, there are many of them. */
export const KINDS = [
  { key: 'own', label: 'Custom' },
  { key: 'code', label: 'Code' },
  { key: 'llm', label: 'Judges' },
  { key: 'finetuned', label: 'Fine-tuned' },
  { key: 'preset', label: 'Presets' },
] as const;

interface Wanted {
  readonly kind: string;
  readonly name: string;
  readonly tag: string;
}

/** Filters of `POST /scorers/list`. */
function toScorerFilters({ kind, name, tag }: Wanted): object[] {
  const isKnown = KINDS.some(({ key }) => key === kind && key !== 'own');
  return [
    isKnown ? { name: 'scorer_type', operator: 'eq', value: kind } : { name: 'scorer_type', operator: 'ne', value: 'preset' },
    ...(name === '' ? [] : [{ name: 'name', operator: 'contains', value: name, case_sensitive: false }]),
    ...(tag === '' ? [] : [{ name: 'tags', operator: 'contains', value: [tag] }]),
  ];
}
