/** The only door of `touchstone/testing`: the services, or the whole service, on memory adapters, for tests. */
export { factory, singleton, value } from '../config/wiring/registration.ts';
export { FIRST_ADMIN } from './first-admin.ts';
export { type OpenedServices, openServices, type ServicesSettings } from './open-services.ts';
export type { Reply } from './send-json.ts';
export { type ServiceSettings, type StartedService, startService } from './start-service.ts';
