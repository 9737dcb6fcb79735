import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { asBuiltIn } from '../api/built-in-versions.ts';
import { CodeEditor } from '../kit/code/code-editor.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { BiasView } from './bias/bias-view.tsx';
import { EvidenceView } from './evidence-view.tsx';
import { type DiffLine, diffLines, nearChanges } from './line-diff.ts';
import { WhereEnabled } from './overview.tsx';
import { getCode } from './scorer-calls.ts';
import { changesBetween, toVersionSettings } from './version-changes.ts';

interface DetailProps {
  readonly scorer: Scorer;
  readonly version: ScorerVersion;
  /** The version before it, where there is one and it is known. */
  readonly before: ScorerVersion | undefined;
}

export const VersionDetail = ({ scorer, version, before }: DetailProps) => (
  <section aria-label={`Version ${version.version}`}>
    <h2 class="h6">{before ? `What version ${version.version} changed` : `Version ${version.version}`}</h2>
    {before ? <Changes before={before} after={version} /> : <Settings version={version} />}
    {asBuiltIn(version).registered_scorer && <CodeOf scorer={scorer} version={version} before={before} />}
    <h2 class="h6 mt-4">Trial</h2>
    <EvidenceView scorer_id={scorer.id} version={version.version} />
    {asksModel(scorer) && (
      <>
        <h2 class="h6 mt-4">Bias</h2>
        <BiasView scorer={scorer} version={version} />
      </>
    )}
    <h2 class="h6 mt-4">Used in</h2>
    <WhereEnabled path={`/scorers/versions/${version.id}/projects`} query={{ scorer_id: scorer.id }}>
      It runs where a log stream or experiment has chosen it, and, as the default version, where none is chosen.
    </WhereEnabled>
  </section>
);

const asksModel = ({ scorer_type, model_type }: Scorer): boolean =>
  ['llm', 'finetuned'].includes(scorer_type) || model_type === 'llm' || model_type === 'slm';

function Changes({ before, after }: { before: ScorerVersion; after: ScorerVersion }) {
  const changes = changesBetween(before, after);
  if (changes.length === 0) return asBuiltIn(after).registered_scorer ? null : <p class="text-body-secondary">No setting.</p>;
  return (
    <dl class="facts">
      {changes.map(({ label, before: was, after: is }) => (
        <>
          <dt>{label}</dt>
          <dd>
            <DiffView label={label} before={was} after={is} />
          </dd>
        </>
      ))}
    </dl>
  );
}

const Settings = ({ version }: { version: ScorerVersion }) => (
  <dl class="facts">
    {Object.entries(toVersionSettings(version)).map(([label, text]) => (
      <>
        <dt>{label}</dt>
        <dd>
          <pre>{text}</pre>
        </dd>
      </>
    ))}
  </dl>
);

function CodeOf({ scorer, version, before }: DetailProps) {
  const loaded = useLoaded(`code ${version.id} ${before?.id}`, async (signal) => {
    const code = (one: ScorerVersion | undefined) => one && getCode(scorer.id, one.version, signal);
    const [after, was] = await Promise.all([code(version), code(before)]);
    return { after: after ?? '', was };
  });
  return (
    <Show loaded={loaded}>
      {({ after, was }) => (
        <>
          {was !== undefined && was !== after && (
            <DiffView label={`Code of version ${version.version} beside the one before`} before={was} after={after} />
          )}
          {was === after && <p class="text-body-secondary">The code is the same.</p>}
          <details class="mt-2" open={was === undefined}>
            <summary>The whole code</summary>
            <CodeEditor label={`Code of version ${version.version}`} text={after} language={asBuiltIn(version).code_language} />
          </details>
        </>
      )}
    </Show>
  );
}

const MARKS = { same: ' ', gone: '−', new: '+' } as const;
const WORDS = { same: '', gone: 'removed: ', new: 'added: ' } as const;

/** Two texts as one, with what went and what came. */
function DiffView({ label, before, after }: { label: string; before: string; after: string }) {
  const lines = nearChanges(diffLines(before, after));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section class="line-diff" aria-label={label} tabIndex={0}>
      {lines.map((line, at) => (
        <Line key={at} line={line} />
      ))}
    </section>
  );
}

const Line = ({ line }: { line: DiffLine | null }) =>
  line === null ? (
    <div class="left-out">⋯</div>
  ) : (
    <div class={line.kind}>
      <span aria-hidden="true">{MARKS[line.kind]} </span>
      {line.kind !== 'same' && <span class="visually-hidden">{WORDS[line.kind]}</span>}
      {line.text}
    </div>
  );
