import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { ownFieldsOf } from '../../../core/traces/catalogue/span-types.ts';
import { Time } from '../../kit/time.tsx';
import { KeyValues } from '../key-values.tsx';
import { LongText } from '../long-text.tsx';
import type { TraceNode } from './step.ts';

/** Further facts about a step: its ids and times, parameters, metrics, metadata, tags and the tools that were offered. */
export function StepDetails({ record }: { record: TraceNode }) {
  const { id, parent_id, external_id, created_at, updated_at, step_number, tags } = record;
  const own = Object.fromEntries(ownFieldsOf(record.type).map((name) => [name, record[name]]));
  const { tools, ...parameters } = own;
  const known = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
  return (
    <>
      <Part title="Record" values={known({ id, parent_id, external_id, step_number, dataset_input: record.dataset_input })}>
        <p class="mb-1">
          Started <Time at={created_at} />, updated <Time at={updated_at} />
        </p>
        {tags.length > 0 && (
          <p class="mb-1">
            {tags.map((tag) => (
              <span key={tag} class="badge text-bg-secondary me-1">
                {tag}
              </span>
            ))}
          </p>
        )}
      </Part>
      <Part title="Parameters" values={known(parameters)} />
      <Part title="Metrics" values={record.metrics} />
      <Part title="Metadata" values={record.user_metadata} />
      <Part title="Metadata of the dataset" values={record.dataset_metadata} />
      {Array.isArray(tools) && tools.length > 0 && <OfferedTools tools={tools as readonly JsonValue[]} />}
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly children?: preact.ComponentChildren;
}

function Part({ title, values, children }: PartProps) {
  if (Object.keys(values).length === 0 && !children) return null;
  return (
    <section class="mb-3">
      <h3 class="side-title">{title}</h3>
      {children}
      <KeyValues values={values} />
    </section>
  );
}

const OfferedTools = ({ tools }: { tools: readonly JsonValue[] }) => (
  <section class="mb-3">
    <h3 class="side-title">Tools offered to the model</h3>
    {tools.map((tool, at) => (
      <details key={at} class="mb-1">
        <summary class="font-monospace">{getName(tool) ?? `tool ${at + 1}`}</summary>
        <LongText mono text={JSON.stringify(tool, null, 2)} />
      </details>
    ))}
  </section>
);

function getName(tool: JsonValue): string | undefined {
  const { function: called, name } = tool as JsonObject;
  const found = (called as JsonObject | undefined)?.name ?? name;
  return typeof found === 'string' ? found : undefined;
}
