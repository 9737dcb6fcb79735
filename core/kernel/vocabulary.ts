/** Plugins mark the words of their schemas, too, so the marks are made in the SDK. */
export { asMapByPresetName, asPresetName, asWord, type Vocabulary, vocabularyOf } from '../plugin-sdk/vocabulary.ts';
