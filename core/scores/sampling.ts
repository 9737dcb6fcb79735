import { passes, type Scoreable, type SegmentFilter, type StoredEntry } from './metric-settings.ts';

type Sampled = Pick<StoredEntry, 'model_type' | 'multimodal_capabilities'>;

/**
 * Whether a scorer looks at this record or leaves it out of its sample. The first segment filter that is about the scorer
 * and holds for the record says how large a share is scored; a record of no segment is. The share is taken by a hash of
 * the trace's id, of a session's own: the same at every look, for all scorers and all spans of a trace, and a larger
 * share holds all of a smaller one.
 */
export function isInSample(filters: readonly SegmentFilter[], entry: Sampled, record: Scoreable): boolean {
  return computeShare(record.trace_id ?? record.id) < getSampleRate(filters, entry, record);
}

/** The share of records like this one that a scorer looks at; 1 for a record of no segment. */
export function getSampleRate(filters: readonly SegmentFilter[], entry: Sampled, record: Scoreable): number {
  const segment = filters.find((filter) => isAbout(filter, entry) && (filter.filter === null || passes(filter.filter, record)));
  return segment?.sample_rate ?? 1;
}

/** A filter for scorers that ask models, or that look at images and sounds, is about no others. */
function isAbout({ llm_scorers, multimodal_scorers }: SegmentFilter, { model_type, multimodal_capabilities }: Sampled): boolean {
  if (!llm_scorers && !multimodal_scorers) return true;
  const isMultimodal = (multimodal_capabilities?.length ?? 0) > 0;
  return (llm_scorers && model_type === 'llm') || (multimodal_scorers && isMultimodal);
}

/** From 0 up to, not including, 1, evenly: FNV-1a over the text, its bits mixed as MurmurHash3 ends. */
export function computeShare(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
