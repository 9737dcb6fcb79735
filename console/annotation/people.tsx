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

/** The people that were chosen in a form with `PeopleFields`. */
export const chosenPeople = (values: FormData) => ({
  assignee_ids: values.getAll('assignee'),
  reviewer_ids: values.getAll('reviewer'),
});

interface PeopleProps {
  readonly legend: string;
  readonly name: string;
  readonly nobody: string;
  readonly people: readonly UserCollaborator[];
  readonly chosen: readonly string[];
}

const People = ({ legend, name, nobody, people, chosen }: PeopleProps) => (
  <fieldset class="mb-3">
    <legend class="form-label fs-6">{legend}</legend>
    {people.map(({ user_id, email }) => (
      <Check key={user_id} label={email} name={name} value={user_id} checked={chosen.includes(user_id)} />
    ))}
    <div class="form-text">{nobody}</div>
  </fieldset>
);
