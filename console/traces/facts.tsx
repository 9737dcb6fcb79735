import type { ComponentChildren } from 'preact';

/** Short facts in a row. */
export const Facts = ({ children }: { children: ComponentChildren }) => (
  <div class="d-flex flex-wrap column-gap-4 row-gap-1 align-items-center mb-2">{children}</div>
);

export const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <span class="text-nowrap">
    <span class="text-body-secondary small">{label}</span> {children}
  </span>
);
