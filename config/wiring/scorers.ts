import { codeLanguageRoutes } from '../../adapters/http/scorers/code-language-routes.ts';
import { costForecastRoutes } from '../../adapters/http/scorers/cost-forecast-routes.ts';
import { evidenceRoutes } from '../../adapters/http/scorers/evidence-routes.ts';
import { kindTrialRoutes } from '../../adapters/http/scorers/kind-trial-routes.ts';
import { kindVersionRoutes } from '../../adapters/http/scorers/kind-version-routes.ts';
import { metricSettingsRoutes } from '../../adapters/http/scorers/metric-settings-routes.ts';
import { recomputeRoutes } from '../../adapters/http/scorers/recompute-routes.ts';
import { scoreRoutes } from '../../adapters/http/scorers/score-routes.ts';
import { scorerRoutes } from '../../adapters/http/scorers/scorer-routes.ts';
import { scorerVersionRoutes } from '../../adapters/http/scorers/scorer-version-routes.ts';
import { suspensionRoutes } from '../../adapters/http/scorers/suspension-routes.ts';
import { validationRoutes } from '../../adapters/http/scorers/validation-routes.ts';
import { ForkedSandbox } from '../../adapters/sandbox/forked-sandbox.ts';
import { DEFAULT_SANDBOX_SETTINGS } from '../../adapters/sandbox/sandbox-settings.ts';
import type { CodeLimits } from '../../core/plugin-sdk/index.ts';
import { AutogenJob } from '../../core/scorers/autogen/autogen-job.ts';
import { AutogenService } from '../../core/scorers/autogen/autogen-service.ts';
import { EvidenceService } from '../../core/scorers/evidence/evidence-service.ts';
import { JudgeCallExpiry } from '../../core/scorers/evidence/judge-call-expiry.ts';
import { CostForecastService } from '../../core/scorers/forecast/cost-forecast-service.ts';
import { ScorerKinds } from '../../core/scorers/kinds/scorer-kinds.ts';
import { CodeLanguages, type CodeLanguagesDeps } from '../../core/scorers/languages/code-languages.ts';
import { PresetSeeding } from '../../core/scorers/presets/preset-seeding.ts';
import { RecomputeJob } from '../../core/scorers/recompute/recompute-job.ts';
import { RecomputeService } from '../../core/scorers/recompute/recompute-service.ts';
import { ScorerProjectService } from '../../core/scorers/scorer-project-service.ts';
import { ScorerService } from '../../core/scorers/scorer-service.ts';
import { ScoreService } from '../../core/scorers/scores/score-service.ts';
import { BatchPace } from '../../core/scorers/scoring/batch-pace.ts';
import type { CodeSandbox } from '../../core/scorers/scoring/code-sandbox.ts';
import type { IdleSessions } from '../../core/scorers/scoring/idle-sessions.ts';
import { JudgeFiles } from '../../core/scorers/scoring/judge-files.ts';
import { JudgeModels } from '../../core/scorers/scoring/judge-models.ts';
import { ScoredRunRecords } from '../../core/scorers/scoring/scored-run-records.ts';
import { ScoringService } from '../../core/scorers/scoring/scoring-service.ts';
import { Strikes } from '../../core/scorers/scoring/strikes.ts';
import { SuspensionService } from '../../core/scorers/scoring/suspension-service.ts';
import { MetricSettingsService } from '../../core/scorers/settings/metric-settings-service.ts';
import { ShadowScoring } from '../../core/scorers/shadow/shadow-scoring.ts';
import type { SampleJobDeps } from '../../core/scorers/validation/sample-job.ts';
import { SampleTrialJob } from '../../core/scorers/validation/sample-job.ts';
import { TrialExpiry } from '../../core/scorers/validation/trial-expiry.ts';
import { TrialJob } from '../../core/scorers/validation/trial-job.ts';
import type { TrialLimits } from '../../core/scorers/validation/trial-scorers.ts';
import { TrialService } from '../../core/scorers/validation/trial-service.ts';
import { ValidationService } from '../../core/scorers/validation/validation-service.ts';
import { KindVersionService } from '../../core/scorers/versions/kind-version-service.ts';
import { ScorerVersionService } from '../../core/scorers/versions/scorer-version-service.ts';
import { toCodeLimits, toSandboxLanguage } from '../code-languages.ts';
import type { Given } from '../given.ts';
import { scopedKind, scopedLanguage } from '../plugin-scope.ts';
import { readPresetFile } from '../preset-files.ts';
import { makeScorerKits } from '../scorer-kit.ts';
import { capability, factory, singleton, value } from './registration.ts';
import { codeScoring, modelScoring } from './scoring-workers.ts';

type Plugins = Pick<Given, 'plugins' | 'workContext' | 'log'>;
type LanguageDeps = Pick<Given, 'plugins' | 'workContext'> & Omit<CodeLanguagesDeps, 'plugins'>;

const HOUR_MS = 60 * 60_000;

export const scorers = capability({
  services: {
    scorerKinds: factory(
      ({ plugins, workContext, log }: Plugins) =>
        new ScorerKinds(
          plugins.scorerKinds.map((plugin) => scopedKind(plugin, workContext)),
          log,
        ),
    ),
    codeLimits: value<CodeLimits>(toCodeLimits(DEFAULT_SANDBOX_SETTINGS)),
    codeSandbox: factory(
      ({ plugins, log }: Plugins): CodeSandbox =>
        new ForkedSandbox({
          settings: DEFAULT_SANDBOX_SETTINGS,
          languages: plugins.codeLanguages.map(toSandboxLanguage),
          log,
        }),
    ),
    codeLanguages: factory(
      ({ plugins, workContext, codeSandbox, pluginHost, codeLimits, log }: LanguageDeps) =>
        new CodeLanguages({
          plugins: plugins.codeLanguages.map((plugin) => scopedLanguage(plugin, workContext)),
          ...{ codeSandbox, pluginHost, codeLimits, log },
        }),
    ),
    scorerKits: factory(makeScorerKits),
    readPresetFile: value(readPresetFile),
    // Clients watch a trial for about a minute.
    trialLimits: value<TrialLimits>({ required_ms: 40_000, candidate_ms: 120_000 }),
    strikes: singleton(Strikes),
    batchPace: factory(() => new BatchPace(10_000)),
    judgeModels: singleton(JudgeModels),
    judgeFiles: singleton(JudgeFiles),
    scoreService: singleton(ScoreService),
    evidenceService: singleton(EvidenceService),
    judgeCallExpiry: singleton(JudgeCallExpiry),
    costForecastService: singleton(CostForecastService),
    recomputeService: singleton(RecomputeService),
    scorerService: singleton(ScorerService),
    presetSeeding: singleton(PresetSeeding),
    suspensionService: singleton(SuspensionService),
    scorerVersionService: singleton(ScorerVersionService),
    kindVersionService: singleton(KindVersionService),
    scorerProjectService: singleton(ScorerProjectService),
    validationService: singleton(ValidationService),
    trialService: singleton(TrialService),
    trialExpiry: singleton(TrialExpiry),
    autogenService: singleton(AutogenService),
    metricSettingsService: singleton(MetricSettingsService),
    runRecords: singleton(ScoredRunRecords),
    scoringService: singleton(ScoringService),
    shadowScoring: singleton(ShadowScoring),
  },
  routes: [
    recomputeRoutes,
    costForecastRoutes,
    scorerRoutes,
    scorerVersionRoutes,
    kindVersionRoutes,
    kindTrialRoutes,
    suspensionRoutes,
    validationRoutes,
    codeLanguageRoutes,
    metricSettingsRoutes,
    scoreRoutes,
    evidenceRoutes,
  ],
  jobs: [
    singleton(RecomputeJob),
    factory((needs: SampleJobDeps) => needs.scorerKinds.list().map(({ id }) => new SampleTrialJob(needs, id))),
    singleton(TrialJob),
    singleton(AutogenJob),
  ],
  workers: [codeScoring, modelScoring],
  background: [
    ({ trialExpiry }: { trialExpiry: TrialExpiry }) => ({
      name: 'remove trials that were kept long enough',
      work: async () => (await trialExpiry.run()).more,
      idleDelayMs: HOUR_MS,
    }),
    ({ judgeCallExpiry }: { judgeCallExpiry: JudgeCallExpiry }) => ({
      name: 'remove calls of models that were kept long enough',
      work: async () => (await judgeCallExpiry.run()).more,
      idleDelayMs: HOUR_MS,
    }),
    ({ idleSessions, sessionIdleSeconds }: { idleSessions: IdleSessions; sessionIdleSeconds: number }) => ({
      name: 'have sessions judged in which nothing happens any more',
      work: async () => (await idleSessions.release(sessionIdleSeconds)).more,
      idleDelayMs: 5_000,
    }),
  ],
});
