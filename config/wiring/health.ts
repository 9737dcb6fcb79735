import { gateRoutes } from '../../adapters/http/health/gate-routes.ts';
import { healthRoutes } from '../../adapters/http/health/health-routes.ts';
import { judgeAuditRoutes } from '../../adapters/http/health/judge-audit-routes.ts';
import { juryRoutes } from '../../adapters/http/health/jury-routes.ts';
import { shadowRoutes } from '../../adapters/http/health/shadow-routes.ts';
import { ActivationGate } from '../../core/health/activation-gate.ts';
import { JudgeAuditJob } from '../../core/health/bias/judge-audit-job.ts';
import { JudgeAuditService } from '../../core/health/bias/judge-audit-service.ts';
import { CalibratedVersionService } from '../../core/health/calibration/calibrated-version-service.ts';
import { CalibrationService } from '../../core/health/calibration/calibration-service.ts';
import { RunComparisonService } from '../../core/health/comparison/run-comparison-service.ts';
import { GateService } from '../../core/health/gate-service.ts';
import { HealthService } from '../../core/health/health-service.ts';
import { JuryHealthService } from '../../core/health/jury/jury-health-service.ts';
import { WeighedVersionService } from '../../core/health/jury/weighed-version-service.ts';
import { KeptHealth } from '../../core/health/kept-health.ts';
import { ShadowService } from '../../core/health/shadow-service.ts';
import { TruthColumnService } from '../../core/health/truth-column-service.ts';
import type { VersionGate } from '../../core/scorers/versions/version-gate.ts';
import { capability, factory, singleton } from './registration.ts';

export const health = capability({
  services: {
    activationGate: singleton(ActivationGate),
    truthColumnService: singleton(TruthColumnService),
    shadowService: singleton(ShadowService),
    gateService: singleton(GateService),
    keptHealth: singleton(KeptHealth),
    healthService: singleton(HealthService),
    calibrationService: singleton(CalibrationService),
    juryHealthService: singleton(JuryHealthService),
    weighedVersionService: singleton(WeighedVersionService),
    judgeAuditService: singleton(JudgeAuditService),
    calibratedVersionService: singleton(CalibratedVersionService),
    runComparisonService: singleton(RunComparisonService),
    versionGate: factory(({ activationGate }: { activationGate: VersionGate }) => activationGate),
  },
  routes: [healthRoutes, gateRoutes, shadowRoutes, juryRoutes, judgeAuditRoutes],
  jobs: [singleton(JudgeAuditJob)],
});
