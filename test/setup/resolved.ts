import { createContainer } from 'awilix';
import type { Registrations } from '../../config/cradle.ts';

/** Values that registrations make, by name. */
export function resolved<T extends object>(registrations: Registrations<T>): T {
  const container = createContainer<T>();
  container.register(registrations as never);
  return container.cradle;
}
