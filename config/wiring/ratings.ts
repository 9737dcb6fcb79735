import { ratingRoutes } from '../../adapters/http/ratings/rating-routes.ts';
import { AgreementService } from '../../core/ratings/agreement-service.ts';
import { AnnotationTemplateService } from '../../core/ratings/annotation-template-service.ts';
import { RatingService } from '../../core/ratings/rating-service.ts';
import { capability, singleton } from './registration.ts';

export const ratings = capability({
  services: {
    ratingService: singleton(RatingService),
    agreementService: singleton(AgreementService),
    annotationTemplateService: singleton(AnnotationTemplateService),
  },
  routes: [ratingRoutes],
});
