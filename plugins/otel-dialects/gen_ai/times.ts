import { type Source, type SpanReader, source, toCount } from '../../../core/plugin-sdk/index.ts';

/** Strands Agents says milliseconds under a name that is in seconds elsewhere. */
export function strandsFirstToken(reader: SpanReader): number | undefined {
  if (reader.peekText('gen_ai.system') !== 'strands-agents') return undefined;
  const milliseconds = reader.number('gen_ai.server.time_to_first_token');
  return toCount(milliseconds === undefined ? undefined : milliseconds * 1_000_000);
}

export function secondsAt(rank: number, key: string): Source<number> {
  return source(rank, (reader) => {
    const seconds = reader.number(key);
    return toCount(seconds === undefined ? undefined : seconds * 1_000_000_000);
  });
}
