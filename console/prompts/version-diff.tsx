import '../styles/changes.css';
import type { Template } from '../../core/prompts/template.ts';
import type { TemplateDiff } from '../../core/prompts/version-diff.ts';
import { get } from '../api/client.ts';
import { BarChoice } from '../kit/choice.tsx';
import { numberText, valueText } from '../kit/formatting.ts';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

/** Two versions of a prompt, by default the newest and the one before it: their lines and their settings. */
export function VersionDiff({ template, path }: { template: Template; path: string }) {
  const [view, change] = useView();
  const numbers = template.all_available_versions;
  const choices = numbers.toReversed().map(String);
  const [to, from] = [view.get('to') ?? choices[0]!, view.get('from') ?? choices[1] ?? choices[0]!];
  const diff = `${path}/versions/${to}/diff`;
  const loaded = useLoaded(`${diff} ${from}`, (signal) => get<TemplateDiff>(diff, { query: { from_version: from }, signal }));
  if (numbers.length < 2)
    return (
      <Empty title="Only one version yet">
        <p class="mb-0">With a second version, what differs is shown here.</p>
      </Empty>
    );
  return (
    <>
      <div class="d-flex gap-2 align-items-center mb-3">
        <BarChoice label="From version" choices={choices} value={from} onChoose={(id) => change({ from: id })} />
        <span aria-hidden="true">→</span>
        <BarChoice label="To version" choices={choices} value={to} onChoose={(id) => change({ to: id })} />
        <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => change({ from: to, to: from })}>
          Swap
        </button>
      </div>
      <Show loaded={loaded}>{(found) => <Diff diff={found} />}</Show>
    </>
  );
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

const Diff = ({ diff: { blocks, lines_added, lines_removed, settings } }: { diff: TemplateDiff }) => (
  <>
    <p role="status">
      {numberText(lines_added)} lines added, {numberText(lines_removed)} removed
    </p>
    <pre class="line-diff">
      {blocks.map(({ change, text }, at) => {
        const Mark = change === 'same' ? 'span' : change === 'removed' ? 'del' : 'ins';
        const lines = text.split('\n').map((line) => `${SIGNS[change]} ${line}`);
        return <Mark key={at}>{lines.join('\n')}</Mark>;
      })}
    </pre>
    {settings.length > 0 && (
      <section aria-label="Configuration changes">
        <h2 class="h6 mt-3">Configuration changes</h2>
        <Table class="table table-rows">
          <TableHeaders of={['Setting', 'Before', 'After']} />
          <tbody>
            {settings.map(({ name, before, after }) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{valueText(before)}</td>
                <td>{valueText(after)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </section>
    )}
  </>
);
