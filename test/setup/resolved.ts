import { createContainer } from 'awilix';
import type { Registrations } from '../../config/cradle.ts';

/** What registrations make, by name. */
export function resolved<T extends object>(registrations: Registrations<T>): T {
  const container = createContainer<T>();
  container.register(registrations as never);
  return container.cradle;
}
