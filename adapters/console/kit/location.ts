import { signal } from '@preact/signals';

/**
 * The place in the console is what stands behind `#`, as `/path?query`. Servers and proxies never see it, so it works under
 * any path and keeps filters out of their logs.
 */
const current = (): string => location.hash.slice(1) || '/';
const place = signal(current());
addEventListener('hashchange', () => {
  place.value = current();
});

interface NavigateOptions {
  readonly replace?: boolean;
}

export const hrefOf = (path: string): string => `#${path}`;

export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  if (replace) history.replaceState(null, '', `#${to}`);
  else history.pushState(null, '', `#${to}`);
  place.value = current();
}

/** For the router: the path alone. */
export const useHashPath = (): [string, typeof navigate] => [place.value.split('?')[0]!, navigate];

export const useHashSearch = (): string => place.value.split('?')[1] ?? '';

export type ViewChanges = Readonly<Record<string, string | undefined>>;

/** What the address bar says of this view, and how to say it: undefined or an empty text takes a word away. */
export const useView = (): [URLSearchParams, (changes: ViewChanges) => void] => [
  new URLSearchParams(useHashSearch()),
  changeView,
];

function changeView(changes: ViewChanges): void {
  // The address itself: of a link that was just followed, `place` hears a moment later.
  const [path = '/', query = ''] = current().split('?');
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  }
  navigate(params.size > 0 ? `${path}?${params}` : path, { replace: true });
}
