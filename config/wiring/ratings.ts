import { annotationQueueRoutes } from '../../adapters/http/ratings/annotation-queue-routes.ts';
import { ratingRoutes } from '../../adapters/http/ratings/rating-routes.ts';
import { AnnotationQueueService } from '../../core/ratings/annotation-queue-service.ts';
import { AnnotationTemplateService } from '../../core/ratings/annotation-template-service.ts';
import { RatingService } from '../../core/ratings/rating-service.ts';
import { TruthExportService } from '../../core/ratings/truth-export-service.ts';
import { capability, singleton } from './registration.ts';

export const ratings = capability({
  services: {
    ratingService: singleton(RatingService),
    annotationTemplateService: singleton(AnnotationTemplateService),
    annotationQueueService: singleton(AnnotationQueueService),
    truthExportService: singleton(TruthExportService),
  },
  routes: [ratingRoutes, annotationQueueRoutes],
});
