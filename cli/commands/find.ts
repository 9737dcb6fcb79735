import type { ServiceClient } from './service-client.ts';

/** Something that a search over log streams found; the fields that are shown. */
export interface Hit {
  readonly project_name: string;
  readonly log_stream_name: string;
  readonly record_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly snippet: { readonly text: string } | null;
}

interface Reply {
  readonly hits: readonly Hit[];
  readonly next_cursor: string | null;
  readonly is_complete: boolean;
}

export interface FindSettings {
  readonly project_id: string | undefined;
  readonly record_type: 'trace' | 'span';
  readonly match: 'words' | 'part';
  readonly limit: number;
}

const PAGE = 100;

/** Hits of a text in all log streams that the caller may read, the newest first, and whether all of them could be searched. */
export async function findText(client: ServiceClient, text: string, settings: FindSettings) {
  const hits: Hit[] = [];
  let is_complete = true;
  for (let cursor: string | null | undefined; cursor !== null && hits.length < settings.limit; ) {
    const json = { ...settings, text, cursor, limit: Math.min(PAGE, settings.limit - hits.length) };
    const page: Reply = await client.call('POST', '/v2/search', { json });
    hits.push(...page.hits);
    is_complete &&= page.is_complete;
    cursor = page.next_cursor;
  }
  return { hits, is_complete };
}

/** Time, project and log stream, name, and what stands around the text, for a table. */
export const describeHit = ({ created_at, project_name, log_stream_name, name, snippet }: Hit): string[] => [
  created_at,
  `${project_name} / ${log_stream_name}`,
  name,
  snippet?.text ?? '',
];
