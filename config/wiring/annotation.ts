import { annotationQueueRoutes } from '../../adapters/http/annotation/annotation-queue-routes.ts';
import { AnnotationQueueService } from '../../core/annotation/annotation-queue-service.ts';
import { TruthExportService } from '../../core/annotation/truth-export-service.ts';
import { capability, singleton } from './registration.ts';

export const annotation = capability({
  services: {
    annotationQueueService: singleton(AnnotationQueueService),
    truthExportService: singleton(TruthExportService),
  },
  routes: [annotationQueueRoutes],
});
