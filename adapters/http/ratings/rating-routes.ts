import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import type { AgreementService } from '../../../core/ratings/agreement-service.ts';
import {
  AnnotationTemplate,
  AnnotationTemplateUpdate,
  NewAnnotationTemplate,
} from '../../../core/ratings/annotation-template.ts';
import type { AnnotationTemplateService } from '../../../core/ratings/annotation-template-service.ts';
import { Agreement } from '../../../core/ratings/rater-agreement.ts';
import { NewAnnotation, NewFeedback, RatingDone, type RatingService } from '../../../core/ratings/rating-service.ts';
import { type Route, route } from '../route.ts';
import { ProjectPath } from '../traces/trace-routes.ts';

const AgreementPath = z.object({ project_id: Id, run_id: Id, template_id: Id });
const TemplatePath = z.object({ project_id: Id, template_id: Id });
const Deleted = z.object({ message: z.string() }).meta({ id: 'AnnotationTemplateDeleted' });

const ratings = ({ ratingService }: { ratingService: RatingService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/feedback',
    operationId: 'giveFeedback',
    summary: 'Keep what a user of the application said of a trace or span; a null value takes it back.',
    tag: 'feedback and annotation',
    params: ProjectPath,
    body: NewFeedback,
    response: RatingDone,
    handle: ({ caller, params, body }) => ratingService.giveFeedback(caller, params.project_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/annotations',
    operationId: 'annotate',
    summary: "Keep one's own answer to an annotation template about a trace or span; a null value takes it back.",
    tag: 'feedback and annotation',
    params: ProjectPath,
    body: NewAnnotation,
    response: RatingDone,
    handle: ({ caller, params, body }) => ratingService.annotate(caller, params.project_id, body),
  }),
];

const templates = ({ annotationTemplateService }: { annotationTemplateService: AnnotationTemplateService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/annotation_templates',
    operationId: 'createAnnotationTemplate',
    summary: 'Make a question for annotators.',
    tag: 'feedback and annotation',
    params: ProjectPath,
    body: NewAnnotationTemplate,
    response: AnnotationTemplate,
    handle: ({ caller, params, body }) => annotationTemplateService.create(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/annotation_templates',
    operationId: 'listAnnotationTemplates',
    summary: 'The questions for annotators of a project.',
    tag: 'feedback and annotation',
    params: ProjectPath,
    response: z.array(AnnotationTemplate),
    handle: ({ caller, params }) => annotationTemplateService.list(caller, params.project_id),
  }),
  route({
    method: 'patch',
    path: '/v2/projects/{project_id}/annotation_templates/{template_id}',
    operationId: 'updateAnnotationTemplate',
    summary: 'Rename a question, or say it differently; its type stays.',
    tag: 'feedback and annotation',
    params: TemplatePath,
    body: AnnotationTemplateUpdate,
    response: AnnotationTemplate,
    handle: ({ caller, params, body }) => annotationTemplateService.update(caller, params.project_id, params.template_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/projects/{project_id}/annotation_templates/{template_id}',
    operationId: 'deleteAnnotationTemplate',
    summary: 'Delete a question with all answers to it.',
    tag: 'feedback and annotation',
    params: TemplatePath,
    response: Deleted,
    handle: ({ caller, params }) => annotationTemplateService.delete(caller, params.project_id, params.template_id),
  }),
];

const agreement = ({ agreementService }: { agreementService: AgreementService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/runs/{run_id}/annotation_templates/{template_id}/agreement',
    operationId: 'getRaterAgreement',
    summary: 'How far the raters of a question agree on the records of a run: alpha and kappas.',
    tag: 'feedback and annotation',
    params: AgreementPath,
    response: Agreement,
    handle: ({ caller, params: { project_id, run_id, template_id } }) =>
      agreementService.compute(caller, project_id, run_id, template_id),
  }),
];

export const ratingRoutes = (deps: {
  agreementService: AgreementService;
  ratingService: RatingService;
  annotationTemplateService: AnnotationTemplateService;
}): Route[] => [...ratings(deps), ...templates(deps), ...agreement(deps)];
