import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { readStoredConfig } from '../../config/env.ts';
import { describeAudit, describePlan, runAudit, toExitCode } from '../audit-client.ts';
import { askGate } from '../gate-client.ts';
import { PRODUCTS } from '../imports/products.ts';
import { bridgeMcp } from '../mcp-bridge.ts';
import { backUp, describeBackup, type OnTable } from '../stored/back-up.ts';
import { describeRehearsal, rehearseUpgrade } from '../stored/rehearse-upgrade.ts';
import { describeRestored, restoreBackup } from '../stored/restore-backup.ts';
import { describeVerification, verifyBackup } from '../stored/verify-backup.ts';
import { allOf } from './all-of.ts';
import { CommandError, EXIT } from './command-error.ts';
import { compareRuns, describeRunComparison, hasWorse, type RunComparisonOptions } from './compare-runs.ts';
import { SHELLS, toCompletion } from './completion.ts';
import { pushDataset } from './datasets.ts';
import { examine } from './doctor.ts';
import { compareExperiments, describeComparison, isWorse, runExperiment } from './experiments.ts';
import { addFiles } from './files.ts';
import { describeHit, findText } from './find.ts';
import { describeReport, importExports, isIncomplete } from './import.ts';
import { ingestFile } from './ingest.ts';
import { logIn } from './login.ts';
import { exportParquet } from './parquet-export.ts';
import { findDataset, findExperiment, findOrMakeProject, findPlace, findProject, type Place } from './places.ts';
import { readProfile } from './profile.ts';
import {
  describeRecord,
  exportRecords,
  type Level,
  searchRecords,
  tailRecords,
  toFilters,
  toRecordTable,
  writeBody,
} from './records.ts';
import { describeScored, findRefusal, type Scored, score, type Thresholds } from './score.ts';
import { ServiceClient } from './service-client.ts';
import { type Terminal, toTable, withProgress } from './terminal.ts';
import { untilAsked } from './until-asked.ts';
import { addUpkeep } from './upkeep.ts';

/** Options of every command. */
interface CommonOptions {
  readonly json?: boolean;
  readonly url?: string;
}

interface ExportOptions extends RunOptions {
  readonly format: string;
  readonly output?: string;
  readonly parquet?: string;
  readonly redact: boolean;
}

interface RunOptions extends CommonOptions {
  readonly project: string;
  readonly logStream?: string;
  readonly experiment?: string;
  readonly level: Level;
  readonly filter: string[];
  readonly limit: number;
}

interface FindOptions {
  readonly project?: string;
  readonly spans: boolean;
  readonly part: boolean;
  readonly limit: number;
}

/** The command line. `setExitCode` is told how a command ended that ran through; what cannot be done throws. */
export function buildProgram(terminal: Terminal, version: string, setExitCode: (code: number) => void): Command {
  const program = new Command('touchstone')
    .description('Traces, scorers, datasets and experiments of a Touchstone service')
    .version(version)
    .option('--json', 'write results as JSON')
    .option('--url <url>', 'URL of the service (SERVICE_URL, or the one of "touchstone login")')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .exitOverride();
  const connect = async ({ url }: CommonOptions) => new ServiceClient(await readProfile(terminal.env, url));
  const say = ({ json }: CommonOptions, value: unknown, text: string) =>
    terminal.out(json ? `${JSON.stringify(value)}\n` : `${text.replace(/\n$/, '')}\n`);
  const tools: Tools = { terminal, connect, say, setExitCode };
  for (const add of [
    addInstallation,
    addUpkeep,
    addFiles,
    addRecords,
    addImports,
    addDatasets,
    addExperiments,
    addScoring,
    addAssistants,
  ])
    add(program, tools);
  program
    .command('completion')
    .description('write a completion script; bash: source <(touchstone completion bash)')
    .argument('<shell>', SHELLS.join(', '), choice(SHELLS))
    .action((shell) => terminal.out(toCompletion(program, shell)));
  return program;
}

const HELP = `
A key comes from SERVICE_API_KEY, or from "touchstone login".
Ends with 0 when done, 1 when the result is no (refused, worse, a fault was found), 2 when it could not be done.`;

interface Tools {
  readonly terminal: Terminal;
  connect(options: CommonOptions): Promise<ServiceClient>;
  say(options: CommonOptions, value: unknown, text: string): void;
  setExitCode(code: number): void;
}

const VERIFICATION_ENDS = { good: EXIT.done, bad: EXIT.negative, not_verified: EXIT.unusable } as const;

function addInstallation(program: Command, { terminal, say, setExitCode }: Tools): void {
  const onTables = <T>(work: (at: OnTable) => Promise<T>): Promise<T> => withProgress(terminal, 'tables', work);
  program
    .command('start')
    .description('start the service here; settings are those of the environment')
    .option('--port <port>', 'PORT')
    .option('--data-dir <folder>', 'DATA_DIR')
    .option('--memory', 'keep nothing: STORE=memory')
    .action(async ({ port, dataDir, memory }) => {
      if (port !== undefined) process.env.PORT = port;
      if (dataDir !== undefined) process.env.DATA_DIR = dataDir;
      if (memory) process.env.STORE = 'memory';
      await import('../../config/main.ts');
    });
  program
    .command('doctor')
    .description('say what is wrong with the installation here')
    .action(async (_, command: Command) => {
      const findings = await examine(terminal.env);
      say(command.optsWithGlobals(), findings, toTable(findings.map(({ state, subject, text }) => [state, subject, text])));
      setExitCode(findings.some(({ state }) => state === 'fault') ? EXIT.negative : EXIT.done);
    });
  program
    .command('backup')
    .description('write a backup of the installation here, running or not')
    .argument('<folder>')
    .option('--verify', 'write none: restore the newest one of the folder into a database of its own, and compare')
    .action(async (folder, { verify }: { verify?: true }, command: Command) => {
      const config = readStoredConfig(terminal.env);
      if (verify) {
        const verification = await onTables((at) => untilAsked((signal) => verifyBackup(config, resolve(folder), signal, at)));
        say(command.optsWithGlobals(), verification, describeVerification(verification));
        return setExitCode(VERIFICATION_ENDS[verification.result]);
      }
      const manifest = await onTables((at) => backUp(config, resolve(folder), at));
      say(command.optsWithGlobals(), manifest, describeBackup(folder, manifest).join('\n'));
    });
  program
    .command('restore')
    .description('fill an empty installation from a backup')
    .argument('<folder>')
    .action(async (folder, _, command: Command) => {
      const manifest = await onTables((at) => restoreBackup(readStoredConfig(terminal.env), resolve(folder), at));
      say(command.optsWithGlobals(), manifest, describeRestored(manifest));
    });
  program
    .command('upgrade')
    .description('restore a backup into a database of its own, bring it up to date, and say how that went')
    .argument('<folder>', 'a backup, or a folder of backups, of which the newest is taken')
    .requiredOption('--rehearse', 'change nothing here')
    .action(async (folder, _, command: Command) => {
      const config = readStoredConfig(terminal.env);
      const rehearsal = await onTables((at) => untilAsked((signal) => rehearseUpgrade(config, resolve(folder), signal, at)));
      say(command.optsWithGlobals(), rehearsal, describeRehearsal(rehearsal));
      setExitCode(rehearsal.faults.length === 0 ? EXIT.done : EXIT.negative);
    });
  program
    .command('login')
    .description('keep a service and a key, which is read from standard input or SERVICE_API_KEY')
    .argument('[url]', 'URL of the service', 'http://127.0.0.1:8088')
    .action(async (url, _, command: Command) => {
      const done = await logIn(terminal, url, process.stdin);
      say(command.optsWithGlobals(), done, `${done.email} at ${done.url}; kept in ${done.file}`);
    });
}

function addRecords(program: Command, { terminal, connect, say, setExitCode }: Tools): void {
  program
    .command('ingest')
    .description('send files of traces: one JSON object a line, or OTLP as JSON lines or protobuf (.pb)')
    .argument('<files...>')
    .requiredOption('--project <name>', 'name or id; made where it is missing')
    .option('--log-stream <name>', 'name or id; made where it is missing')
    .action(async (files: string[], _, command: Command) => {
      const options = command.optsWithGlobals<RunOptions>();
      const client = await connect(options);
      for (const file of files) {
        const done = await ingestFile(client, file, options, terminal);
        say(options, done, `${done.file}: ${done.traces} traces in ${done.requests} requests`);
      }
    });
  ofRun(program.command('search').description('list records, the newest first'))
    .option('--limit <n>', 'at most so many', positive, 20)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<RunOptions>();
      const { client, place, filters } = await openRun(options, connect);
      const found = await allOf(searchRecords(client, place, { ...options, filters }));
      const lines = found.map((record) => JSON.stringify(record)).join('\n');
      if (found.length > 0) terminal.out(options.json ? `${lines}\n` : toRecordTable(found));
    });
  program
    .command('find')
    .description('find a text in all log streams, the newest first; ends with 1 where some could not be searched')
    .argument('<text>', 'words, or a phrase in double quotes')
    .option('--project <project>', 'only this one, by its name or id')
    .option('--spans', 'spans in place of traces', false)
    .option('--part', 'look inside of words, too', false)
    .option('--limit <n>', 'at most so many', positive, 20)
    .action(async (text: string, _, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & FindOptions>();
      const client = await connect(options);
      const { hits, is_complete } = await findText(client, text, {
        project_id: options.project === undefined ? undefined : await findProject(client, options.project),
        record_type: options.spans ? 'span' : 'trace',
        match: options.part ? 'part' : 'words',
        limit: options.limit,
      });
      const lines = hits.map((hit) => `${JSON.stringify(hit)}\n`).join('');
      if (hits.length > 0) terminal.out(options.json ? lines : toTable(hits.map(describeHit)));
      if (is_complete) return;
      terminal.err('Some log streams were not searched: name a project.\n');
      setExitCode(EXIT.negative);
    });
  ofRun(program.command('tail').description('show records as they come in, until Ctrl-C'))
    .option('--limit <n>', 'begin with so many', positive, 10)
    .option('--count <n>', 'end after so many', positive)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<RunOptions & { count?: number }>();
      const { client, place, filters } = await openRun(options, connect);
      let left = options.count ?? Number.POSITIVE_INFINITY;
      for await (const record of tailRecords(client, place, { ...options, filters }, terminal)) {
        terminal.out(options.json ? `${JSON.stringify(record)}\n` : `${describeRecord(record).join('  ')}\n`);
        if (--left === 0) return;
      }
    });
  ofRun(program.command('export').description('write all records of a run'))
    .addOption(new Option('--format <format>').choices(['jsonl', 'csv', 'json']).default('jsonl'))
    .option('--output <file>', 'standard output unless given')
    .option('--parquet <folder>', 'all of the run as Parquet files in a folder: records, scores and ratings')
    .option('--redact', 'redacted inputs and outputs in place of the full ones', false)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>();
      const { client, place, filters } = await openRun(options, connect);
      if (options.parquet !== undefined) {
        if (filters.length > 0 || options.output !== undefined)
          throw new CommandError('--parquet writes all of a run into a folder: --filter and --output do not go with it');
        const written = await exportParquet(client, place, { folder: options.parquet, redact: options.redact }, terminal);
        const { files, records, scores, ratings } = written;
        say(
          options,
          written,
          `${options.parquet}: ${records} records, ${scores} scores and ${ratings} ratings in ${files} files`,
        );
        return;
      }
      const bytes = await exportRecords(client, place, { ...options, filters }, terminal);
      if (options.output !== undefined) say(options, { file: options.output, bytes }, `${options.output}: ${bytes} bytes`);
    });
}

function addImports(program: Command, { terminal, connect, say, setExitCode }: Tools): void {
  program
    .command('import')
    .description(
      'bring records, scores, datasets and prompts of another product; ends with 1 when something of the files did not come',
    )
    .argument('<product>', PRODUCTS.map(({ id }) => id).join(', '), choice(PRODUCTS.map(({ id }) => id)))
    .argument('<files...>', 'exported files, or folders of them')
    .requiredOption('--project <name>', 'name or id; made where it is missing')
    .option('--log-stream <name>', 'name or id; made where it is missing')
    .option('--dataset <name>', 'the dataset of rows that name none')
    .option('--dry-run', 'report what would come, and send nothing', false)
    .action(async (product, paths: string[], _, command: Command) => {
      const options = command.optsWithGlobals<RunOptions & { dataset?: string; dryRun: boolean }>();
      const report = await importExports(() => connect(options), { ...options, product, paths }, terminal);
      say(options, report, describeReport(report));
      setExitCode(isIncomplete(report) ? EXIT.negative : EXIT.done);
    });
}

const ofRun = (command: Command): Command =>
  command
    .requiredOption('--project <name>', 'name or id')
    .option('--log-stream <name>', 'name or id; the first one unless given')
    .option('--experiment <name>', 'name or id, in place of a log stream')
    .addOption(new Option('--level <level>').choices(['traces', 'spans', 'sessions']).default('traces'))
    .option('--filter <condition>', 'COLUMN OPERATOR VALUE, with = != > >= < <= or ~ (contains); may be repeated', collect, []);

async function openRun(options: RunOptions, connect: Tools['connect']) {
  const client = await connect(options);
  const place = await findPlace(client, options);
  return { client, place, filters: await toFilters(client, place, options.level, options.filter) };
}

function addDatasets(program: Command, { terminal, connect, say }: Tools): void {
  const dataset = program.command('dataset').description('datasets out of files, and into files');
  dataset
    .command('push')
    .description('make a dataset of a file; one that is there gets the rows as a new version')
    .argument('<file>')
    .requiredOption('--name <name>', 'name or id')
    .option('--replace', 'in place of the rows that are there, not after them', false)
    .action(async (file, { replace }, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { name: string }>();
      const { id, current_version_index, num_rows } = await pushDataset(await connect(options), file, options.name, replace);
      const done = { id, current_version_index, num_rows };
      say(options, done, `${options.name}: version ${current_version_index} with ${num_rows} rows (${id})`);
    });
  dataset
    .command('pull')
    .description('write a dataset to a file')
    .argument('<name>', 'name or id')
    .addOption(new Option('--format <format>').choices(['csv', 'jsonl', 'json']).default('jsonl'))
    .option('--output <file>', 'standard output unless given')
    .action(async (name, { format, output }, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const client = await connect(options);
      const res = await client.open('GET', `/v2/datasets/${await findDataset(client, name)}/download?format=${format}`);
      const bytes = await writeBody(res, output, terminal);
      if (output !== undefined) say(options, { file: output, bytes }, `${output}: ${bytes} bytes`);
    });
}

function addExperiments(program: Command, { terminal, connect, say, setExitCode }: Tools): void {
  const experiment = program.command('experiment').description('run something over a dataset; compare two runs');
  experiment
    .command('run')
    .description('run a command on every row: the row comes as JSON to its standard input, its output is the answer')
    .requiredOption('--project <name>', 'name or id; made where it is missing')
    .requiredOption('--dataset <name>', 'name or id')
    .requiredOption('--command <command>', 'run by the shell')
    .option('--name <name>', 'of the experiment', `run of ${new Date().toISOString()}`)
    .option('--scorer <id>', 'judges the answers; may be repeated', collect, [])
    .option('--parallel <n>', 'rows at once', positive, 4)
    .action(async ({ project, dataset, command: shell, name, scorer, parallel }, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const client = await connect(options);
      const run = { name, command: shell, parallel, scorers: scorer };
      const project_id = await findOrMakeProject(client, project);
      const done = await runExperiment(client, { ...run, project_id, dataset_id: await findDataset(client, dataset) }, terminal);
      say(options, done, `${done.rows} rows, ${done.failed} failed\n${done.url}`);
      setExitCode(done.failed > 0 ? EXIT.negative : EXIT.done);
    });
  experiment
    .command('compare')
    .description('compare two experiments row by row; ends with 1 when a metric of --fail-on got worse beyond chance')
    .argument('<baseline>', 'name or id')
    .argument('<candidate>', 'name or id')
    .requiredOption('--project <name>', 'name or id')
    .option('--fail-on <metric>', 'may be repeated', collect, [])
    .action(async (baseline, candidate, { project, failOn }, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const client = await connect(options);
      const id = await findProject(client, project);
      const [one, other] = [await findExperiment(client, id, baseline), await findExperiment(client, id, candidate)];
      const comparison = await compareExperiments(client, id, one, other);
      const unknown = failOn.filter((name: string) => !comparison.metrics.some((metric) => metric.name === name));
      if (unknown.length > 0) throw new CommandError(`no row has ${unknown.join(', ')} in both experiments`);
      say(options, comparison, describeComparison(comparison));
      const worse = comparison.metrics.some((metric) => failOn.includes(metric.name) && isWorse(metric));
      setExitCode(worse ? EXIT.negative : EXIT.done);
    });
  program
    .command('gate')
    .description(
      'ask whether a version of a scorer passes its gate, or an experiment is no worse than its baseline; ends with 1 when not',
    )
    .option('--scorer <id>')
    .option('--scorer-version <n>', 'the latest unless given', positive)
    .option('--dataset <id>', 'that of the gate unless given')
    .option('--margin <number>', 'that of the gate unless given; of an experiment 0', decimal)
    .option('--type <type>', 'type of the health score; that of the gate unless given')
    .option('--experiment <name>', 'name or id, in place of a scorer')
    .option('--baseline <name>', 'name or id of another experiment')
    .option('--project <name>', 'name or id, of the experiments')
    .option('--metric <name>', 'by which the experiments are compared; may be repeated', collect, [])
    .action(async (given: GateOptions, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const place = await readProfile(terminal.env, options.url);
      const question = given.scorer ? toScorerQuestion(given) : await toExperimentQuestion(await connect(options), given);
      const verdict = await askGate({ ...place, ...question });
      say(options, verdict, `${verdict.passed ? 'passed' : 'refused'}: ${verdict.reason}, ${verdict.message}`);
      setExitCode(verdict.passed ? EXIT.done : EXIT.negative);
    });
  program
    .command('compare')
    .description(
      'compare how well scorers agree with the ground truth of a dataset, by paired tests; ends with 1 when a run is worse than the first one beyond chance',
    )
    .argument('<runs...>', 'experiments by name or id, metrics-testing runs by id; the first one is the baseline')
    .requiredOption('--project <name>', 'name or id')
    .option('--scorer <name>', 'name or id; may be repeated: each run is read with each of them', collect, [])
    .option('--output-type <type>', 'how truths and scores are read; as the scorers declare it unless given')
    .addOption(
      new Option('--test <test>', 'the one for the output type unless given').choices([
        'mcnemar',
        'wilcoxon_signed_rank',
        'paired_t',
      ]),
    )
    .option('--all-pairs', 'compare each run with each other, not with the first one alone', false)
    .action(async (runs: string[], given: RunComparisonOptions, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const comparison = await compareRuns(await connect(options), runs, given);
      say(options, comparison, describeRunComparison(comparison));
      setExitCode(hasWorse(comparison) ? EXIT.negative : EXIT.done);
    });
  program
    .command('audit')
    .description('test the judge of a version of a scorer for bias; ends with 1 when some is found')
    .requiredOption('--scorer <id>')
    .option('--scorer-version <n>', 'the latest unless given', positive)
    .option('--probe <name>', 'one of those that are made; may be repeated; all unless given', collect, [])
    .option('--dataset <id>', 'test its rows in place of the built-in texts')
    .option('--family <name>', "the judge's own model family; told from its name unless given")
    .option('--max-cost <dollars>', 'end when so much is spent', decimal)
    .option('--dry-run', 'only say what would be asked, and what that would cost', false)
    .action(async (given: AuditOptions, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const place = await readProfile(terminal.env, options.url);
      const done = await runAudit({ ...place, ...toAuditQuestion(given) }, (line) => terminal.err(`${line}\n`));
      say(options, done.audit ?? done.plan, done.audit ? describeAudit(done.audit) : describePlan(done.plan));
      if (done.audit) setExitCode(toExitCode(done.audit));
    });
}

interface AuditOptions {
  readonly scorer: string;
  readonly scorerVersion?: number;
  readonly probe: readonly string[];
  readonly dataset?: string;
  readonly family?: string;
  readonly maxCost?: number;
  readonly dryRun: boolean;
}

const toAuditQuestion = ({ scorer, scorerVersion, probe, dataset, family, maxCost, dryRun }: AuditOptions) => ({
  scorer,
  body: {
    ...(scorerVersion !== undefined && { version: scorerVersion }),
    ...(probe.length > 0 && { probes: probe }),
    ...(dataset !== undefined && { dataset_id: dataset }),
    ...(family !== undefined && { model_family: family }),
    ...(maxCost !== undefined && { max_cost: maxCost }),
    dry_run: dryRun,
  },
});

interface GateOptions {
  readonly scorer?: string;
  readonly scorerVersion?: number;
  readonly dataset?: string;
  readonly margin?: number;
  readonly type?: string;
  readonly experiment?: string;
  readonly baseline?: string;
  readonly project?: string;
  readonly metric: readonly string[];
}

const toScorerQuestion = ({ scorer, scorerVersion, dataset, margin, type }: GateOptions) => ({
  scorer: scorer!,
  // Left out where it is not given: the terms are those of the gate.
  body: JSON.parse(JSON.stringify({ version: scorerVersion, dataset_id: dataset, margin, health_score_type: type })) as Record<
    string,
    string | number
  >,
});

async function toExperimentQuestion(client: ServiceClient, { project, experiment, baseline, metric, margin = 0 }: GateOptions) {
  if (!experiment) throw new CommandError('--scorer or --experiment is missing');
  if (!project || !baseline || metric.length === 0) throw new CommandError('--project, --baseline or --metric is missing');
  if (margin < 0) throw new CommandError(`--margin is below 0: ${margin}`);
  const project_id = await findProject(client, project);
  const candidate_id = await findExperiment(client, project_id, experiment);
  return { project_id, candidate_id, baseline_id: await findExperiment(client, project_id, baseline), metrics: metric, margin };
}

function addScoring(program: Command, { terminal, connect, say, setExitCode }: Tools): void {
  program
    .command('score')
    .description(
      'score a file of traces, or a run, by a version of a scorer; ends with 1 when the mean is beyond a threshold or a record failed',
    )
    .argument('[file]', 'traces as JSON lines, scored in an experiment of their own; a run that is there unless given')
    .requiredOption('--project <name>', 'name or id; made where it is missing')
    .requiredOption('--scorer <name>', 'name or id')
    .option('--scorer-version <n>', 'the one in use unless given', positive)
    .option('--log-stream <name>', 'name or id of the run, the first one unless given')
    .option('--experiment <name>', 'name or id of the run, in place of a log stream')
    .option('--filter <condition>', 'on the traces of the run: COLUMN OPERATOR VALUE; may be repeated', collect, [])
    .option('--enable', 'enable the scorer in the run where it is not', false)
    .option('--fail-below <number>', 'end with 1 when the mean is below', decimal)
    .option('--fail-above <number>', 'end with 1 when the mean is above', decimal)
    .option('--timeout <seconds>', 'how long to wait for the scores', positive, 600)
    .action(async (file: string | undefined, given: ScoreOptions, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { filter, timeout, ...rest } = given;
      const isRun = given.logStream !== undefined || given.experiment !== undefined || filter.length > 0 || given.enable;
      if (file !== undefined && isRun)
        throw new CommandError('a file is scored by itself: --log-stream, --experiment, --filter and --enable are of a run');
      const client = await connect(options);
      const filters = (place: Place) => toFilters(client, place, 'traces', filter);
      const done: Scored = await score(
        client,
        { ...rest, ...(file !== undefined && { file }), filters, timeoutSeconds: timeout },
        terminal,
      );
      const refusal = findRefusal(done, given);
      say(
        options,
        { ...done, passed: refusal === undefined },
        `${describeScored(done)}${refusal === undefined ? '' : `\nrefused: ${refusal}`}`,
      );
      setExitCode(refusal === undefined ? EXIT.done : EXIT.negative);
    });
}

interface ScoreOptions extends Thresholds {
  readonly project: string;
  readonly scorer: string;
  readonly scorerVersion?: number;
  readonly logStream?: string;
  readonly experiment?: string;
  readonly filter: readonly string[];
  readonly enable: boolean;
  readonly timeout: number;
}

function addAssistants(program: Command, { terminal }: Tools): void {
  program
    .command('mcp')
    .description('serve the tools of the service by the Model Context Protocol on standard input and output')
    .action(async (_, command: Command) => {
      await bridgeMcp(await readProfile(terminal.env, command.optsWithGlobals<CommonOptions>().url));
    });
}

const collect = (value: string, before: string[]): string[] => [...before, value];

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It is not a whole number above 0.');
  return value;
}

function decimal(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It is not a number.');
  return value;
}

const choice =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T => {
    const found = choices.find((each) => each === text);
    if (found === undefined) throw new InvalidArgumentError(`It is none of ${choices.join(', ')}.`);
    return found;
  };
