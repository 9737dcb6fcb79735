import { signal } from '@preact/signals';

const KEY = 'touchstone.density';
export type Density = 'compact' | 'comfortable';

/** Room around the rows of tables, as it was chosen here before. */
export const density = signal<Density>(localStorage.getItem(KEY) === 'comfortable' ? 'comfortable' : 'compact');

export function applyDensity(): void {
  document.documentElement.dataset.density = density.value;
}

export function switchDensity(): void {
  density.value = density.value === 'compact' ? 'comfortable' : 'compact';
  localStorage.setItem(KEY, density.value);
  applyDensity();
}
