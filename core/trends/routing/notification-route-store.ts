import type { SealedSecrets } from '../../integrations/secret-box.ts';
import type { SealedStore } from '../../integrations/secret-rotation.ts';
import type { RouteSettings, StoredRoute } from './notification-route.ts';

/** Routes of projects, with the secrets of their channels. Values handed in or out belong to the caller. They go with their project. */
export interface NotificationRouteStore extends SealedStore {
  insert(route: StoredRoute, secrets: SealedSecrets): Promise<void>;
  find(project_id: string, id: string): Promise<StoredRoute | undefined>;
  /** Oldest first. */
  list(project_id: string): Promise<StoredRoute[]>;
  /** Returns the route as it is then; undefined when there is none. */
  update(project_id: string, id: string, settings: RouteSettings): Promise<StoredRoute | undefined>;
  /** Returns whether there was one. */
  remove(project_id: string, id: string): Promise<boolean>;

  findSecrets(project_id: string, id: string): Promise<SealedSecrets | undefined>;
  /** Puts others in their place, made of those that are there: nobody changes them meanwhile. Nothing happens when there are none. */
  changeSecrets(project_id: string, id: string, change: (read: SealedSecrets) => SealedSecrets): Promise<void>;
}
