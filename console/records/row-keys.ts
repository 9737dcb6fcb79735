const LINK = 'a.record-link';

/** Moves the focus from a row's link to that of another row, as the key says. Returns false for any other key. */
export function rowReachedBy({ key, target }: KeyboardEvent): boolean {
  const here = (target as HTMLElement).closest<HTMLAnchorElement>(LINK);
  const links = [...(here?.closest('tbody')?.querySelectorAll<HTMLAnchorElement>(LINK) ?? [])];
  const at = here ? links.indexOf(here) : -1;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[key];
  if (to === undefined) return false;
  const link = links[Math.min(Math.max(to, 0), links.length - 1)];
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
  return true;
}
