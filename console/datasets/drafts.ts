import { signal } from '@preact/signals';
import { countChanges, type Draft } from './draft.ts';
import type { EditConflict } from './save-draft.ts';

export interface Pending {
  readonly draft: Draft;
  /** Set while it is to be looked at what somebody else saved meanwhile. */
  readonly editConflict?: EditConflict | undefined;
}

/** By dataset. Kept beside the views, so that what was typed outlives a look at another place. */
const drafts = signal<Readonly<Record<string, Pending>>>({});

export const getPending = (dataset_id: string): Pending | undefined => drafts.value[dataset_id];

/** A notice that somebody else saved first stays until the draft is saved or dropped. */
export function keepDraft(dataset_id: string, draft: Draft, editConflict = drafts.value[dataset_id]?.editConflict): void {
  if (countChanges(draft) === 0) dropDraft(dataset_id);
  else drafts.value = { ...drafts.value, [dataset_id]: { draft, editConflict } };
}

export function dropDraft(dataset_id: string): void {
  const { [dataset_id]: _dropped, ...others } = drafts.value;
  drafts.value = others;
}

addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts.peek()).length > 0) event.preventDefault();
});
