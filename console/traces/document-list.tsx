import { numberText } from '../kit/formatting.ts';
import { KeyValues } from './key-values.tsx';
import { LongText } from './long-text.tsx';
import type { RetrievedDocument } from './payload.ts';

/** Documents that a retriever found, in its order. */
export const DocumentList = ({ documents }: { documents: readonly RetrievedDocument[] }) => (
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
