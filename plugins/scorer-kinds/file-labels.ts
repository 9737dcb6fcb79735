import { MODALITIES } from '../../core/plugin-sdk/index.ts';

/** A file block of a payload. */
interface FileBlock {
  readonly file_id: string;
  readonly modality?: unknown;
}

/** Digits by which a file of the service is told from the others of its record. */
const SHORT = 8;
const OWN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_FOREIGN = 64;
/** Labels, and blocks within payloads that are shown as JSON. */
const NAMED = /\[(?:text|document|image|audio|video|file): file ([\w.-]{1,64})\]|"file_id":"([\w.-]{1,64})"/g;

/** The name of a file in texts: the beginning of an id of the service, else what of the id of a provider can stand there. */
export const toFileName = (file_id: string): string =>
  OWN_ID.test(file_id) ? file_id.slice(0, SHORT).toLowerCase() : file_id.replaceAll(/[^\w.-]/g, '').slice(0, MAX_FOREIGN);

/** Text that stands for a file in the text of a payload. */
export const toFileLabel = ({ file_id, modality }: FileBlock): string =>
  `[${MODALITIES.find((one) => one === modality) ?? 'file'}: file ${toFileName(file_id)}]`;

/** Names of the files that stand in texts, each once, in their order. */
export const listFileNames = (texts: readonly string[]): string[] => [
  ...new Set(
    texts.flatMap((text) => [...text.matchAll(NAMED)].map(([, label, block]) => toFileName((label ?? block) as string))),
  ),
];
