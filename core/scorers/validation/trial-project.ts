import type { Caller } from '../../access/caller.ts';
import { findOrInsert } from '../../projects/find-or-insert.ts';
import { insertProject, type NewProjectDeps } from '../../projects/new-project.ts';

/** Kept apart from the projects that applications log to. */
const TYPE = 'prompt_evaluation';

/**
 * Where a trial on dataset rows goes: the project that is named, else the one that the caller's key is made for, else a project of
 * the caller's own for trials, which is made when it is first needed. Rejects as creating a run there does.
 */
export async function trialProject(deps: NewProjectDeps, caller: Caller, named: string | undefined): Promise<string> {
  const given = named ?? caller.project_id;
  if (given) {
    await deps.authorizer.authorize(caller, 'project', given, 'create_run');
    return given;
  }
  deps.authorizer.authorizeInOrganization(caller, 'create_object');
  const project = { name: `Scorer trials of ${caller.user_id}`, type: TYPE, created_by: caller.user_id } as const;
  const own = await findOrInsert(
    () => deps.projectStore.findProjectByName(TYPE, project.name),
    () => insertProject(deps, caller, project),
  );
  await deps.authorizer.authorize(caller, 'project', own.id, 'create_run');
  return own.id;
}
