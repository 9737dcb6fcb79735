export type ViewChanges = Readonly<Record<string, string | undefined>>;

/** A `/path?query` with words changed; undefined or an empty text takes a word away. */
export function changedPath(from: string, changes: ViewChanges): string {
  const [path = '/', query = ''] = from.split('?');
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  }
  return params.size > 0 ? `${path}?${params}` : path;
}
