/**
 * Operations of the API without a place in the console, by the reason. Whoever gives one a place takes it out; whoever adds an
 * operation gives it a place or a reason.
 */
export const WITHOUT_PLACE: Readonly<Record<string, readonly string[]>> = {
  'Applications and collectors call them; a person sends nothing by hand.': [
    ...['exportTracesOfLangfuse', 'exportTracesToOtel', 'exportLogsUnderOtel', 'exportTracesUnderOtel', 'exportLogs'],
    ...['exportMetrics', 'exportMetricsUnderOtel', 'uploadProjectFile'],
    ...['exportTraces', 'logTraces', 'logSpans', 'createSession', 'updateTrace', 'updateSpan', 'giveFeedback', 'getIngestBatch'],
    ...['healthcheck', 'createJob', 'getJob', 'getLabelledTemplateVersion', 'findProjectTemplateVersion'],
  ],
  'Another operation gives the same, with more of it.': [
    ...['listProjects', 'listAllProjects', 'countProjects', 'searchGroups', 'listExperiments', 'listExperimentPage'],
    ...['getWidget', 'queryWidget', 'getUser', 'putUser', 'listTemplateLabels', 'queryTemplateVersions'],
    ...['getTemplateVersion', 'getDatasetContent', 'listJobsOfRun', 'listExperimentTags', 'getExperimentTag', 'deleteDatasets'],
    ...['deleteTemplates', 'getScorerSettings', 'setScorerSettings', 'updateScorerSettings', 'getRegistered'],
    ...['listMetricsTestingColumns', 'orderTrendsDashboard', 'listRunLlmIntegrations', 'validateCode', 'validateJudge'],
    ...['getCodeValidation', 'getJudgeValidation', 'callPlayground'],
  ],
  'A page of the console reads files with the key of whoever is signed in, under its own content security policy.': [
    'getProjectFileUrl',
  ],
  'Another name of an operation that has a place, for clients that were written for it.': [
    ...['recomputeMetricsByOtherName', 'autogenGenerated', 'getGeneratedAutogen', 'validateGenerated'],
    ...['validateGeneratedOnRecords', 'getGeneratedValidation', 'validateRegistered', 'validateRegisteredOnDataset'],
    ...['validateRegisteredOnRecords', 'getRegisteredValidation', 'putDatabricksUnityCatalogSqlIntegration'],
  ],
  'The prompts of a project are shown among all prompts.': [
    ...['listProjectTemplates', 'createProjectTemplate', 'getProjectTemplate', 'deleteProjectTemplate'],
    'getProjectTemplateVersion',
  ],
  'Tools look up what is installed; the console shows it where it is chosen.': [
    ...['listCollaboratorRoles', 'listIdentityProviders', 'listOtelDialects'],
  ],
  'Pipelines follow one audit; the console follows all of a version.': ['getJudgeAudit'],
  'The link that is mailed leads to the sign-up, where the console begins.': ['verifyEmail', 'completeEmailVerification'],
};
