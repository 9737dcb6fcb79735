import { bookmarkRoutes } from '../../adapters/http/bookmarks/bookmark-routes.ts';
import { BookmarkService } from '../../core/bookmarks/bookmark-service.ts';
import { capability, singleton } from './registration.ts';

export const bookmarks = capability({
  services: { bookmarkService: singleton(BookmarkService) },
  routes: [bookmarkRoutes],
});
