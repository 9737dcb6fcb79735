import type { VisibleStep } from './steps/visible-steps.ts';

export type TreeMove = { readonly select: number } | { readonly fold: number } | { readonly unfold: number };

const PAGE = 10;

/**
 * Move that a key makes in a tree, by the usage of such trees: up and down, first and last; right opens and then goes
 * in, left closes and then goes out. Undefined when it does nothing. Numbers are places among the visible steps.
 */
export function toMove(key: string, visible: readonly VisibleStep[], at: number): TreeMove | undefined {
  const last = visible.length - 1;
  const to = (place: number): TreeMove => ({ select: Math.max(0, Math.min(last, place)) });
  if (last < 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'PageDown':
      return to(at + PAGE);
    case 'PageUp':
      return to(at - PAGE);
    case 'Home':
      return to(0);
    case 'End':
      return to(last);
    case 'ArrowRight':
      return inwards(visible, at);
    case 'ArrowLeft':
      return outwards(visible, at);
    default:
      return undefined;
  }
}

function inwards(visible: readonly VisibleStep[], at: number): TreeMove | undefined {
  const expanded = visible[at]?.expanded;
  if (expanded === undefined) return undefined;
  return expanded ? { select: at + 1 } : { unfold: at };
}

function outwards(visible: readonly VisibleStep[], at: number): TreeMove | undefined {
  const current = visible[at];
  if (current?.expanded) return { fold: at };
  const parent = current?.step.parent;
  return parent ? { select: visible.findIndex(({ step }) => step === parent) } : undefined;
}
