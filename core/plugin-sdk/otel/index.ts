export { type FlatList, flatLists } from './flat-list.ts';
export { findFirst, getOwn, isJsonObject, parseJsonText, parseNumber, toJsonText, toStructured, unquote } from './json-text.ts';
export { type MessageSide, type OtelMessage, readOtelMessages, toInputText, toOtelMessages, toOutputText } from './message.ts';
export { toMessageBody } from './message-parts.ts';
export { messagesAt, messagesUnder, messageTextAt, textOfMessages } from './message-sources.ts';
export * from './otel-dialect.ts';
export { type OtelDocument, toDocument, toDocuments } from './retrieved-documents.ts';
export * from './span-reader.ts';
export { structuredList, textList } from './structured-list.ts';
