export { init, type NewFeedback, Touchstone } from './client.ts';
export type { DatasetHandle, StoredRow } from './datasets.ts';
export type { Evaluation, EvaluationOptions, Scorer } from './evaluate.ts';
export type { Prompt, PromptOptions } from './prompts.ts';
export { TouchstoneError } from './service.ts';
export type { ClientOptions } from './settings.ts';
export type { SpanOptions, SpanType } from './tracing.ts';
