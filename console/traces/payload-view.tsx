import type { JsonValue } from '../../core/kernel/json.ts';
import { Conversation, PartsView } from './conversation.tsx';
import { DocumentList } from './document-list.tsx';
import { LongText } from './long-text.tsx';
import { parsePayload } from './payload.ts';

/** Input or output of a step: as a conversation, content blocks, documents, text, else as JSON. */
export function PayloadView({ value }: { value: JsonValue | undefined }) {
  const payload = parsePayload(value);
  switch (payload.kind) {
    case 'nothing':
      return <p class="text-body-secondary mb-0">nothing</p>;
    case 'text':
      return <LongText text={payload.text} />;
    case 'messages':
      return <Conversation messages={payload.messages} />;
    case 'blocks':
      return <PartsView parts={payload.parts} />;
    case 'documents':
      return <DocumentList documents={payload.documents} />;
    case 'json':
      return <LongText mono text={JSON.stringify(payload.value, null, 2)} />;
  }
}
