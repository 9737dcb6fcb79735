import { randomUUID } from 'node:crypto';
import type { CallerFacts, Facts } from './row.ts';

export const address = (): { email: string } => ({ email: `${randomUUID()}@example.org` });
export const anew = (): { name: string } => ({ name: randomUUID() });
export const seesAllGroups = ({ role }: CallerFacts): boolean => role === 'admin' || role === 'manager';
export const mayCreate = ({ role, key_project, key_role }: CallerFacts): boolean =>
  role !== 'read_only' && key_project === null && key_role === null;
export const hasPlainKey = ({ key_project, key_role }: CallerFacts): boolean => key_project === null && key_role === null;

export function file(name: string, text: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([text]), name);
  return form;
}

/** Who takes himself off needs no more than to be on. A limited key does not speak for the whole of its user. */
export function leaving(usual: number, { caller, relation, role }: Facts): number {
  const isCollaborator = ['own', 'editor', 'annotator', 'viewer'].includes(relation);
  if (role === null || usual === 422) return usual;
  if (role !== 'owner' && !hasPlainKey(caller)) return 403;
  return isCollaborator ? 200 : 404;
}
