import type { MultiModalConfig, OfferedModel, z } from '../../core/plugin-sdk/index.ts';

/** Kinds of files, by the types that the vendors of models take of them alike. */
const MEDIA_TYPES = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  audio: ['audio/wav', 'audio/mpeg'],
  document: ['application/pdf'],
  video: ['video/mp4', 'video/webm'],
} as const;
export type FileKind = keyof typeof MEDIA_TYPES;

export const FILE_KINDS = Object.keys(MEDIA_TYPES) as [FileKind, ...FileKind[]];

/** Files of these kinds, as a model offers to read them within the limits of its integration. */
export function readingFiles(kinds: readonly string[], limits?: z.output<typeof MultiModalConfig>): Pick<OfferedModel, 'files'> {
  const media_types = FILE_KINDS.filter((kind) => kinds.includes(kind)).flatMap((kind) => MEDIA_TYPES[kind]);
  const max_files = limits?.max_files ?? undefined;
  const max_file_bytes = limits?.max_file_size_bytes ?? undefined;
  if (media_types.length === 0 || max_files === 0) return {};
  return {
    files: {
      media_types,
      ...(max_files !== undefined && { max_files }),
      ...(max_file_bytes !== undefined && { max_file_bytes }),
    },
  };
}

/**
 * The kinds of files that a model reads, known by its name alone: for servers that offer models of several vendors and do not say what
 * these read. A name may have the vendor in front of it, as in `openai/gpt-4o`.
 */
export function fileKindsByName(name: string): readonly FileKind[] {
  const own = name.slice(name.lastIndexOf('/') + 1);
  if (/^(ft:)?(chatgpt-4o|gpt-4o|gpt-4\.1|gpt-5|o1(?!-(mini|preview))|o3(?!-mini)|o4)/.test(own))
    return /audio|realtime|transcribe|tts|image|search/.test(own) ? [] : ['image', 'document'];
  if (/^gpt-4-turbo/.test(own)) return ['image'];
  if (/^claude-/.test(own)) return ['image', 'document'];
  if (/^gemini-/.test(own)) return ['image', 'audio', 'document', 'video'];
  return /^pixtral-|(^|[-_])(vl|vision)([-_:]|$)/i.test(own) ? ['image'] : [];
}
