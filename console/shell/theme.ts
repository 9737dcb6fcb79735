import { signal } from '@preact/signals';

const KEY = 'touchstone.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
export type Theme = 'light' | 'dark';

/** The theme chosen here before, else that of the system. */
export const theme = signal<Theme>((localStorage.getItem(KEY) as Theme | null) ?? (dark.matches ? 'dark' : 'light'));

export function applyTheme(): void {
  document.documentElement.dataset.bsTheme = theme.value;
}

export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, theme.value);
  applyTheme();
}
