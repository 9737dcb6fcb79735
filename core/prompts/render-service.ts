import { z } from 'zod';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { namedValues } from '../datasets/cells.ts';
import { MAX_BYTES_OF_PAGE } from '../datasets/content-json.ts';
import { datasetNotFound } from '../datasets/dataset.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import { readPlaces, readWithin } from '../datasets/stored-rows.ts';
import { versionNotFound } from '../datasets/version.ts';
import { type PageFields, type PageRequest, sliceFor, toPageFields } from '../kernel/query/page.ts';
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

interface PageValues {
  /** Of the first rows of the page. */
  readonly values: readonly Values[];
  /** Rows of the page, and one more where there is a next one. */
  readonly found: number;
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
    const { values, found } = 'dataset_id' in data ? await this.#rows(caller, data, wanted) : toTexts(data.input_strings, wanted);
    const rendered_templates: RenderedTemplate[] = [];
    for (let room = MAX_BYTES_OF_PAGE; rendered_templates.length < values.length && room > 0; ) {
      const one = rendered(template, values[rendered_templates.length]!);
      rendered_templates.push(one);
      room -= one.result.length;
    }
    const count = rendered_templates.length;
    return { ...toPageFields(count, found > count, wanted), rendered_templates };
  }

  /** A sample value for each variable of the templates. */
  stub(templates: readonly string[]): Values {
    return sampleFor([...new Set(templates.flatMap((template) => variablesIn(template)))]);
  }

  async #rows(
    caller: Caller,
    { dataset_id, dataset_version_index }: Extract<RenderRequest['data'], { dataset_id: string }>,
    wanted: PageRequest,
  ): Promise<PageValues> {
    const { authorizer, datasetContentStore } = this.#deps;
    await authorizer.authorize(caller, 'dataset', dataset_id, 'read');
    const index = dataset_version_index ?? undefined;
    const version = await datasetContentStore.findVersion(dataset_id, index);
    if (!version) throw index === undefined ? datasetNotFound(dataset_id) : versionNotFound(index);
    const blocks = await datasetContentStore.listBlocks(dataset_id, version.version_index);
    const places = await readPlaces(datasetContentStore, dataset_id, blocks, sliceFor(wanted));
    const rows = await readWithin(datasetContentStore, dataset_id, places.slice(0, wanted.limit), MAX_BYTES_OF_PAGE);
    return { values: rows.map(({ row }) => namedValues(row.cells, version.columns)), found: places.length };
  }
}

function toTexts(input_strings: readonly string[], wanted: PageRequest): PageValues {
  const { offset, limit } = sliceFor(wanted);
  const texts = input_strings.slice(offset, offset + limit);
  return { values: texts.slice(0, wanted.limit).map((input) => ({ ...mapIn(input), input })), found: texts.length };
}

function rendered(template: string, values: Values): RenderedTemplate {
  const { result, missing } = renderText(template, values);
  return { result, warning: missing.length > 0 ? `no value for ${missing.join(', ')}` : null };
}
