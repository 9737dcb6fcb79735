/**
 * Does a piece of work in one project after the other. One in which it fails does not keep the others waiting: the first
 * failure is thrown once all have had their turn.
 */
export async function inEachProject<T>(
  projects: readonly { readonly project_id: string }[],
  work: (project_id: string) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const failures: unknown[] = [];
  for (const { project_id } of projects) {
    try {
      results.push(await work(project_id));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return results;
}
