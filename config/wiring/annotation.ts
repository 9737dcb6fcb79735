import { annotationQueueRoutes } from '../../adapters/http/annotation/annotation-queue-routes.ts';
import { annotationTaskRoutes } from '../../adapters/http/annotation/annotation-task-routes.ts';
import { AnnotationProgressService } from '../../core/annotation/annotation-progress-service.ts';
import { AnnotationQueueService } from '../../core/annotation/annotation-queue-service.ts';
import { AnnotationTaskService } from '../../core/annotation/annotation-task-service.ts';
import { TruthExportService } from '../../core/annotation/truth-export-service.ts';
import { capability, singleton } from './registration.ts';

export const annotation = capability({
  services: {
    annotationQueueService: singleton(AnnotationQueueService),
    annotationTaskService: singleton(AnnotationTaskService),
    annotationProgressService: singleton(AnnotationProgressService),
    truthExportService: singleton(TruthExportService),
  },
  routes: [annotationQueueRoutes, annotationTaskRoutes],
});
