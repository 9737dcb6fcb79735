import '../../styles/minimap.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { costText, durationText, numberText } from '../../kit/formatting.ts';
import { useView } from '../../kit/location.ts';
import { listShownScores, ownScores } from '../../scores/score.ts';
import { computeScale, computeTicks, placeOn, type TimeScale } from '../time-scale.ts';
import { toMove } from '../tree-keys.ts';
import { useVirtualRows } from '../use-virtual-rows.ts';
import { Minimap } from './minimap.tsx';
import { MINIMAP_FROM } from './minimap-bands.ts';
import { getTokens, type Step } from './step.ts';
import { ROW_HEIGHT, rowId, StepRow } from './step-row.tsx';
import { StepTools } from './step-tools.tsx';
import { above, type VisibleStep, visibleSteps } from './visible-steps.ts';

interface StepTreeProps {
  readonly steps: readonly Step[];
  readonly selected: Step;
  readonly onSelect: (step: Step) => void;
}

/** The steps of a trace as a tree, each with its bar on the axis of time. Only what is in sight is drawn. */
export function StepTree({ steps, selected, onSelect }: StepTreeProps) {
  const [view] = useView();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const text = view.get('find') ?? '';
  const onlyFailed = view.get('errors') === '1';
  const visible = useMemo(() => visibleSteps(steps, folded, { text, onlyFailed }), [steps, folded, text, onlyFailed]);
  const scale = useMemo(() => computeScale(steps), [steps]);
  const fold = (step: Step, away: boolean): void => {
    const { id } = step.record;
    setFolded(away ? new Set([...folded, id]) : folded.difference(new Set([id])));
    if (away && above(selected).includes(step)) onSelect(step);
  };
  const foldAll = (): void => {
    setFolded(new Set(steps.filter(({ below, depth }) => below > 0 && depth > 0).map(({ record }) => record.id)));
    onSelect(above(selected).findLast(({ depth }) => depth === 1) ?? selected);
  };
  // A link may lead to a step anywhere: what is selected can be seen.
  useEffect(() => setFolded((before) => withoutAll(before, above(selected))), [selected]);
  return (
    <section class={toColumns(steps)} style={toWidths(steps)} aria-label="Spans">
      <StepTools
        found={visible.filter(({ matched }) => matched).length}
        of={steps.length}
        onFoldAll={foldAll}
        onUnfoldAll={() => setFolded(new Set())}
      />
      <TimeAxis scale={scale} />
      <Rows visible={visible} selected={selected} scale={scale} onSelect={onSelect} onFold={fold} />
    </section>
  );
}

/** One tree is shown at a time. */
const ROWS_ID = 'step-rows';

interface RowsProps extends Pick<StepTreeProps, 'selected' | 'onSelect'> {
  readonly visible: readonly VisibleStep[];
  readonly scale: TimeScale;
  readonly onFold: (step: Step, away: boolean) => void;
}

function Rows({ visible, selected, scale, onSelect, onFold }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, height, inSight, show } = useVirtualRows(scroller, visible.length, ROW_HEIGHT);
  const place = useMemo(() => visible.findIndex(({ step }) => step === selected), [visible, selected]);
  useEffect(() => {
    if (place >= 0) show(place);
  }, [place]);
  const drawn = rows.some(({ index }) => index === place);

  const press = (event: KeyboardEvent): void => {
    const move = toMove(event.key, visible, Math.max(place, 0));
    if (!move) return;
    event.preventDefault();
    if ('select' in move) onSelect(visible[move.select]!.step);
    else if ('fold' in move) onFold(visible[move.fold]!.step, true);
    else onFold(visible[move.unfold]!.step, false);
  };
  const point = (event: MouseEvent): void => {
    const target = event.target as HTMLElement;
    const hit = visible[Number(target.closest<HTMLElement>('[data-place]')?.dataset.place ?? -1)];
    if (!hit) return;
    if (target.dataset.toggle === 'true') onFold(hit.step, hit.expanded === true);
    else onSelect(hit.step);
    // A row that is scrolled away would take the focus with it, and the keys would be lost.
    scroller.current?.focus({ preventScroll: true });
  };
  const goTo = (aboveSight: number): void => {
    if (scroller.current) scroller.current.scrollTop = aboveSight * height;
  };
  const pick = (at: number): void => {
    onSelect(visible[at]!.step);
    scroller.current?.focus({ preventScroll: true });
  };
  if (visible.length === 0) return <p class="p-3 text-body-secondary">No spans match.</p>;
  return (
    <div class="step-list">
      <div
        ref={scroller}
        id={ROWS_ID}
        class="step-rows"
        role="tree"
        tabIndex={0}
        aria-label="Spans of the trace"
        aria-activedescendant={drawn ? rowId(selected.record.id) : undefined}
        onKeyDown={press}
        onClick={point}
      >
        <div role="presentation" class="step-space" style={{ height: `${height}px` }}>
          {rows.map(({ index, start }) => (
            <StepRow
              key={visible[index]!.step.record.id}
              visible={visible[index]!}
              place={index}
              top={start}
              selected={index === place}
              scale={scale}
            />
          ))}
        </div>
      </div>
      {visible.length >= MINIMAP_FROM && (
        <Minimap visible={visible} scale={scale} place={place} inSight={inSight} controls={ROWS_ID} onGo={goTo} onPick={pick} />
      )}
    </div>
  );
}

const TimeAxis = ({ scale }: { scale: TimeScale }) => (
  <div class="step-row step-axis" aria-hidden="true">
    <span class="step-name">Span</span>
    <span class="step-scores">Scores</span>
    <span class="step-number">Tokens</span>
    <span class="step-number">Cost</span>
    <span class="step-time">
      {computeTicks(scale).map((tick) => (
        <span
          key={tick}
          class="step-tick"
          style={{ left: `${placeOn(scale, { start: scale.start + tick, end: undefined }).left * 100}%` }}
        >
          {tick === 0 ? '0' : durationText(tick * 1000)}
        </span>
      ))}
    </span>
  </div>
);

/** A column that would be empty in all rows is not shown. */
function toColumns(steps: readonly Step[]): string {
  const shows = [
    steps.some(({ record }) => listShownScores(ownScores(record.metric_info)).length > 0) && 'with-scores',
    steps.some(({ record }) => getTokens(record.metrics) !== undefined) && 'with-tokens',
    steps.some(({ cost }) => cost !== undefined) && 'with-cost',
  ];
  return ['step-tree', ...shows.filter(Boolean)].join(' ');
}

/** Rows are laid out one by one: each column is as wide as the longest text of all rows. */
function toWidths(steps: readonly Step[]): Readonly<Record<string, string>> {
  const longest = (texts: readonly string[]): string => `${Math.max(...texts.map(({ length }) => length), 6)}ch`;
  return {
    '--tokens-width': longest(steps.map(({ tokens }) => (tokens === undefined ? '' : numberText(tokens)))),
    '--cost-width': longest(steps.map(({ cost }) => (cost === undefined ? '' : costText(cost)))),
  };
}

function withoutAll(folded: ReadonlySet<string>, steps: readonly Step[]): ReadonlySet<string> {
  return steps.some(({ record }) => folded.has(record.id))
    ? folded.difference(new Set(steps.map(({ record }) => record.id)))
    : folded;
}
