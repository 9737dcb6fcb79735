import { toHref } from './location.ts';

export interface Tab {
  readonly label: string;
  readonly path: string;
}

/** Places beside each other, as links: each has an address of its own. */
export const Tabs = ({ label, tabs, active }: { label: string; tabs: readonly Tab[]; active: string }) => (
  <nav aria-label={label}>
    <ul class="nav nav-underline mb-3">
      {tabs.map((tab) => (
        <li class="nav-item" key={tab.path}>
          <a
            class={`nav-link ${tab.path === active ? 'active' : ''}`}
            aria-current={tab.path === active ? 'page' : undefined}
            href={toHref(tab.path)}
          >
            {tab.label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
