import { z } from 'zod';
import { ContentSearch } from '../../../core/datasets/content.ts';
import type { DatasetContentService } from '../../../core/datasets/dataset-content-service.ts';
import { DatasetSearch } from '../../../core/datasets/dataset-query.ts';
import type { DatasetService } from '../../../core/datasets/dataset-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Tool, tool } from '../tool.ts';
import { page } from './inputs.ts';

interface Deps {
  readonly datasetService: DatasetService;
  readonly datasetContentService: DatasetContentService;
}

export const datasetTools = ({ datasetService, datasetContentService }: Deps): Tool[] => [
  tool({
    name: 'list_datasets',
    title: 'List datasets',
    description: 'Datasets that you may read, newest first, with their columns and numbers of rows.',
    input: z.object({ name_contains: z.string().min(1).max(255).optional(), ...page }),
    call: async (caller, { name_contains, ...wanted }) => {
      const filters = name_contains ? [{ name: 'name', operator: 'contains', value: name_contains, case_sensitive: false }] : [];
      const found = await datasetService.search(caller, DatasetSearch.parse({ filters }), wanted, []);
      const datasets = found.datasets.map(({ id, name, num_rows, column_names, current_version_index, updated_at }) => {
        return { id, name, num_rows, column_names, current_version_index, updated_at };
      });
      return { datasets, next_starting_token: found.next_starting_token };
    },
  }),
  tool({
    name: 'read_dataset',
    title: 'Read rows of a dataset',
    description: 'Rows of the current version of a dataset, page by page.',
    input: z.object({ dataset_id: Id, ...page }),
    call: async (caller, { dataset_id, ...wanted }) => {
      const { content } = await datasetContentService.search(caller, dataset_id, ContentSearch.parse({}), wanted);
      const rows = content.rows.map(({ row_id, values_dict }) => ({ row_id, ...values_dict }));
      return { rows, next_starting_token: content.next_starting_token };
    },
  }),
];
