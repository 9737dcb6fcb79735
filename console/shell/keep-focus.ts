import { useEffect, useRef } from 'preact/hooks';

/** Beyond this the list is likely another one by now, and whoever waits has gone on by hand. */
const WAIT_MS = 10_000;

/**
 * Keeps the focus in the page when its view changes. The link that was followed goes with its view, and browsers then drop the
 * focus to the body, from where the keyboard begins all over: it goes to the new view, and on the way back to the link that
 * was left by.
 */
export function useKeptFocus(path: string): void {
  const leftBy = useRef(new Map<string, string>());
  const shown = useRef(path);
  useEffect(() => {
    const remember = (event: MouseEvent): void => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('#main a[href^="#"]');
      if (link) leftBy.current.set(shown.current, link.getAttribute('href')!);
    };
    document.addEventListener('click', remember, true);
    return () => document.removeEventListener('click', remember, true);
  }, []);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    if (isLost()) focusMain();
    const href = leftBy.current.get(path);
    return href === undefined ? undefined : whenThere(`#main a[href="${CSS.escape(href)}"]`);
  }, [path]);
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

const focusMain = (): void => document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });

/** Focuses an element once it is drawn, unless somebody went elsewhere meanwhile. Returns how to stop. */
function whenThere(selector: string): () => void {
  const find = (): boolean => {
    const found = document.querySelector<HTMLElement>(selector);
    const isFree = isLost() || document.activeElement?.id === 'main';
    if (found && isFree) found.focus();
    return found !== null || !isFree;
  };
  const watching = new MutationObserver(() => find() && watching.disconnect());
  if (!find()) watching.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => watching.disconnect(), WAIT_MS);
  return () => {
    clearTimeout(timer);
    watching.disconnect();
  };
}
