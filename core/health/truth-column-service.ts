import { z } from 'zod';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { datasetEvent, datasetNotFound } from '../datasets/dataset.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import { ColumnName } from '../datasets/row.ts';
import type { Column } from '../datasets/version.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Transactions } from '../kernel/ports.ts';
import { Id } from '../kernel/text.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { TruthColumns } from './truth-columns.ts';

const MAX_SCORERS = 1_000;

/** Columns by the ids of scorers; null takes the choice back. Scorers that are not named keep theirs. */
export const TruthColumnChoices = z
  .object({
    columns: z
      .record(Id, ColumnName.nullable())
      .refine((columns) => Object.keys(columns).length <= MAX_SCORERS, { message: `more than ${MAX_SCORERS} scorers` }),
  })
  .meta({ id: 'TruthColumnChoices' });
export type TruthColumnChoices = z.output<typeof TruthColumnChoices>;

/** The names that the chosen columns have now; one that is gone has none. */
export const TruthColumnMap = z.object({ columns: z.record(z.string(), z.string()) }).meta({ id: 'TruthColumns' });
export type TruthColumnMap = z.output<typeof TruthColumnMap>;

export interface TruthColumnDeps {
  readonly truthColumns: TruthColumns;
  readonly datasetContentStore: DatasetContentStore;
  readonly scorerStore: ScorerStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** In which column of a dataset ground truth for each scorer is. */
export class TruthColumnService {
  readonly #deps: TruthColumnDeps;

  constructor(deps: TruthColumnDeps) {
    this.#deps = deps;
  }

  async list(caller: Caller, dataset_id: string): Promise<TruthColumnMap> {
    await this.#deps.authorizer.authorize(caller, 'dataset', dataset_id, 'read');
    return this.#view(dataset_id, await this.#columns(dataset_id));
  }

  /** All of the choices or none: rejects when a column is not in the current version, or a scorer is not there. */
  async choose(caller: Caller, dataset_id: string, choices: TruthColumnChoices): Promise<TruthColumnMap> {
    const { authorizer, truthColumns, transactions, auditTrail } = this.#deps;
    await authorizer.authorize(caller, 'dataset', dataset_id, 'update');
    const columns = await this.#columns(dataset_id);
    const wanted = Object.entries(choices.columns);
    await this.#refuseUnknown(wanted, columns);
    await transactions.run(async () => {
      for (const [scorer_id, name] of wanted) await truthColumns.choose(dataset_id, scorer_id, getKey(columns, name) ?? null);
      await auditTrail.note(caller, datasetEvent('choose_truth_columns', dataset_id, { scorers: wanted.length }));
    });
    return this.#view(dataset_id, columns);
  }

  async #view(dataset_id: string, columns: readonly Column[]): Promise<TruthColumnMap> {
    const chosen = await this.#deps.truthColumns.list(dataset_id);
    const scorers = await this.#deps.scorerStore.findMany([...chosen.keys()]);
    const named = scorers.flatMap(({ id }) => {
      const column = columns.find(({ key }) => key === chosen.get(id));
      return column ? [[id, column.name] as const] : [];
    });
    return { columns: Object.fromEntries(named) };
  }

  async #columns(dataset_id: string): Promise<readonly Column[]> {
    const version = await this.#deps.datasetContentStore.findVersion(dataset_id);
    if (!version) throw datasetNotFound(dataset_id);
    return version.columns;
  }

  async #refuseUnknown(wanted: readonly (readonly [string, string | null])[], columns: readonly Column[]): Promise<void> {
    const scorers = await this.#deps.scorerStore.findMany(wanted.map(([scorer_id]) => scorer_id));
    const known = new Set(scorers.map(({ id }) => id));
    const issues = wanted.flatMap(([scorer_id, name]): Issue[] => {
      const loc = ['body', 'columns', scorer_id];
      if (!known.has(scorer_id)) return [{ loc, msg: 'there is no such scorer', type: 'scorer_not_found', input: scorer_id }];
      if (name === null || getKey(columns, name) !== undefined) return [];
      return [{ loc, msg: 'there is no such column', type: 'column_unknown', input: name }];
    });
    if (issues.length > 0) throw new AppError('invalid', 'truth_columns_invalid', 'columns or scorers are not there', { issues });
  }
}

const getKey = (columns: readonly Column[], name: string | null): number | undefined =>
  columns.find((column) => column.name === name)?.key;
