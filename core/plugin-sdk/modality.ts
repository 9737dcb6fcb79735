/** Kinds of content that a file can hold, as the specification of records names them. */
export const MODALITIES = ['text', 'document', 'image', 'audio', 'video'] as const;
export type Modality = (typeof MODALITIES)[number];

export function toModality(content_type: string): Modality {
  const family = content_type.slice(0, content_type.indexOf('/'));
  return (['image', 'audio', 'video', 'text'] as const).find((one) => one === family) ?? 'document';
}
