import { cleanText } from '../../kernel/text.ts';

/** Id of a session in the application; as long as an index can hold. An empty text names nothing. */
export const SessionExternalId = cleanText(0, 512)
  .nullish()
  .transform((text) => text || null);
