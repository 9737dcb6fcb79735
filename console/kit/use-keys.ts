import { useLayoutEffect, useRef } from 'preact/hooks';

/** Whether somebody is typing there, so that a letter is a letter. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], dialog[open]') !== null;

/** Single keys of a view, by their names. Nothing is taken from fields, from dialogs, or from what the browser does with modifiers. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const newest = useRef(keys);
  newest.current = keys;
  // With the page itself: an effect after it would lose the key of somebody who is quick.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const action = Object.hasOwn(newest.current, event.key) ? newest.current[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
