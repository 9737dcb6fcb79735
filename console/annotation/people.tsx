import type { UserCollaborator } from '../../core/access/groups/collaborator.ts';
import { get } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface PeopleFieldsProps {
  readonly project_id: string;
  readonly assignee_ids?: readonly string[];
  readonly reviewer_ids?: readonly string[];
}

/** Who annotates and who reviews, as fields of a form that `chosenPeople` reads. */
export function PeopleFields({ project_id, assignee_ids = [], reviewer_ids = [] }: PeopleFieldsProps) {
  const path = `/projects/${project_id}/users`;
  const loaded = useLoaded(path, (signal) => listPeople(project_id, signal));
  return (
    <Show loaded={loaded}>
      {(people) => (
        <>
          <input type="hidden" name={KNOWN} value="yes" />
          <People
            legend="Annotators"
            name="assignee"
            nobody="Nobody chosen: all who may annotate."
            people={people}
            chosen={assignee_ids}
          />
          <People
            legend="Reviewers"
            name="reviewer"
            nobody="Nobody chosen: all who may configure feedback."
            people={people}
            chosen={reviewer_ids}
          />
        </>
      )}
    </Show>
  );
}

export const listPeople = async (project_id: string, signal: AbortSignal): Promise<readonly UserCollaborator[]> => {
  const page = { query: { limit: 1000 }, signal };
  return (await get<{ collaborators: UserCollaborator[] }>(`/projects/${project_id}/users`, page)).collaborators;
};

/** In a form once its people are known: until then nobody was chosen or left out. */
const KNOWN = 'people_known';

/** The people that were chosen in a form with `PeopleFields`; nothing of them where they had not been loaded. */
export const chosenPeople = (values: FormData) =>
  values.has(KNOWN) ? { assignee_ids: values.getAll('assignee'), reviewer_ids: values.getAll('reviewer') } : {};

interface PeopleProps {
  readonly legend: string;
  readonly name: string;
  readonly nobody: string;
  readonly people: readonly UserCollaborator[];
  readonly chosen: readonly string[];
}

/** Who was chosen before and is no longer listed, as a member of a group, stays to be seen and left out. */
function People({ legend, name, nobody, people, chosen }: PeopleProps) {
  const listed = new Set(people.map(({ user_id }) => user_id));
  const others = chosen.filter((id) => !listed.has(id)).map((user_id) => ({ user_id, email: user_id }));
  return (
    <fieldset class="mb-3">
      <legend class="form-label fs-6">{legend}</legend>
      {[...people, ...others].map(({ user_id, email }) => (
        <Check key={user_id} label={email} name={name} value={user_id} checked={chosen.includes(user_id)} />
      ))}
      <div class="form-text">{nobody}</div>
    </fieldset>
  );
}
