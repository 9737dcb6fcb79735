import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * Words of our own for what the field has a term for, and that term. Readers search for the term; the glossary in
 * CONTRIBUTING.md has them all.
 */
const OWN_WORDS: readonly [own: RegExp, term: string][] = [
  [/\bfar side\b/i, 'upstream service'],
  [/\bhalf (a )?(character|surrogate)s?\b/i, 'lone surrogate'],
  [/\bsigns? of life\b/i, 'heartbeat'],
  [/\bis not a text\b/i, 'is not a string'],
  [/\b(does|do) not come to an end\b/i, 'does not finish'],
  [/\bguarded way out\b/i, 'SSRF guard, egress policy'],
  [/\bunfit\b/i, 'invalid, mismatch'],
  [/\w_unfit\b/, '…_invalid, …_mismatch'],
  [/\b(overtaken by|newer edits)\b/i, 'edit conflict'],
  [/\bbody gate\b/i, 'body reader, admission control'],
  [/\battempt limiter\b/i, 'rate limiter'],
  [/\bcall gate\b/i, 'concurrency limiter'],
  [/\bmodel lender\b/i, 'model gateway'],
  [/\b(lend|lends|lent|lending)\b/i, 'provide, share'],
  [/\bwriter lane\b/i, 'writer connection'],
  [/\bdatabase pulse\b/i, 'database heartbeat'],
  [/\brequired first\b/i, 'topological order'],
  [/\b(circle|circular) (of|among) scorers\b/i, 'dependency cycle'],
  [/\bjob tickets?\b/i, 'job message'],
  [/\b(base|token) address\b/i, 'base URL, token endpoint'],
  [/\b(an address that may be called|address is not one that may be called|address may not be called)\b/i, 'URL'],
  [/\baddress (that is|is) (called|posted to)\b/i, 'URL'],
  [/\baddress(es)? (of an integration|of a webhook)\b/i, 'URL'],
  [/\b(list|object|map) of texts\b/i, 'strings'],
  [/\|\s*(list of |map of )?text(, secret)?( or null)?\s*\|/i, 'string, as the type of a setting'],
  [/\bthe moment is (not )?included\b/i, 'inclusive, exclusive'],
  [/\balone in that moment\b/i, 'in isolation'],
  [/\b(before|until|such) an? moment\b/i, 'timestamp'],
  [/\b(ids? and moments?|moments? in (UTC|nanoseconds))\b/i, 'timestamp'],
  [/\bbetween (the |two |its )?marks\b/i, 'delimiters'],
  [/_QUIET_SECONDS\b/, 'idle timeout'],
  [/\bto know to try the plugin\b/i, 'the case that the kit tries the plugin with'],
  [/\banswers (undefined|whether|how many|the id|an? (list|array|number))\b/i, 'returns'],
];

/** Words that the console has no longer, each with the usual one. */
const CONSOLE_WORDS: readonly [own: RegExp, term: string][] = [
  [/['">](Made|Made by|Changed)['"<]/, 'Created, Created by, Updated'],
  [/['">\s](Began|Took)['"<\s]*$/, 'Started, Duration'],
  [/\b(in all'|Share of failed)/, 'Total, Error rate'],
  [/\b(Fold all|Unfold|Only errors|Tall rows|Turn round)\b/, 'Collapse all, Expand all, Errors only, Row height, Swap'],
  [
    /\b(What came of it|Settings that differ|less is better|Text of the prompt|New run)\b/,
    'Results, Configuration changes, lower is better, …',
  ],
  [
    /\b(Name of its scores|Rolls up by|Sees the right answer|Role and task|What is judged|Have it written)\b/,
    'Score name, Aggregation, …',
  ],
  [/\b(A day at most|Any amount|Looks at|Judged by)\b/, 'Daily budget, Unlimited, Applies to, Evaluator'],
  [/\b(Capital and small letters|One a line|Switched on|Fires when)\b/, 'Case sensitive, One per line, Enabled, Triggers when'],
  [/\b(for ever|[Tt]aken? back)\b/, 'forever, undone, Clear'],
  [/\b(May do at most|what I may|Ends in|For what)\b/, 'Permissions, Same as mine, Key, Name'],
  [
    /\b(Kind of object|Id of object|Check the chain|Look for insights)\b/,
    'Object type, Object ID, Verify integrity, Enable insights',
  ],
  [
    /\b(Select none|Back to the usual|There is no such place|Nothing stands here|Nowhere yet)\b/,
    'Clear selection, Reset columns, …',
  ],
  [/label: 'Records', part: ''/, 'Traces'],
  [/\b(Duration of traces|Duration by type|take no longer)\b/, 'Trace latency, Latency by span type, p95'],
  [
    /\bType of step\b|(?<!\[)['">]\s*([Ff]ail(ed|ing) |[Ss]elected |Slow |Costly )?[Ss]teps?\s*['"<]/,
    'Span type, Spans, Selected span',
  ],
  [/['"]Numbers['"]|['">]Own['"<]/, 'View as table, Count, Custom'],
  [/\b(yes or no|a share from 0|a rating in steps|not declared)\b/, 'Boolean, Category, Percentage (0–1), Scale, Unspecified'],
  [/\b(most first|Rows in which|[Rr]ight answer)/, 'Changed rows, largest change first; Ground truth'],
  [
    /\b(stands in when|Reasons before|Further settings|not taken over)\b/,
    'Default used if empty, Chain of thought, Advanced (JSON)',
  ],
  [
    /\b(Try it|none failed|prompts written|Every record is judged|judges a share)\b/,
    'Test on 5 traces, Generate with AI, Sampling',
  ],
  [/\b(So many in a row|without a figure|Tells by)\b/, 'Consecutive periods, Alert on no data after N periods, Channel'],
  [/\b(in place of the plain|one record a line|Who logs by)\b/, 'Export redacted values, JSONL, Clients that log to this name'],
  [/\b(as the project says|for so many days|goes with all its)\b/, 'Inherited from project, Retention (days), Deletes …'],
  [
    /\b(What to tell|Answered with|New question|Signs in by|In use for its)\b/,
    'Instructions, Answer type, Add field, Sign-in method, Default',
  ],
  [/\b(are to be like|Extend by a model|Words in name)\b/, 'Generate rows, Search name, input, output'],
  [
    /\b(is found by these|Take one away|fewer words|Nothing of this kind)\b/,
    'No traces match. Remove a filter or search term. No events',
  ],
  [
    /\b(laid over each other|came about|Somebody saved first|keeps who insisted)\b/,
    'Aggregated by call path, Newer version exists, …',
  ],
  [/^\s*(Judges|Change)\s*$/, 'Evaluates, Edit'],
  [
    /\b(waits for proof|Its trial|yours until|The whole trace)\b|title="Change /,
    'Edit …, address not verified, Trial, Open trace',
  ],
  [/['">](Judges|Says|Sees|Who|State)['"<](?! \})/, 'Evaluates, Output type, Input, Actor, Status'],
];

/** Names that stood where the field has a term. Whoever searches for the term finds the code by it. */
const OWN_NAMES =
  /\b(requiredFirst|circleAmong|scorers_circular|isCollision|againOnCollision|DatabasePulse|onSilence|WriterLane|BodyGate|restMs|CallGate|wentWell|slowDown|AttemptLimiter|attempts_exceeded|QuietTraces|QuietSessions|quiet_seconds|Passage|GuardedOutbound|numberOfMarks|withoutMarks|Interview|Ballot|Expenses|spentOn|demandMoney|demandNoDelay|MAX_BEGINNINGS|lightened|newer_edits|ModelLender|ProjectSight|SeenColumns|Recomposer|StoredStanding|FarSide|momentOf|OtlpSurroundings|startWorld|RecordNumbers?|HourlyNumbers?)\b/g;

interface Place {
  readonly where: string;
  readonly text: string;
}

const read = (paths: readonly string[]): Place[] => paths.map((where) => ({ where, text: readFileSync(where, 'utf8') }));
const sources = read(
  globSync('{core,adapters,plugins,config,cli,plugin-kit,testing}/**/*.ts').filter((path) => !path.endsWith('.test.ts')),
);
const matches = (places: readonly Place[], pattern: RegExp): Place[] =>
  places.flatMap(({ where, text }) => [...text.matchAll(pattern)].map(([found]) => ({ where, text: found })));

const SEEN_BY_USERS: Readonly<Record<string, () => Place[]>> = {
  'the README, the docs and the guide for contributors': () =>
    read(['README.md', 'CONTRIBUTING.md', ...globSync('{docs,plugins}/**/*.md')]).map(({ where, text }) => ({
      where,
      text: where === 'CONTRIBUTING.md' ? text.replace(/^## Glossary$[\s\S]*?(?=^## )/m, '') : text,
    })),
  'messages and codes of errors': () => matches(sources, /new (App|Plugin)Error\((?:[^()'"`]|'[^'\n]*'|"[^"\n]*"|`[^`]*`)*/g),
  'the API reference': () => read(['test/golden/openapi.json']),
  'the console': () => read(globSync('console/**/*.tsx')),
  'doc comments': () => matches(sources, /\/\*\*[\s\S]*?\*\//g),
  'titles of tests': () =>
    matches(
      read(globSync('{core,adapters,plugins,config,cli,console,plugin-kit,testing,test}/**/*.{test,contract,property}.ts')),
      /\b(?:it|describe)(?:\.each\([^\n]*\))?\((?:'[^'\n]*'|"[^"\n]*"|`[^`\n]*`)/g,
    ),
};

describe('the standard terms of the field', () => {
  it('are used in names', () => {
    const all = read(globSync('{core,adapters,plugins,config,cli,console,plugin-kit,testing,test,demo,bench}/**/*.{ts,tsx}'));
    const others = all.filter(({ where }) => where !== 'test/words.test.ts' && !where.startsWith('console/dist/'));
    expect(others.length).toBeGreaterThan(1_000);
    expect(matches(others, OWN_NAMES).map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
  });

  it.each(Object.keys(SEEN_BY_USERS))('are used in %s', (where) => {
    const places = SEEN_BY_USERS[where]!();
    expect(places.length).toBeGreaterThan(0);
    const found = places.flatMap(({ where: path, text }) =>
      OWN_WORDS.flatMap(([own, term]) => {
        const [word] = own.exec(text) ?? [];
        return word === undefined ? [] : [`${path}: "${word}" is: ${term}`];
      }),
    );
    expect(found).toEqual([]);
  });
});

it('the console says what people of this field say', () => {
  const shown = read(globSync('console/**/*.tsx')).flatMap(({ where, text }) =>
    text.split('\n').map((line, at) => ({ where: `${where}:${at + 1}`, text: line })),
  );
  const said = shown.filter(({ text }) => !/^\s*(\/\/|\/?\*)/.test(text));
  expect(said.length).toBeGreaterThan(5_000);
  const found = said.flatMap(({ where, text }) =>
    CONSOLE_WORDS.flatMap(([own, term]) => (own.test(text) ? [`${where}: "${text.trim()}" is: ${term}`] : [])),
  );
  expect(found).toEqual([]);
});

describe('comments', () => {
  it('begin with what a thing is or does, never with "What"', () => {
    const all = read(globSync('{core,adapters,plugins,config,cli,console,plugin-kit,testing,test,demo,bench}/**/*.{ts,tsx}'));
    const own = all.filter(({ where }) => !where.startsWith('console/dist/'));
    const beginnings = matches(
      own,
      /\/\*\*\s*(?:\*\s*)?What(?:'s)?\s[^\n]*|(?<=^[ \t]*)(?<!\/\/[^\n]*\n[ \t]*)\/\/ What\s[^\n]*/gm,
    );
    expect(beginnings.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
  });
});
