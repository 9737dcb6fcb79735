import type { HealthScore } from '../../core/health/health-score.ts';
import { numberText } from '../kit/formatting.ts';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { ConfusionMatrix } from './confusion-matrix.tsx';
import { computeFigures } from './health-figures.ts';

const MOST_CLASSES = 20;

/** All that was measured of one version: what was called what, the other figures, those of single classes. */
export function HealthDetail({ score }: { score: HealthScore }) {
  const { whole, classes } = computeFigures(score.secondary);
  return (
    <section aria-label={`Version ${score.scorer_version_number} in detail`}>
      <h2 class="h6">Version {score.scorer_version_number} in detail</h2>
      <div class="d-flex flex-wrap gap-4 align-items-start">
        {score.confusion_table && <ConfusionMatrix table={score.confusion_table} />}
        <dl class="facts">
          {whole.map(([name, value]) => (
            <>
              <dt>{name.replaceAll('_', ' ')}</dt>
              <dd>{numberText(value)}</dd>
            </>
          ))}
        </dl>
        {classes.length > 0 && <ClassTable classes={classes.slice(0, MOST_CLASSES)} />}
      </div>
    </section>
  );
}

const FIGURES = ['support', 'precision', 'recall', 'f1'] as const;

const ClassTable = ({ classes }: { classes: ReturnType<typeof computeFigures>['classes'] }) => (
  <Table class="table table-rows w-auto">
    <TableHeaders of={['Class', ...FIGURES.map((end) => ({ end }))]} />
    <tbody>
      {classes.map(([label, figures]) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {FIGURES.map((figure) => (
            <td class="text-end" key={figure}>
              {numberText(figures[figure])}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </Table>
);
