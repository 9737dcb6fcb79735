import type { Api } from './api.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The project of that name; made when there is none. */
export async function ensureProject(api: Api, name: string): Promise<string> {
  const found = await api.get<Named[]>(`/projects?project_name=${encodeURIComponent(name)}&type=gen_ai`);
  const project = found.find((one) => one.name === name) ?? (await api.post<Named>('/projects', { name, type: 'gen_ai' }));
  return project.id;
}

/** The log stream of that name in the project; made when there is none. */
export async function ensureLogStream(api: Api, project_id: string, name: string): Promise<string> {
  const path = `/projects/${project_id}/log_streams`;
  const found = await api.get<Named[]>(path);
  const stream = found.find((one) => one.name === name) ?? (await api.post<Named>(path, { name }));
  return stream.id;
}
