import { randomUUID } from 'node:crypto';
import type { Ids, Row } from '../row.ts';
import { anew } from '../row-helpers.ts';

const ofTemplate = { template_id: 'annotation_template_id' } as const;
const ofRecord = { record_id: 'trace_id' } as const;
const named = (): string => randomUUID();
const onTrace = ({ log_stream_id, trace_id }: Ids) => ({ log_stream_id, record_id: trace_id });

const RATINGS: readonly Row[] = [
  {
    operation: 'giveFeedback',
    on: 'project',
    needs: 'editor',
    body: (ids) => ({ ...onTrace(ids), feedback_type: 'star', value: 3 }),
    mixed: { log_stream_id: 404, trace_id: 404 },
  },
  {
    operation: 'annotate',
    on: 'project',
    needs: 'annotator',
    body: (ids) => ({ ...onTrace(ids), template_id: ids.annotation_template_id, value: 3 }),
    mixed: { log_stream_id: 404, trace_id: 404, annotation_template_id: 404 },
  },
  {
    operation: 'createAnnotationTemplate',
    on: 'project',
    needs: 'editor',
    body: () => ({ ...anew(), annotation_type: 'text' }),
  },
  { operation: 'listAnnotationTemplates', on: 'project', needs: 'viewer' },
  {
    operation: 'getRaterAgreement',
    on: 'project',
    needs: 'viewer',
    path: { ...ofTemplate, run_id: 'log_stream_id' },
    mixed: { annotation_template_id: 404, log_stream_id: 404 },
  },
  {
    operation: 'updateAnnotationTemplate',
    on: 'project',
    needs: 'editor',
    path: ofTemplate,
    body: anew,
    mixed: { annotation_template_id: 404 },
  },
  {
    operation: 'deleteAnnotationTemplate',
    on: 'project',
    needs: 'editor',
    path: ofTemplate,
    mixed: { annotation_template_id: 404 },
  },
];

const COMMENTS: readonly Row[] = [
  {
    operation: 'createComment',
    on: 'project',
    needs: 'annotator',
    body: (ids) => ({ ...onTrace(ids), text: 'why so slow?' }),
    mixed: { log_stream_id: 404, trace_id: 404 },
  },
  { operation: 'listComments', on: 'project', needs: 'viewer' },
  // The fixture's comment is another user's.
  {
    operation: 'updateComment',
    on: 'project',
    needs: 'annotator',
    body: () => ({ text: 'changed' }),
    ok: 403,
    mixed: { comment_id: 404 },
  },
  { operation: 'deleteComment', on: 'project', needs: 'editor', mixed: { comment_id: 404 } },
];

const BOOKMARKS: readonly Row[] = [
  {
    operation: 'putBookmark',
    on: 'project',
    needs: 'viewer',
    path: ofRecord,
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404, trace_id: 404 },
  },
  { operation: 'listBookmarks', on: 'project', needs: 'viewer' },
  // One that is not there is gone, too.
  {
    operation: 'deleteBookmark',
    on: 'project',
    needs: 'viewer',
    path: ofRecord,
    query: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404, trace_id: 200 },
  },
];

const VIEWS: readonly Row[] = [
  {
    operation: 'createSavedView',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id }) => ({
      name: named(),
      is_shared: true,
      state: { record_type: 'trace', run_ids: [log_stream_id] },
    }),
    mixed: { log_stream_id: 404 },
  },
  { operation: 'listSavedViews', on: 'project', needs: 'viewer' },
  { operation: 'getSavedView', on: 'project', needs: 'viewer', mixed: { view_id: 404 } },
  { operation: 'updateSavedView', on: 'project', needs: 'editor', body: anew, mixed: { view_id: 404 } },
  { operation: 'deleteSavedView', on: 'project', needs: 'editor', mixed: { view_id: 404 } },
];

const QUEUES: readonly Row[] = [
  {
    operation: 'createAnnotationQueue',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, annotation_template_id, trace_id }) => ({
      log_stream_id,
      name: named(),
      template_ids: [annotation_template_id],
      record_ids: [trace_id],
    }),
    mixed: { log_stream_id: 404, annotation_template_id: 404, trace_id: 422 },
  },
  { operation: 'listAnnotationQueues', on: 'project', needs: 'viewer' },
  { operation: 'getAnnotationQueue', on: 'project', needs: 'viewer', mixed: { queue_id: 404 } },
  { operation: 'deleteAnnotationQueue', on: 'project', needs: 'editor', mixed: { queue_id: 404 } },
  {
    operation: 'addAnnotationItems',
    on: 'project',
    needs: 'editor',
    body: ({ trace_id }) => ({ record_ids: [trace_id] }),
    mixed: { queue_id: 404, trace_id: 422 },
  },
  { operation: 'updateAnnotationQueue', on: 'project', needs: 'editor', body: anew, mixed: { queue_id: 404 } },
  { operation: 'listAnnotationItems', on: 'project', needs: 'viewer', mixed: { queue_id: 404 } },
  { operation: 'getAnnotationProgress', on: 'project', needs: 'viewer', mixed: { queue_id: 404 } },
  {
    operation: 'getAnnotationQueueAgreement',
    on: 'project',
    needs: 'viewer',
    path: ofTemplate,
    mixed: { queue_id: 404, annotation_template_id: 404 },
  },
  // The fixture's queue names no scorer.
  { operation: 'getAnnotationQueueHealth', on: 'project', needs: 'annotator', ok: 422, mixed: { queue_id: 404 } },
  {
    operation: 'addWeighedVersion',
    on: 'project',
    needs: 'annotator',
    body: ({ annotation_template_id }) => ({ template_id: annotation_template_id }),
    ok: 422,
    mixed: { queue_id: 404, annotation_template_id: 404 },
  },
  // A record that the queue does not have is not reserved, which is what was asked for.
  {
    operation: 'releaseAnnotationTask',
    on: 'project',
    needs: 'annotator',
    path: ofRecord,
    mixed: { queue_id: 404, trace_id: 200 },
  },
  // The fixture's queue names no reviewers and waits for annotators.
  { operation: 'nextAnnotationReview', on: 'project', needs: 'editor', mixed: { queue_id: 404 } },
  {
    operation: 'reviewAnnotationTask',
    on: 'project',
    needs: 'editor',
    path: ofRecord,
    body: ({ annotation_template_id }) => ({ answers: [{ template_id: annotation_template_id, value: 3 }] }),
    ok: 404,
    mixed: { queue_id: 404, trace_id: 404, annotation_template_id: 404 },
  },
  { operation: 'nextAnnotationTask', on: 'project', needs: 'annotator', mixed: { queue_id: 404 } },
  {
    operation: 'answerAnnotationTask',
    on: 'project',
    needs: 'annotator',
    path: ofRecord,
    body: ({ annotation_template_id }) => ({ answers: [{ template_id: annotation_template_id, value: 3 }] }),
    mixed: { queue_id: 404, trace_id: 404, annotation_template_id: 404 },
  },
  {
    // The dataset is looked for once the project allows it, and nobody here sees it.
    operation: 'exportAnnotationTruth',
    on: 'project',
    needs: 'viewer',
    body: ({ dataset_id, annotation_template_id }) => ({ dataset_id, template_id: annotation_template_id }),
    ok: 404,
    mixed: { queue_id: 404, annotation_template_id: 404, dataset_id: 404 },
  },
];

export const RATING_ROWS: readonly Row[] = [...RATINGS, ...COMMENTS, ...BOOKMARKS, ...VIEWS, ...QUEUES];
