import { commentRoutes } from '../../adapters/http/comments/comment-routes.ts';
import { CommentService } from '../../core/comments/comment-service.ts';
import { capability, singleton } from './registration.ts';

export const comments = capability({
  services: { commentService: singleton(CommentService) },
  routes: [commentRoutes],
});
