import type { JsonValue } from '../../core/kernel/json.ts';
import { numberText } from '../kit/formatting.ts';
import { Conversation, PartsView } from './conversation.tsx';
import { KeyValues } from './key-values.tsx';
import { LongText } from './long-text.tsx';
import { parsePayload, type RetrievedDocument } from './payload.ts';

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

/** Documents that a retriever found, in its order. */
const DocumentList = ({ documents }: { documents: readonly RetrievedDocument[] }) => (
  <ol class="documents">
    {documents.map(({ content, score, metadata }, at) => (
      <li key={at} class="document">
        <div class="message-role">
          Document {at + 1}
          {score !== undefined && <span> · score {numberText(score)}</span>}
        </div>
        <LongText text={content} />
        <KeyValues values={metadata} />
      </li>
    ))}
  </ol>
);
