import { z } from 'zod';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { namedValues } from '../datasets/cells.ts';
import { datasetNotFound } from '../datasets/dataset.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import { readSlice } from '../datasets/stored-rows.ts';
import { versionNotFound } from '../datasets/version.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { Id } from '../kernel/text.ts';
import { mapIn, renderText, sampleFor, type Values, variablesIn } from './render.ts';

const MAX_TEXT = 1_000_000;

export const RenderRequest = z
  .object({
    template: z.string().max(MAX_TEXT),
    data: z.union([
      z.object({ dataset_id: Id, dataset_version_index: z.int().min(0).max(2_147_483_647).nullish() }),
      z.object({ input_strings: z.array(z.string().max(MAX_TEXT)).max(10_000) }),
    ]),
  })
  .meta({ id: 'RenderTemplateRequest' });
export type RenderRequest = z.output<typeof RenderRequest>;

export const RenderedTemplate = z.object({ result: z.string(), warning: z.string().nullable() }).meta({ id: 'RenderedTemplate' });
export type RenderedTemplate = z.output<typeof RenderedTemplate>;

export const InputStubRequest = z
  .object({ templates: z.array(z.string().max(MAX_TEXT)).max(1000) })
  .meta({ id: 'InputStubRequest' });

export interface RenderDeps {
  readonly datasetContentStore: DatasetContentStore;
  readonly authorizer: Authorizer;
}

/** Shows what comes of a template before anything is run. */
export class RenderService {
  readonly #deps: RenderDeps;

  constructor(deps: RenderDeps) {
    this.#deps = deps;
  }

  /** Once for each row, or for each text: `{{input}}` is the text, and where it is a JSON map its fields are variables, too. */
  async render(
    caller: Caller,
    { template, data }: RenderRequest,
    wanted: PageRequest,
  ): Promise<PageFields & { rendered_templates: RenderedTemplate[] }> {
    const rows = 'dataset_id' in data ? await this.#rows(caller, data, wanted) : toTexts(data.input_strings, wanted);
    const { items, page } = toPage(rows, wanted);
    return { ...page, rendered_templates: items.map((values) => rendered(template, values)) };
  }

  /** A sample value for each variable of the templates. */
  stub(templates: readonly string[]): Values {
    return sampleFor([...new Set(templates.flatMap((template) => variablesIn(template)))]);
  }

  async #rows(
    caller: Caller,
    { dataset_id, dataset_version_index }: Extract<RenderRequest['data'], { dataset_id: string }>,
    wanted: PageRequest,
  ): Promise<Values[]> {
    const { authorizer, datasetContentStore } = this.#deps;
    await authorizer.authorize(caller, 'dataset', dataset_id, 'read');
    const index = dataset_version_index ?? undefined;
    const version = await datasetContentStore.findVersion(dataset_id, index);
    if (!version) throw index === undefined ? datasetNotFound(dataset_id) : versionNotFound(index);
    const blocks = await datasetContentStore.listBlocks(dataset_id, version.version_index);
    const rows = await readSlice(datasetContentStore, dataset_id, blocks, sliceFor(wanted));
    return rows.map(({ row }) => namedValues(row.cells, version.columns));
  }
}

function toTexts(input_strings: readonly string[], wanted: PageRequest): Values[] {
  const { offset, limit } = sliceFor(wanted);
  return input_strings.slice(offset, offset + limit).map((input) => ({ ...mapIn(input), input }));
}

function rendered(template: string, values: Values): RenderedTemplate {
  const { result, missing } = renderText(template, values);
  return { result, warning: missing.length > 0 ? `no value for ${missing.join(', ')}` : null };
}
