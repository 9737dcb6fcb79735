import { disputedScores } from '../../core/annotation/disputed-scores.ts';
import {
  maskedCommentStore,
  maskedDatasetContentStore,
  maskedMetricSeriesStore,
  maskedRatingStore,
  maskedSessionStore,
  maskedSpanLogStore,
  maskedTraceStore,
} from '../../core/masking/masked-stores.ts';
import { promptLinkedTraceStore } from '../../core/prompts/prompt-linked-trace-store.ts';
import { filedTraceStore } from '../../core/traces/ingest/filed-trace-store.ts';
import type { Adapters, Cradle, Registrations } from '../cradle.ts';
import type { Registration } from './registration.ts';

/** The stores of any technology, those among them decorated that take what is sent to projects: calls are linked to their prompts, files are taken out of it, then it is masked; and that of scores, some of which put their record into a queue. */
export function maskedAdapters(adapters: Registrations<Adapters>): Registrations<Adapters> {
  const decorated = <T>(store: Registration<T, never>, mask: (store: T, cradle: Cradle) => T): Registration<T, never> => ({
    ...store,
    lifetime: 'SINGLETON',
    resolve: (container) => mask(store.resolve(container), container.cradle as unknown as Cradle),
  });
  return {
    ...adapters,
    traceStore: decorated(adapters.traceStore, (store, { projectMasking, fileIntake, promptLinks }) =>
      promptLinkedTraceStore(filedTraceStore(maskedTraceStore(store, projectMasking), fileIntake), promptLinks),
    ),
    spanLogStore: decorated(adapters.spanLogStore, (store, { projectMasking }) => maskedSpanLogStore(store, projectMasking)),
    metricSeriesStore: decorated(adapters.metricSeriesStore, (store, { projectMasking }) =>
      maskedMetricSeriesStore(store, projectMasking),
    ),
    sessionStore: decorated(adapters.sessionStore, (store, { projectMasking }) => maskedSessionStore(store, projectMasking)),
    ratingStore: decorated(adapters.ratingStore, (store, { projectMasking }) => maskedRatingStore(store, projectMasking)),
    commentStore: decorated(adapters.commentStore, (store, { projectMasking }) => maskedCommentStore(store, projectMasking)),
    scoreStore: decorated(adapters.scoreStore, (store, { annotationQueueStore, transactions }) =>
      disputedScores(store, { annotationQueueStore, transactions }),
    ),
    datasetContentStore: decorated(adapters.datasetContentStore, (store, { datasetStore, projectMasking }) =>
      maskedDatasetContentStore(store, datasetStore, projectMasking),
    ),
  };
}
