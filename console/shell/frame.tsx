import type { ComponentChildren } from 'preact';
import type { UserView } from '../../core/access/users/user.ts';
import { get } from '../api/client.ts';
import { signOut } from '../api/sign-in.ts';
import { toHref, useHashPath } from '../kit/location.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { density, switchDensity } from './density.ts';
import { useKeptFocus } from './keep-focus.ts';
import { switchTheme, theme } from './theme.ts';

const AREAS = [
  { label: 'Projects', path: '/' },
  { label: 'Datasets', path: '/datasets' },
  { label: 'Prompts', path: '/prompts' },
  { label: 'Scorers', path: '/scorers' },
  { label: 'Integrations', path: '/integrations' },
  { label: 'People', path: '/people' },
] as const;

/** Places that stand in an area without beginning as it does. */
const WITHIN: Readonly<Record<string, string>> = { '/': '/projects', '/people': '/audit' };

/** Frame around every view: navigation, the current place, the signed-in person. */
export function Frame({ children }: { children: ComponentChildren }) {
  const [path] = useHashPath();
  useKeptFocus(path);
  const user = useLoaded('current_user', () => get<UserView>('/current_user')).value;
  return (
    <>
      <button type="button" class="btn btn-sm btn-primary visually-hidden-focusable" onClick={skipToMain}>
        Skip to content
      </button>
      <header class="navbar top px-3 py-0">
        <a class="navbar-brand d-flex align-items-center gap-2" href="#/" aria-label="Touchstone">
          <img src="./icon.svg" alt="" width="22" height="22" />
          <span class="wide-only">Touchstone</span>
        </a>
        <Areas />
        <div class="ms-auto d-flex align-items-center gap-2">
          <PaletteButton />
          <a class="btn btn-sm btn-link wide-only" href="docs/guide/">
            Docs
          </a>
          <a class="btn btn-sm btn-link wide-only" href="docs/">
            API
          </a>
          <button type="button" class="btn btn-sm btn-link wide-only" title="Row density" onClick={switchDensity}>
            {density.value === 'compact' ? 'Comfortable' : 'Compact'}
          </button>
          <button type="button" class="btn btn-sm btn-link" onClick={switchTheme}>
            {theme.value === 'dark' ? 'Light' : 'Dark'}
          </button>
          {user && <span class="small text-body-secondary wide-only">{user.email}</span>}
          <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" class="container-fluid py-3" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Areas() {
  const [path] = useHashPath();
  const isIn = (area: string): boolean =>
    (area === '/' ? path === '/' : path.startsWith(area)) || path.startsWith(WITHIN[area] ?? area);
  return (
    <nav aria-label="Areas">
      <ul class="nav">
        {AREAS.map((area) => (
          <li class="nav-item" key={area.path}>
            <a
              class={`nav-link ${isIn(area.path) ? 'active' : ''}`}
              aria-current={isIn(area.path) ? 'page' : undefined}
              href={toHref(area.path)}
            >
              {area.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A link to `#main` would be taken for a place of the console. */
function skipToMain(): void {
  document.querySelector<HTMLElement>('#main')?.focus();
}
