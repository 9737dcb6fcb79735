import { signal } from '@preact/signals';
import { changedPath, type ViewChanges } from './view-changes.ts';

export type { ViewChanges } from './view-changes.ts';

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

export const toHref = (path: string): string => `#${path}`;

export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  goTo(to, replace, null);
}

function goTo(to: string, replace: boolean, state: unknown): void {
  if (replace) history.replaceState(state, '', `#${to}`);
  else history.pushState(state, '', `#${to}`);
  place.value = current();
}

/** For the router: the path alone. */
export const useHashPath = (): [string, typeof navigate] => [place.value.split('?')[0]!, navigate];

export const useHashSearch = (): string => place.value.split('?')[1] ?? '';

/**
 * How the browser's Back takes a change: `step`, undone by itself; `typing`, undone together with what was typed just before
 * in the same field; `unnoticed`, not at all, for moves within a view such as from step to step.
 */
export type ChangeKind = 'step' | 'typing' | 'unnoticed';

/** Query parameters of this view, and a function to change them: undefined or an empty text removes one. */
export const useView = (): [URLSearchParams, (changes: ViewChanges, kind?: ChangeKind) => void] => [
  new URLSearchParams(useHashSearch()),
  changeView,
];

function changeView(changes: ViewChanges, kind: ChangeKind = 'step'): void {
  // The address itself: of a link that was just followed, `place` hears a moment later.
  const to = changedPath(current(), changes);
  if (to === current()) return;
  const typed = kind === 'typing' ? `typed ${Object.keys(changes)}` : null;
  const isTypedOn = typed !== null && history.state === typed;
  goTo(to, isTypedOn || kind === 'unnoticed', typed);
}
