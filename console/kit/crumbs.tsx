import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { toHref } from './location.ts';

interface CrumbsProps {
  readonly crumbs: readonly { readonly label: string; readonly path: string }[];
  readonly title: string;
  /** Actions on the right. */
  readonly children?: ComponentChildren;
}

/** The way here, and the heading of the view, which also names the browser's tab. */
export function Crumbs({ crumbs, title, children }: CrumbsProps) {
  useEffect(() => {
    document.title = `${title} · Touchstone`;
  }, [title]);
  return (
    <div class="crumbs d-flex flex-wrap gap-2 align-items-center mb-2">
      <div class="me-auto">
        <nav aria-label="Way here" class="small">
          {crumbs.map(({ label, path }) => (
            <span key={path}>
              <a href={toHref(path)}>{label}</a>
              <span class="text-body-secondary"> / </span>
            </span>
          ))}
        </nav>
        <h1 class="h4 mb-0" dir="auto">
          {title}
        </h1>
      </div>
      {children && <div class="toolbar d-flex flex-wrap gap-2 align-items-center">{children}</div>}
    </div>
  );
}
