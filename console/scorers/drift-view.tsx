import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { DriftBin, DriftMeasure, ScorerDrift } from '../../core/trends/drift/drift.ts';
import { get } from '../api/client.ts';
import { BarChoice } from '../kit/choice.tsx';
import { numberText, percentText, shortTimestampText } from '../kit/formatting.ts';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { binText, driftText, MEASURE_LABELS } from './drift-text.ts';
import { placeIn, TrialPlaceChooser } from './trial-place.tsx';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WINDOWS = [
  { id: '1', label: 'Last day' },
  { id: '7', label: 'Last 7 days' },
  { id: '30', label: 'Last 30 days' },
];
const REFERENCES = [
  { id: '7', label: 'against the 7 days before' },
  { id: '30', label: 'against the 30 days before' },
  { id: '90', label: 'against the 90 days before' },
];

/** How far the values of a scorer, and what it judges, have moved in a log stream. */
export function DriftView({ scorer }: { scorer: Scorer }) {
  const [view, change] = useView();
  const place = placeIn(view);
  const days = view.get('days') ?? '1';
  const against = view.get('against') ?? '7';
  return (
    <>
      <div class="d-flex flex-wrap gap-2 align-items-center mb-3">
        <TrialPlaceChooser withRows={false} />
        <BarChoice label="Window" choices={WINDOWS} value={days} onChoose={(id) => change({ days: id })} />
        <BarChoice label="Reference" choices={REFERENCES} value={against} onChoose={(id) => change({ against: id })} />
      </div>
      {place?.kind === 'records' ? (
        <InRun
          path={`/projects/${place.project_id}/runs/${place.log_stream_id}/scorers/${scorer.id}/drift`}
          days={Number(days)}
          against={Number(against)}
        />
      ) : (
        <Empty title="Choose a log stream">
          <p class="mb-0">Its records of a window are held against those of the days before it.</p>
        </Empty>
      )}
    </>
  );
}

function InRun({ path, days, against }: { path: string; days: number; against: number }) {
  const loaded = useLoaded(`${path} ${days} ${against}`, (signal) => {
    const start = Math.floor((Date.now() - days * DAY_MS) / HOUR_MS) * HOUR_MS;
    const start_time = new Date(start).toISOString();
    const reference_start_time = new Date(start - against * DAY_MS).toISOString();
    return get<ScorerDrift>(path, { query: { start_time, reference_start_time }, signal });
  });
  return (
    <Show loaded={loaded}>
      {({ measures, current, reference }) => (
        <>
          <p class="text-body-secondary">
            From {shortTimestampText(current.start_time)} on, against {shortTimestampText(reference.start_time)} to{' '}
            {shortTimestampText(reference.end_time)}.
          </p>
          {measures.map((measure) => (
            <Measure key={measure.of} measure={measure} />
          ))}
        </>
      )}
    </Show>
  );
}

function Measure({ measure }: { measure: DriftMeasure }) {
  const { bins, reference_count, current_count } = measure;
  const heads = [
    measure.of === 'model' ? 'Model' : 'Values',
    { end: `Reference (${numberText(reference_count)})` },
    { end: `Window (${numberText(current_count)})` },
  ];
  return (
    <section class="mb-4" aria-label={MEASURE_LABELS[measure.of]}>
      <h2 class="h6">{MEASURE_LABELS[measure.of]}</h2>
      <p class="mb-2">{driftText(measure)}</p>
      {measure.change !== null && (
        <Table class="table table-sm w-auto">
          <TableHeaders of={heads} />
          <tbody>
            {bins.map((bin) => (
              <BinRow key={binText(bin)} bin={bin} measure={measure} />
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

const BinRow = ({ bin, measure }: { bin: DriftBin; measure: DriftMeasure }) => (
  <tr>
    <td>{binText(bin)}</td>
    <td class="text-end">{percentText(bin.reference_count / measure.reference_count)}</td>
    <td class="text-end">{percentText(bin.current_count / measure.current_count)}</td>
  </tr>
);
