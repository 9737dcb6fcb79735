import { columnRoutes } from '../../adapters/http/columns/column-routes.ts';
import { ColumnService } from '../../core/columns/column-service.ts';
import { capability, singleton } from './registration.ts';

export const columns = capability({
  services: {
    columnService: singleton(ColumnService),
  },
  routes: [columnRoutes],
});
