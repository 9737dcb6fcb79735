import { type DefinitionFile, PluginError, type SentDefinition, type UploadHost } from '../../../core/plugin-sdk/index.ts';

/**
 * The program in a file, in the language that the field names or the file tells. Throws a PluginError when it cannot be source text, or is in
 * a language that is not installed.
 */
export function programIn(file: DefinitionFile, { language }: { readonly language?: unknown }, host: UploadHost): SentDefinition {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(file.bytes);
  } catch (cause) {
    throw new PluginError('unsupported', 'the file is not valid UTF-8', { cause });
  }
  if (source.trim() === '') throw new PluginError('unsupported', 'the file is empty');
  if (source.includes('\0')) throw new PluginError('unsupported', 'the file contains a NUL');
  return { language: host.selectLanguage(file, typeof language === 'string' ? language : undefined), source };
}
