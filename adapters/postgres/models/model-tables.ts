import { defineEntity, p } from '@mikro-orm/core';
import type { Completion, ModelPrice } from '../../../core/plugin-sdk/index.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Answers of models that could be used, by a hash of what was asked. */
export const JudgeAnswerTable = defineEntity({
  name: 'JudgeAnswerRow',
  tableName: 'judge_answers',
  properties: {
    project_id: uuid().primary(),
    key: text().primary(),
    run_id: uuid(),
    completion: jsonb<Completion>(),
    expires_at: timestamp(),
  },
  indexes: [{ name: 'judge_answers_expires_at_index', properties: ['expires_at'] }],
});

/** Calls of models, their tokens and their money, by day. */
export const ModelSpendingTable = defineEntity({
  name: 'ModelSpendingRow',
  tableName: 'model_spending',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    scorer_id: uuid().primary(),
    scorer_version_id: uuid().primary(),
    user_id: uuid().primary(),
    purpose: text().primary(),
    provider: text().primary(),
    model: text().primary(),
    day: p.date().$type<string>().primary(),
    calls: p.bigint(),
    failed_calls: p.bigint(),
    unpriced_calls: p.bigint(),
    cached_answers: p.bigint(),
    input_tokens: p.bigint(),
    output_tokens: p.bigint(),
    cost: p.double(),
  },
  indexes: [
    { name: 'model_spending_day_index', properties: ['project_id', 'day'] },
    { name: 'model_spending_of_all_index', properties: ['day'] },
  ],
});

/** Own prices of a project, whether it forbids models without a price, and its budget; under the nil UUID those of the organisation. */
export const ModelPriceTable = defineEntity({
  name: 'ModelPriceRow',
  tableName: 'model_prices',
  properties: {
    project_id: uuid().primary(),
    prices: jsonb<readonly ModelPrice[]>(),
    forbids_unpriced: p.boolean().default(false),
    daily_budget: p.double().nullable(),
    monthly_budget: p.double().nullable(),
  },
});

export const modelTables = [JudgeAnswerTable, ModelSpendingTable, ModelPriceTable];
