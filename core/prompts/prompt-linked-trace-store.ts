import { decorate } from '../kernel/decorate.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { namesPrompt, type PromptLinks } from './prompt-links.ts';

/**
 * The store of records with calls linked to the versions of prompts that they name, whatever the route. A batch that names none costs one look at
 * each record.
 */
export const promptLinkedTraceStore = (store: TraceStore, links: Pick<PromptLinks, 'link'>): TraceStore =>
  decorate(store, {
    write: async (batch) =>
      batch.records.some(namesPrompt)
        ? store.write({ ...batch, records: await links.link(batch.project_id, batch.records) })
        : store.write(batch),
  });
