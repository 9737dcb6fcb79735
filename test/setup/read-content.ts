import type { Caller } from '../../core/access/caller.ts';
import { DatasetContent } from '../../core/datasets/content.ts';
import type { DatasetContentService } from '../../core/datasets/dataset-content-service.ts';

/** A page of content, put together from what the service writes. */
export async function readContent(
  service: DatasetContentService,
  caller: Caller,
  id: string,
  page: { readonly starting_token: number; readonly limit: number },
  version_index?: number,
): Promise<DatasetContent> {
  let text = '';
  for await (const chunk of (await service.read(caller, id, page, version_index)).chunks) text += chunk;
  return DatasetContent.parse(JSON.parse(text));
}
