import { useMemo, useState } from 'preact/hooks';
import type { JsonValue } from '../../../core/kernel/json.ts';
import { ChangedText } from '../../kit/changed-text.tsx';
import { Check } from '../../kit/check.tsx';
import { durationText, numberText } from '../../kit/formatting.ts';
import { toHref, useView } from '../../kit/location.ts';
import { Table } from '../../kit/table.tsx';
import { TableHeaders } from '../../kit/table-headers.tsx';
import { payloadText } from '../../records/payload-text.ts';
import { computeStepDuration, type Step } from '../steps/step.ts';
import { StepBadge } from '../steps/step-badge.tsx';
import { isChanged, isOther, type Pair } from './align.ts';

/** More rows than these are drawn when they are asked for. */
const SHOWN = 300;
const MAX_INDENT = 12;
/** Texts are compared to here. */
const MOST_TEXT = 20_000;

/** Spans of two traces, with those of one side alone and those that changed marked, and the words that did. */
export function SpanPairs({ pairs }: { pairs: readonly Pair[] }) {
  const [view, change] = useView();
  const [all, setAll] = useState(false);
  const onlyChanged = view.get('changed') === '1';
  const changed = useMemo(() => pairs.filter(isChanged), [pairs]);
  const listed = onlyChanged ? changed : pairs;
  const shown = all ? listed : listed.slice(0, SHOWN);
  return (
    <section aria-label="Spans">
      <div class="d-flex gap-3 align-items-center mb-2">
        <h2 class="h6 mb-0">Spans</h2>
        <span class="text-body-secondary">
          {numberText(changed.length)} of {numberText(pairs.length)} changed
        </span>
        <Check label="Changed only" checked={onlyChanged} onCheck={(isOn) => change({ changed: isOn ? '1' : undefined })} />
      </div>
      {listed.length === 0 ? (
        <p class="text-body-secondary">No spans changed.</p>
      ) : (
        <Table class="table table-rows">
          <TableHeaders of={['Span', 'Change', { end: 'Baseline' }, { end: 'Compared' }, { end: 'Difference' }]} actions />
          <tbody>
            {shown.map((pair) => (
              <PairRow key={(pair.after ?? pair.before)!.record.id} pair={pair} />
            ))}
          </tbody>
        </Table>
      )}
      {shown.length < listed.length && (
        <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => setAll(true)}>
          Show all {numberText(listed.length)} spans
        </button>
      )}
    </section>
  );
}

function PairRow({ pair }: { pair: Pair }) {
  const [isOpen, setOpen] = useState(false);
  const { before, after } = pair;
  const { record, depth } = (after ?? before)!;
  const [was, is] = [before && computeStepDuration(before), after && computeStepDuration(after)];
  const name = record.name || 'unnamed';
  const hasTexts = before && after && isChanged(pair);
  return (
    <>
      <tr>
        <td>
          <span
            class="d-flex gap-2 align-items-center"
            style={{ paddingInlineStart: `${Math.min(depth, MAX_INDENT) * 0.85}rem` }}
          >
            <StepBadge type={record.type} />
            <a href={toSpanHref(after ?? before!)} dir="auto">
              {name}
            </a>
          </span>
        </td>
        <td>{changeText(pair)}</td>
        <td class="text-end">{durationText(was)}</td>
        <td class="text-end">{durationText(is)}</td>
        <td class="text-end">{was !== undefined && is !== undefined ? differenceText(is - was) : '–'}</td>
        <td class="text-end">
          {hasTexts && (
            <button
              type="button"
              class="btn btn-sm btn-link p-0 text-decoration-none"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Hide' : 'Show'} changes of ${name}`}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide changes' : 'Show changes'}
            </button>
          )}
        </td>
      </tr>
      {isOpen && before && after && (
        <tr>
          <td colSpan={6}>
            <Texts label="Input" before={before.record.input} after={after.record.input} />
            <Texts label="Output" before={before.record.output} after={after.record.output} />
          </td>
        </tr>
      )}
    </>
  );
}

const toSpanHref = ({ record, depth }: Step): string =>
  toHref(`/projects/${record.project_id}/traces/${record.trace_id}${depth === 0 ? '' : `?span=${record.id}`}`);

function changeText(pair: Pair): string {
  const { before, after } = pair;
  if (!after) return 'Baseline only';
  if (!before) return 'Compared only';
  const [a, b] = [before.record, after.record];
  const parts = [
    a.status_code !== b.status_code && `Status ${a.status_code ?? 'none'} → ${b.status_code ?? 'none'}`,
    isOther(a.input, b.input) && 'Input',
    isOther(a.output, b.output) && 'Output',
  ];
  return parts.filter(Boolean).join(', ') || 'Unchanged';
}

const differenceText = (ns: number): string => (ns === 0 ? '0' : `${ns > 0 ? '+' : '−'}${durationText(Math.abs(ns))}`);

function Texts({ label, before, after }: { label: string; before: JsonValue | undefined; after: JsonValue | undefined }) {
  if (!isOther(before, after)) return null;
  return (
    <section aria-label={label} class="mb-2">
      <h3 class="side-title">{label}</h3>
      <ChangedText
        before={payloadText(before, MOST_TEXT)}
        after={payloadText(after, MOST_TEXT)}
        labels={['Baseline', 'Compared']}
      />
    </section>
  );
}
