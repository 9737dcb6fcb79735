export type { BaselineGate } from './baseline-gate.ts';
export { init, type NewFeedback, Touchstone } from './client.ts';
export type { DatasetHandle, StoredRow } from './datasets.ts';
export type { Evaluation, EvaluationOptions, Scorer } from './evaluate.ts';
export type { Prompt, PromptOptions } from './prompts.ts';
export type { RecordIds } from './record-ids.ts';
export { TouchstoneError } from './service.ts';
export type { ClientOptions } from './settings.ts';
export type { NewScore, SpanOptions, SpanType } from './tracing.ts';
