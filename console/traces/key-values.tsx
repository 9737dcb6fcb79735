import { valueText } from '../kit/formatting.ts';
import { LongText } from './long-text.tsx';

/** Names with their values; nothing for an empty map. */
export function KeyValues({ values }: { values: Readonly<Record<string, unknown>> }) {
  const known = Object.entries(values);
  if (known.length === 0) return null;
  return (
    <dl class="key-values">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <LongText text={valueText(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
