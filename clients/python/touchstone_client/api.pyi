"""Made from the OpenAPI document by "npm run openapi"; not to be changed by hand."""

from typing import Any

from . import api_types as types
from .http import Http

class Api:
    def __init__(self, http: Http) -> None: ...
    def add_annotation_items(self, *, project_id: str, queue_id: str, body: types.ChosenRecords) -> types.AnnotationQueue:
        """Line more records up behind those that are there."""
    def add_calibrated_version(self, *, project_id: str, run_id: str, body: types.CalibratedVersionRequest) -> types.ScorerVersion:
        """Add a version of a scorer that maps its scores to the rates at which such scores were true in these rows."""
    def add_dataset_groups(self, *, dataset_id: str, body: types.AddDatasetGroupsRequest) -> types.AddDatasetGroupsResponse:
        """Share a dataset with groups, or change their roles."""
    def add_dataset_users(self, *, dataset_id: str, body: types.AddDatasetUsersRequest) -> types.AddDatasetUsersResponse:
        """Share a dataset with users, or change their roles."""
    def add_group_members(self, *, group_id: str, body: types.AddGroupMembersRequest) -> types.AddGroupMembersResponse:
        """Add users to a group; those who are in it get the given role."""
    def add_integration_groups(self, *, integration_id: str, body: types.AddIntegrationGroupsRequest) -> types.AddIntegrationGroupsResponse:
        """Share a integration with groups, or change their roles."""
    def add_integration_users(self, *, integration_id: str, body: types.AddIntegrationUsersRequest) -> types.AddIntegrationUsersResponse:
        """Share a integration with users, or change their roles."""
    def add_project_groups(self, *, project_id: str, body: types.AddProjectGroupsRequest) -> types.AddProjectGroupsResponse:
        """Share a project with groups, or change their roles."""
    def add_project_users(self, *, project_id: str, body: types.AddProjectUsersRequest) -> types.AddProjectUsersResponse:
        """Share a project with users, or change their roles."""
    def add_records_to_dataset(self, *, dataset_id: str, body: types.RecordCopy) -> types.RecordCopyStarted:
        """Add a row for each record, or session, of a run that passes filters, as one version; a job, which says when it is done."""
    def add_template_groups(self, *, template_id: str, body: types.AddTemplateGroupsRequest) -> types.AddTemplateGroupsResponse:
        """Share a template with groups, or change their roles."""
    def add_template_users(self, *, template_id: str, body: types.AddTemplateUsersRequest) -> types.AddTemplateUsersResponse:
        """Share a template with users, or change their roles."""
    def add_weighed_version(self, *, project_id: str, queue_id: str, body: types.WeighedVersionRequest) -> types.ScorerVersion:
        """Add a version of a jury whose jurors weigh what their health by the answers of a queue says."""
    def aggregate_traces(self, *, project_id: str, body: types.RecordCount) -> types.AggregatedTraces:
        """The newest traces that match, laid over each other as one graph of steps."""
    def annotate(self, *, project_id: str, body: types.NewAnnotation) -> types.RatingDone:
        """Keep one's own answer to an annotation template about a trace or span; a null value takes it back."""
    def answer_annotation_task(self, *, project_id: str, queue_id: str, record_id: str, body: types.AnnotationAnswers) -> types.AnnotationQueue:
        """Answer all templates of the queue about a record, or skip it."""
    def autogen_generated(self, *, body: types.AutogenRequest) -> types.StartedTask:
        """Have one of the caller's models write a scorer of kind 'Judge'; the result is polled."""
    def autogen_judge(self, *, body: types.AutogenRequest) -> types.StartedTask:
        """Have one of the caller's models write a scorer of kind 'Judge'; the result is polled."""
    def begin_social_sign_in(self, *, body: types.BeginSocialSignInRequest) -> types.BegunSignIn:
        """Begin a sign-in by the authorization code flow with PKCE: where to send the browser, which keeps the cookie `sign_in` meanwhile. The provider sends it back to PUBLIC_URL."""
    def call_playground(self, *, project_id: str, body: types.PlaygroundCall) -> types.PlaygroundReply:
        """Try variants of a prompt with the same values side by side; nothing is logged, the calls are counted as spending."""
    def cancel_judge_audit(self, *, scorer_id: str, audit_id: str, body: types.CancelJudgeAuditRequest | None = None) -> types.JudgeAudit:
        """End an audit that is running."""
    def check_audit_log(self) -> types.AuditChainReport:
        """Whether the lines of the audit log still follow on each other."""
    def check_scorer_gate(self, *, scorer_id: str, body: types.GateCheck | None = None) -> types.GateVerdict:
        """Whether a version would pass the gate of its scorer, or one on the terms given."""
    def choose_ground_truth_columns(self, *, dataset_id: str, body: types.TruthColumnChoices) -> types.TruthColumns:
        """Choose columns for some scorers, or take choices back by null."""
    def compare_experiments(self, *, project_id: str, body: types.ComparisonRequest) -> types.ExperimentComparison:
        """Compare two experiments row by row: means, intervals, tests, and the rows that changed most."""
    def compare_metrics_testing_runs(self, *, project_id: str, body: types.RunComparisonRequest) -> types.RunComparison:
        """Which of several metrics-testing runs agrees best with the ground truth, by paired tests over the rows they share."""
    def complete_email_verification(self, *, body: types.VerificationProof) -> types.VerifiedEmail:
        """Confirm an address by the mailed code, with the token that verify_email answered as bearer."""
    def compute_calibration(self, *, project_id: str, run_id: str, body: types.CalibrationRequest) -> types.Calibration:
        """How far scores between 0 and 1 can be read as probabilities, mappings that make them so, and where to draw the line."""
    def compute_health_score(self, *, project_id: str, run_id: str, body: types.HealthRequest) -> types.Health:
        """How well a scorer says what is right, in a metrics-testing run or an experiment."""
    def count_projects(self, *, body: types.ProjectSearch | None = None) -> types.CountProjectsResponse:
        """Count the projects that pass the filters."""
    def count_sessions(self, *, project_id: str, body: types.RecordCount) -> types.Count:
        """Count sessions of a run by filters."""
    def count_span_facets(self, *, project_id: str, body: types.FacetSearch) -> types.FacetPage:
        """Count the most frequent values of columns over the spans of a run that meet filters."""
    def count_spans(self, *, project_id: str, body: types.CountRequest) -> types.Count:
        """Count spans of a run by filters."""
    def count_trace_facets(self, *, project_id: str, body: types.FacetSearch) -> types.FacetPage:
        """Count the most frequent values of columns over the traces of a run that meet filters."""
    def count_traces(self, *, project_id: str, body: types.CountRequest) -> types.Count:
        """Count traces of a run by filters."""
    def create_alert(self, *, project_id: str, log_stream_id: str, body: types.NewAlert) -> types.AlertWithSecret:
        """Watch a widget; the secret of its webhooks is shown this once."""
    def create_annotation_queue(self, *, project_id: str, body: types.NewAnnotationQueue) -> types.AnnotationQueue:
        """Line records up for annotators: named ones, or the newest that pass filters."""
    def create_annotation_template(self, *, project_id: str, body: types.NewAnnotationTemplate) -> types.AnnotationTemplate:
        """Make a question for annotators."""
    def create_api_key(self, *, body: types.NewApiKey) -> types.CreatedApiKey:
        """Make an API key of the caller. The reply is the only one that shows it."""
    def create_comment(self, *, project_id: str, body: types.NewComment) -> types.Comment:
        """Write something about a trace, a span or a session, for all who may read the project."""
    def create_dataset_rule(self, *, project_id: str, body: types.NewDatasetRule) -> types.DatasetRule:
        """Fill a dataset from a run by a rule: each record that matches, once, in versions some minutes apart."""
    def create_experiment(self, *, project_id: str, body: types.NewExperiment) -> types.Experiment:
        """Create an experiment; with `trigger` a prompt is run over its dataset."""
    def create_experiment_tag(self, *, project_id: str, experiment_id: str, body: types.NewRunTag) -> types.RunTag:
        """Put a tag on an experiment; one of the same key is replaced."""
    def create_finetuned_version(self, *, scorer_id: str, body: types.NewFinetunedVersion) -> types.ScorerVersion:
        """Give a scorer of kind 'Fine-tuned model' its next version: Asks a small model that was trained for one metric, served with its adapter."""
    def create_generated_version(self, *, scorer_id: str, body: types.NewLlmVersion) -> types.ScorerVersion:
        """Give a scorer of kind 'Judge' its next version: Asks one or several language models for a verdict on each record."""
    def create_group(self, *, body: types.NewGroup) -> types.Group:
        """Create a group; the caller becomes its maintainer."""
    def create_job(self, *, body: types.JobRequest) -> types.JobStarted:
        """Start work that goes on behind the answer."""
    def create_llm_version(self, *, scorer_id: str, body: types.NewLlmVersion) -> types.ScorerVersion:
        """Give a scorer of kind 'Judge' its next version: Asks one or several language models for a verdict on each record."""
    def create_log_stream(self, *, project_id: str, body: types.NewLogStream) -> types.LogStream:
        """Create a log stream, or answer the one of this name that exists."""
    def create_notification_route(self, *, project_id: str, body: types.NewNotificationRoute) -> types.NotificationRouteWithSecret:
        """Say where alerts of some severities go; the secret of its webhooks is shown this once."""
    def create_preset_version(self, *, scorer_id: str, body: types.NewPresetVersion | None = None) -> types.ScorerVersion:
        """Give a preset a version with other settings."""
    def create_project(self, *, body: types.NewProject) -> types.CreatedProject:
        """Create a project, or answer the one of this type and name that exists."""
    def create_project_template(self, *, project_id: str, body: types.NewTemplate) -> types.Template:
        """Create a prompt template that a project uses."""
    def create_project_template_version(self, *, project_id: str, template_id: str, body: types.NewTemplateVersion) -> types.TemplateVersion:
        """Add a version to a prompt template that a project uses."""
    def create_saved_view(self, *, project_id: str, body: types.NewSavedView) -> types.SavedView:
        """Save how a list of records stands: for oneself, or for all who may read the project."""
    def create_scorer(self, *, body: types.NewScorer) -> types.Scorer:
        """Create a scorer; it scores once it has a version and is enabled in a run."""
    def create_session(self, *, project_id: str, body: types.NewSession) -> types.CreatedSession:
        """Start a session; answers the one that has this external id already."""
    def create_signup_link(self, *, user_email: str) -> types.SignupLink:
        """An address where an invited user sets their first password; good once, for a week."""
    def create_template(self, *, body: types.NewTemplate, project_id: str | None = None) -> types.Template:
        """Create a prompt template with its first version."""
    def create_template_version(self, *, template_id: str, body: types.NewTemplateVersion) -> types.TemplateVersion:
        """Add a version to a prompt template, and select it."""
    def create_trends_section(self, *, project_id: str, log_stream_id: str, body: types.NewTrendsSection) -> types.TrendsSection:
        """Add a section to the trends dashboard."""
    def create_user(self, *, body: types.NewUser) -> types.User:
        """Create a user. An address that is not vouched for gets a mail with a code to confirm it."""
    def create_widget(self, *, project_id: str, log_stream_id: str, body: types.NewWidget) -> types.Widget:
        """Add a widget to the trends dashboard; a section that is not there yet is made."""
    def delete_alert(self, *, project_id: str, log_stream_id: str, alert_id: str) -> None:
        """Remove an alert with its history."""
    def delete_annotation_queue(self, *, project_id: str, queue_id: str) -> types.AnnotationQueueDeleted:
        """Delete a queue; the answers stay with their records."""
    def delete_annotation_template(self, *, project_id: str, template_id: str) -> types.AnnotationTemplateDeleted:
        """Delete a question with all answers to it."""
    def delete_api_key(self, *, api_key_id: str) -> types.ApiKeyDeleted:
        """Delete an API key; it is refused from the next request on."""
    def delete_bookmark(self, *, project_id: str, record_id: str, log_stream_id: str | None = None, experiment_id: str | None = None, metrics_testing_id: str | None = None) -> types.BookmarkDeleted:
        """Take one's own bookmark from a record of the run that is named."""
    def delete_comment(self, *, project_id: str, comment_id: str) -> types.CommentDeleted:
        """Delete a comment: an own one, or any of a project that one may change."""
    def delete_dataset(self, *, dataset_id: str) -> types.DatasetDeleted:
        """Delete a dataset with all its versions."""
    def delete_dataset_rule(self, *, project_id: str, rule_id: str) -> types.DatasetRuleDeleted:
        """Delete a rule; the rows that it added stay."""
    def delete_datasets(self, *, body: types.DatasetsToDelete) -> types.DeletedDatasets:
        """Delete several datasets; those that cannot be deleted are named."""
    def delete_experiment(self, *, project_id: str, experiment_id: str) -> None:
        """Delete an experiment with its records and scores."""
    def delete_experiment_tag(self, *, project_id: str, experiment_id: str, tag_id: str) -> types.RunTagDeleted:
        """Take a tag off an experiment."""
    def delete_group(self, *, group_id: str) -> types.GroupRemoved:
        """Delete a group; what was shared with it no longer is."""
    def delete_integration(self, *, name: str) -> types.IntegrationDeleted:
        """Delete an integration with its secrets."""
    def delete_log_stream(self, *, project_id: str, log_stream_id: str) -> None:
        """Delete a log stream with its records and scores."""
    def delete_notification_route(self, *, project_id: str, route_id: str) -> None:
        """Remove a notification route. What it has not told yet is given up."""
    def delete_project(self, *, project_id: str) -> types.ProjectDeleted:
        """Delete a project with its runs, records and files."""
    def delete_project_template(self, *, project_id: str, template_id: str) -> types.TemplateDeleted:
        """Delete a prompt template that a project uses."""
    def delete_saved_view(self, *, project_id: str, view_id: str) -> types.SavedViewDeleted:
        """Delete a saved view; the records stay."""
    def delete_scorer(self, *, scorer_id: str) -> types.DeleteScorerResponse:
        """Delete a scorer with its versions; it scores nowhere any more, and what it has said stays."""
    def delete_sessions(self, *, project_id: str, body: types.RecordCount) -> types.RemovalReply:
        """Delete sessions of a run by filters, with their traces, spans and scores; without filters, all of them."""
    def delete_spans(self, *, project_id: str, body: types.RecordCount) -> types.RemovalReply:
        """Delete the spans that match, with all below them and their scores; all of the run without filters."""
    def delete_template(self, *, template_id: str) -> types.TemplateDeleted:
        """Delete a prompt template with all its versions."""
    def delete_templates(self, *, body: types.TemplatesToDelete) -> types.DeletedTemplates:
        """Delete several prompt templates; those that cannot be deleted are named."""
    def delete_traces(self, *, project_id: str, body: types.RecordCount) -> types.RemovalReply:
        """Delete the traces that match, with all below them and their scores; all of the run without filters."""
    def delete_trends_section(self, *, project_id: str, log_stream_id: str, section_id: str) -> None:
        """Remove a section with its widgets."""
    def delete_user(self, *, user_id: str) -> types.UserDeleted:
        """Delete a user with their API keys. What only they owned becomes the property of the caller."""
    def delete_widget(self, *, project_id: str, log_stream_id: str, widget_id: str) -> None:
        """Remove a widget."""
    def diff_dataset_versions(self, *, dataset_id: str, version_index: int, other_version_index: int, starting_token: int | None = None, limit: int | None = None) -> types.DatasetDiff:
        """What differs from one version to another, by columns, rows and cells. A page ends after 8 MiB, too."""
    def diff_template_versions(self, *, template_id: str, version: int, from_version: int) -> types.TemplateDiff:
        """Compare a version of a prompt template with another one."""
    def download_dataset(self, *, dataset_id: str, format: str | None = None) -> str:
        """The current version as a file; JSON and JSON lines give every value back exactly."""
    def edit_dataset_content(self, *, dataset_id: str, body: types.DatasetContentEdits) -> None:
        """Apply edits, all or none, as one new version. With If-Match only to that version: 412 when there is a newer one."""
    def export_annotation_truth(self, *, project_id: str, queue_id: str, body: types.AnnotationTruthExport) -> types.AnnotationTruthExported:
        """Append the records that are done to a dataset, with what their annotators agreed on as ground truth."""
    def export_logs(self, *, body: types.ExportLogsServiceRequest) -> types.ExportLogsServiceResponse:
        """Log events of spans by OpenTelemetry."""
    def export_logs_under_otel(self, *, body: types.ExportLogsServiceRequest) -> types.ExportLogsServiceResponse:
        """The same as /v1/logs."""
    def export_metrics(self, *, body: types.ExportMetricsServiceRequest) -> types.ExportMetricsServiceResponse:
        """Send metrics by OpenTelemetry, which are not kept."""
    def export_metrics_under_otel(self, *, body: types.ExportMetricsServiceRequest) -> types.ExportMetricsServiceResponse:
        """The same as /v1/metrics."""
    def export_records(self, *, project_id: str, body: types.ExportRequest) -> str:
        """Write out sessions, traces or spans of a run, one a line; a connection that breaks off means that lines are missing."""
    def export_traces(self, *, body: types.ExportTraceServiceRequest) -> types.ExportTraceServiceResponse:
        """Log traces by OpenTelemetry."""
    def export_traces_of_langfuse(self, *, body: types.ExportTraceServiceRequest) -> types.ExportTraceServiceResponse:
        """The same as /v1/traces."""
    def export_traces_to_otel(self, *, body: types.ExportTraceServiceRequest) -> types.ExportTraceServiceResponse:
        """The same as /v1/traces."""
    def export_traces_under_otel(self, *, body: types.ExportTraceServiceRequest) -> types.ExportTraceServiceResponse:
        """The same as /v1/traces."""
    def export_trends_dashboard(self, *, project_id: str, log_stream_id: str) -> types.TrendsFile:
        """The dashboard as a file for another log stream."""
    def extend_dataset(self, *, body: types.DatasetExtensionRequest) -> types.DatasetExtensionStarted:
        """Make a dataset of rows that a model makes up, after the pattern of another or of a description."""
    def find_project_template_version(self, *, project_id: str, template_name: str, version: int | None = None, label: str | None = None) -> types.TemplateVersion:
        """Get a version of a prompt template by the name of the template; the selected one without a number or a label."""
    def forecast_scorer_cost(self, *, project_id: str, run_id: str, body: types.NewScorerEntry) -> types.ScorerCostForecast:
        """What a scorer would cost in a month if it was enabled like this, by the traffic of the last week. No model is asked."""
    def get_alert(self, *, project_id: str, log_stream_id: str, alert_id: str) -> types.Alert:
        """Get an alert with its state."""
    def get_annotation_progress(self, *, project_id: str, queue_id: str) -> types.AnnotationQueueProgress:
        """How far a queue is, by status and by annotator, and why records were skipped."""
    def get_annotation_queue(self, *, project_id: str, queue_id: str) -> types.AnnotationQueue:
        """An annotation queue, and how far it is."""
    def get_annotation_queue_agreement(self, *, project_id: str, queue_id: str, template_id: str) -> types.RaterAgreement:
        """How far the annotators of a queue agree on a question: alpha and kappas."""
    def get_annotation_queue_health(self, *, project_id: str, queue_id: str, template_id: str | None = None) -> types.JuryHealth:
        """How well the scorer of a queue, and each juror of it, says what the annotators answered."""
    def get_code(self, *, scorer_id: str, version: int | None = None) -> types.GetCodeResponse:
        """The source of a code version by number, or of the latest, as a JSON string."""
    def get_code_validation(self, *, task_id: str) -> types.TaskResult:
        """How a task is going, and what came of it; for whoever started it."""
    def get_current_user(self) -> types.User:
        """Get the user whose credentials these are."""
    def get_data_export(self, *, project_id: str) -> types.DataExport:
        """Whether the records and scores of a project are exported as Parquet files, and how far that is."""
    def get_dataset(self, *, dataset_id: str) -> types.Dataset:
        """Get a dataset."""
    def get_dataset_content(self, *, dataset_id: str, starting_token: int | None = None, limit: int | None = None) -> types.DatasetContent:
        """Rows of the current version, page by page: up to 100000, or 256 MiB of them. The header ETag names the version."""
    def get_dataset_extension(self, *, dataset_id: str) -> types.DatasetExtensionProgress:
        """How far a dataset is from being filled; the steps are equal once there is nothing more to wait for."""
    def get_dataset_import(self, *, import_id: str) -> types.DatasetImportJob:
        """How far an import is, and what was understood of its file; known once the file has arrived, for a day."""
    def get_dataset_rule(self, *, project_id: str, rule_id: str) -> types.DatasetRule:
        """A rule, with what it added and when it last looked."""
    def get_dataset_version_content(self, *, dataset_id: str, version_index: int, starting_token: int | None = None, limit: int | None = None) -> types.DatasetContent:
        """Rows of any version, page by page: up to 100000, or 256 MiB of them."""
    def get_experiment(self, *, project_id: str, experiment_id: str) -> types.Experiment:
        """Get an experiment with its averages and its rank."""
    def get_experiment_metric_settings(self, *, project_id: str, experiment_id: str) -> types.MetricSettings:
        """Which scorers run on an experiment, and how."""
    def get_experiment_metrics(self, *, project_id: str, experiment_id: str, body: types.ExperimentMetricsRequest | None = None) -> types.ExperimentMetrics:
        """How the results of scorers are spread over an experiment."""
    def get_experiment_tag(self, *, project_id: str, experiment_id: str, tag_id: str) -> types.RunTag:
        """Get a tag of an experiment."""
    def get_experiments_metrics(self, *, project_id: str, body: types.ExperimentMetricsRequest | None = None) -> types.ExperimentMetrics:
        """How the results of scorers are spread over all experiments of a project."""
    def get_generated_autogen(self, *, task_id: str) -> types.TaskResult:
        """How a task is going, and what came of it; for whoever started it."""
    def get_generated_validation(self, *, task_id: str) -> types.TaskResult:
        """How a task is going, and what came of it; for whoever started it."""
    def get_ground_truth_columns(self, *, dataset_id: str) -> types.TruthColumns:
        """In which column of the dataset ground truth for each scorer is, where it is not in mgt."""
    def get_group(self, *, group_id: str, actions: Any | None = None) -> types.Group:
        """Get a group."""
    def get_ingest_batch(self, *, project_id: str, key: str) -> types.IngestBatch:
        """Whether the request with this Idempotency-Key arrived within the last day, and the reply that it got."""
    def get_insights_settings(self, *, project_id: str, run_id: str) -> types.InsightsSettings:
        """Whether a run is looked at for insights."""
    def get_integration(self, *, name: str) -> types.IntegrationSettings:
        """The settings of an integration, without its secrets."""
    def get_integration_status(self, *, name: str) -> types.IntegrationStatus:
        """Ask the provider whether the integration works, by a real call."""
    def get_job(self, *, job_id: str) -> types.Job:
        """How far a job is, and how it ended."""
    def get_judge_audit(self, *, scorer_id: str, audit_id: str) -> types.JudgeAudit:
        """How far an audit is, and what it found."""
    def get_judge_autogen(self, *, task_id: str) -> types.TaskResult:
        """How a task is going, and what came of it; for whoever started it."""
    def get_judge_validation(self, *, task_id: str) -> types.TaskResult:
        """How a task is going, and what came of it; for whoever started it."""
    def get_labelled_template_version(self, *, template_id: str, label: str) -> types.TemplateVersion:
        """Get the version of a prompt template that has a label; `latest` is the newest one."""
    def get_latest_job_of_run(self, *, project_id: str, run_id: str) -> types.GetLatestJobOfRunResponse:
        """The job of a run that changed last, or null."""
    def get_log_stream(self, *, project_id: str, log_stream_id: str) -> types.LogStream:
        """Get a log stream."""
    def get_log_stream_retention(self, *, project_id: str, log_stream_id: str) -> types.Retention:
        """For how many days the log stream keeps its traces."""
    def get_masking_rules(self, *, project_id: str) -> types.MaskingRules:
        """What is masked in everything that is sent to a project, before it is stored."""
    def get_metric_settings(self, *, project_id: str, log_stream_id: str) -> types.MetricSettings:
        """Which scorers run on a log stream, and how."""
    def get_model_prices(self) -> types.ModelPrices:
        """Own prices of models for all projects, in US dollars per million tokens."""
    def get_notification_route(self, *, project_id: str, route_id: str) -> types.NotificationRoute:
        """Get a notification route."""
    def get_project(self, *, project_id: str) -> types.Project:
        """Get a project."""
    def get_project_file(self, *, project_id: str, file_id: str) -> str:
        """The content of a file that was uploaded, or that came within a record. Its type is the one that its bytes have."""
    def get_project_file_url(self, *, project_id: str, file_id: str) -> types.FileUrl:
        """Where the content of a file is read: signed for a short time by its bucket where it is in one, else this service."""
    def get_project_model_prices(self, *, project_id: str) -> types.ModelPrices:
        """Own prices of models in a project, which go before those for all projects."""
    def get_project_retention(self, *, project_id: str) -> types.Retention:
        """For how many days the log streams of the project keep their traces."""
    def get_project_spending_budget(self, *, project_id: str) -> types.ProjectSpendingBudget:
        """Budget for calls of models in a project, and how much of it is spent."""
    def get_project_template(self, *, project_id: str, template_id: str) -> types.Template:
        """Get a prompt template that a project uses."""
    def get_project_template_usage(self, *, project_id: str, template_id: str, start_time: str | None = None, end_time: str | None = None, interval: str | None = None) -> types.PromptUsage:
        """Get calls, cost, tokens, time and scores of the versions of a prompt template in a project."""
    def get_project_template_version(self, *, project_id: str, template_id: str, version: int) -> types.TemplateVersion:
        """Get a version of a prompt template that a project uses."""
    def get_project_template_version_usage(self, *, project_id: str, template_id: str, version: int, start_time: str | None = None, end_time: str | None = None, interval: str | None = None) -> types.PromptVersionUsage:
        """Get calls, cost, tokens, time and scores of a version of a prompt template in a project, over time."""
    def get_project_unpriced_models(self, *, project_id: str) -> types.ProjectUnpricedModels:
        """Whether calls of models without a price are forbidden in a project."""
    def get_rater_agreement(self, *, project_id: str, run_id: str, template_id: str) -> types.RaterAgreement:
        """How far the raters of a question agree on the records of a run: alpha and kappas."""
    def get_registered(self, *, scorer_id: str, version: int | None = None) -> types.GetRegisteredResponse:
        """The source of a code version by number, or of the latest, as a JSON string."""
    def get_registered_validation(self, *, task_id: str) -> types.TaskResult:
        """How a task is going, and what came of it; for whoever started it."""
    def get_saved_view(self, *, project_id: str, view_id: str) -> types.SavedView:
        """A saved view."""
    def get_scorer(self, *, scorer_id: str) -> types.Scorer:
        """A scorer with its latest and its default version."""
    def get_scorer_drift(self, *, project_id: str, run_id: str, scorer_id: str, start_time: str | None = None, end_time: str | None = None, reference_start_time: str | None = None, reference_end_time: str | None = None) -> types.ScorerDrift:
        """How far the values of a scorer, and the tokens and models that it judges, have moved in a window from those of a reference window."""
    def get_scorer_gate(self, *, scorer_id: str) -> types.ScorerGate:
        """What versions have to reach before they may become the default."""
    def get_scorer_settings(self, *, project_id: str, run_id: str) -> types.ScorerSettings:
        """Which scorers run on a log stream or an experiment, and how."""
    def get_scorer_version(self, *, scorer_id: str, version: int | None = None) -> types.ScorerVersion:
        """A version of a scorer by number, or the latest."""
    def get_session(self, *, project_id: str, session_id: str, starting_token: int | None = None, limit: int | None = None, include_presigned_urls: str | None = None) -> types.SessionWithTraces:
        """A session with its traces as trees, oldest first, page by page. A page ends after 8 MiB, too."""
    def get_shadow_trial(self, *, project_id: str, run_id: str, scorer_id: str) -> types.ReportedShadowTrial:
        """How the version on trial drifts from the one in use."""
    def get_span(self, *, project_id: str, span_id: str, include_presigned_urls: str | None = None) -> types.RecordTree:
        """A span with the spans below it as a tree, and the scores of each."""
    def get_spending_budget(self) -> types.SpendingBudget:
        """Budget for calls of models in the whole organisation, and how much of it is spent."""
    def get_template(self, *, template_id: str, actions: Any | None = None) -> types.Template:
        """Get a prompt template with its newest versions."""
    def get_template_version(self, *, template_id: str, version: int) -> types.TemplateVersion:
        """Get a version of a prompt template by its number."""
    def get_trace(self, *, project_id: str, trace_id: str, include_presigned_urls: str | None = None) -> types.RecordTree:
        """A trace with its spans as a tree, and the scores of each."""
    def get_trends_dashboard(self, *, project_id: str, log_stream_id: str) -> types.TrendsDashboard:
        """The trends dashboard of a log stream: sections with their widgets."""
    def get_unpriced_models(self) -> types.UnpricedModels:
        """Whether calls of models without a price are forbidden in the whole organisation."""
    def get_user(self, *, user_id: str) -> types.User:
        """Get a user."""
    def get_validation_evidence(self, *, scorer_id: str, version_number: int) -> types.ValidationEvidence:
        """What the trial came to that a version was made from."""
    def get_widget(self, *, project_id: str, log_stream_id: str, widget_id: str) -> types.Widget:
        """Get a widget."""
    def give_feedback(self, *, project_id: str, body: types.NewFeedback) -> types.RatingDone:
        """Keep what a user of the application said of a trace or span; a null value takes it back."""
    def healthcheck(self) -> types.Healthcheck:
        """Say that the service is there; clients ask before they log in."""
    def import_trends_dashboard(self, *, project_id: str, log_stream_id: str, body: types.NewTrendsFile, replace: str | None = None) -> types.TrendsDashboard:
        """Take the sections of a file, behind those that are there or with `replace` in their place."""
    def input_stub(self, *, body: types.InputStubRequest) -> types.InputStub:
        """A sample value for each variable of some templates."""
    def invite_users(self, *, body: types.NewInvitation) -> types.Invitation:
        """Make an account for each address that has none, and add all of them to groups."""
    def join_group(self, *, group_id: str) -> types.GroupMember:
        """Join a public group, or ask to join a protected one."""
    def list_alert_deliveries(self, *, project_id: str, log_stream_id: str, alert_id: str, starting_token: int | None = None, limit: int | None = None) -> types.WebhookDeliveryPage:
        """Notifications of an alert and what came of them, newest first."""
    def list_alert_transitions(self, *, project_id: str, log_stream_id: str, alert_id: str, starting_token: int | None = None, limit: int | None = None) -> types.AlertTransitionPage:
        """Changes of the state of an alert, newest first."""
    def list_alerts(self, *, project_id: str, log_stream_id: str) -> types.ListAlertsResponse:
        """List the alerts of a log stream, oldest first."""
    def list_all_projects(self, *, type: str | None = None, project_type: str | None = None) -> types.ListAllProjectsResponse:
        """List all projects in their short form, newest first."""
    def list_annotation_items(self, *, project_id: str, queue_id: str, starting_token: int | None = None, limit: int | None = None, status: str | None = None) -> types.AnnotationItemPage:
        """The records of a queue, who has them, who answered or skipped them, and why."""
    def list_annotation_queues(self, *, project_id: str) -> types.ListAnnotationQueuesResponse:
        """The annotation queues of a project, newest first, with how far they are."""
    def list_annotation_templates(self, *, project_id: str) -> types.ListAnnotationTemplatesResponse:
        """The questions for annotators of a project."""
    def list_api_keys(self, *, user_id: str, starting_token: int | None = None, limit: int | None = None) -> types.ApiKeyPage:
        """List the API keys of a user, newest first, without the keys themselves."""
    def list_audit_log(self, *, starting_token: int | None = None, limit: int | None = None, actor_id: str | None = None, action: str | None = None, object_kind: str | None = None, object_id: str | None = None, from_: str | None = None, to: str | None = None) -> types.AuditPage:
        """Who did what, newest first; `from` is included, `to` is not. Owners name their object, administrators need not."""
    def list_available_integrations(self) -> types.AvailableIntegrations:
        """The providers that integrations can be made for."""
    def list_bookmarks(self, *, project_id: str, starting_token: int | None = None, limit: int | None = None, log_stream_id: str | None = None, experiment_id: str | None = None, metrics_testing_id: str | None = None, mine: str | None = None) -> types.BookmarkPage:
        """Own bookmarks and those that others share, of a project or of one of its runs, newest first."""
    def list_code_languages(self) -> types.CodeLanguageList:
        """The installed languages that code scorers may be written in."""
    def list_collaborator_roles(self) -> types.ListCollaboratorRolesResponse:
        """The roles that a collaborator may have, from the most to the least."""
    def list_comments(self, *, project_id: str, starting_token: int | None = None, limit: int | None = None, log_stream_id: str | None = None, experiment_id: str | None = None, metrics_testing_id: str | None = None, record_id: str | None = None) -> types.CommentPage:
        """Comments of a project, of one of its runs or of one record of that run, newest first."""
    def list_dataset_groups(self, *, dataset_id: str, starting_token: int | None = None, limit: int | None = None) -> types.GroupCollaboratorPage:
        """List the groups a dataset is shared with."""
    def list_dataset_projects(self, *, dataset_id: str, starting_token: int | None = None, limit: int | None = None) -> types.ProjectsOfDatasetPage:
        """List the projects that use a dataset."""
    def list_dataset_rules(self, *, project_id: str, log_stream_id: str | None = None, experiment_id: str | None = None, metrics_testing_id: str | None = None, dataset_id: str | None = None) -> types.DatasetRuleList:
        """Rules of a project, of one of its runs or for one dataset, with how far they are."""
    def list_dataset_users(self, *, dataset_id: str, starting_token: int | None = None, limit: int | None = None) -> types.UserCollaboratorPage:
        """List the users a dataset is shared with."""
    def list_datasets(self, *, starting_token: int | None = None, limit: int | None = None, actions: Any | None = None) -> types.DatasetPage:
        """List datasets, newest first."""
    def list_experiment_columns(self, *, project_id: str, body: types.ExperimentColumnsQuery | None = None) -> types.ExperimentColumns:
        """What can be shown of the experiments of a project."""
    def list_experiment_page(self, *, project_id: str, starting_token: int | None = None, limit: int | None = None, include_counts: str | None = None) -> types.ExperimentPage:
        """List experiments page by page, newest first."""
    def list_experiment_tags(self, *, project_id: str, experiment_id: str) -> types.ListExperimentTagsResponse:
        """List the tags of an experiment, oldest first."""
    def list_experiments(self, *, project_id: str, include_counts: str | None = None) -> types.ListExperimentsResponse:
        """List all experiments of a project, newest first."""
    def list_group_members(self, *, group_id: str, starting_token: int | None = None, limit: int | None = None, actions: Any | None = None) -> types.GroupMemberPage:
        """List the members of a group, also those who wait for approval, oldest first."""
    def list_groups(self, *, starting_token: int | None = None, limit: int | None = None, actions: Any | None = None) -> types.GroupPage:
        """List the groups the caller sees, by name."""
    def list_health_scores(self, *, scorer_id: str, dataset_id: str, health_score_type: str | None = None) -> types.HealthScoreList:
        """Health scores of a scorer against a dataset, by version: the first is the baseline, the last the latest."""
    def list_identity_providers(self) -> types.IdentityProviderList:
        """The installed identity providers, whether they are set up or not."""
    def list_insights(self, *, project_id: str, run_id: str, starting_token: int | None = None, limit: int | None = None, status: str | None = None) -> types.InsightPage:
        """What was found in the records of a run, the most pressing first."""
    def list_integration_groups(self, *, integration_id: str, starting_token: int | None = None, limit: int | None = None) -> types.GroupCollaboratorPage:
        """List the groups a integration is shared with."""
    def list_integration_users(self, *, integration_id: str, starting_token: int | None = None, limit: int | None = None) -> types.UserCollaboratorPage:
        """List the users a integration is shared with."""
    def list_integrations(self) -> types.ListIntegrationsResponse:
        """List the caller's integrations and those shared with them, oldest first."""
    def list_jobs_of_run(self, *, project_id: str, run_id: str, status: str | None = None) -> types.ListJobsOfRunResponse:
        """The jobs of a run, newest first."""
    def list_judge_audits(self, *, scorer_id: str, version: int | None = None) -> types.ListJudgeAuditsResponse:
        """The last audits of the versions of a scorer, newest first."""
    def list_judge_calls(self, *, project_id: str, run_id: str, record_id: str, scorer_version_id: str, of: str | None = None) -> types.JudgeCalls:
        """The questions that a score was made from, as they were sent, with the answers as the models wrote them."""
    def list_llm_integrations(self, *, multimodal_capabilities: Any | None = None) -> types.LlmIntegrations:
        """The models of the caller's integrations, by provider."""
    def list_log_stream_page(self, *, project_id: str, starting_token: int | None = None, limit: int | None = None, include_counts: str | None = None) -> types.LogStreamPage:
        """List log streams page by page, newest first."""
    def list_log_streams(self, *, project_id: str, include_counts: str | None = None) -> types.ListLogStreamsResponse:
        """List all log streams of a project, newest first."""
    def list_masking_counts(self, *, project_id: str, from_: str | None = None, until: str | None = None) -> types.MaskingCounts:
        """How many values each rule masked, by day in UTC."""
    def list_metrics_testing_columns(self, *, project_id: str, body: types.MetricsTestingColumnsQuery) -> types.ColumnList:
        """Columns of a run in which a metric is tried, and that metric."""
    def list_model_spending(self, *, project_id: str, run_id: str | None = None, scorer_id: str | None = None, from_: str | None = None, until: str | None = None) -> types.ModelSpendingReport:
        """Calls, tokens and money that were spent on models in a project, by purpose, payer, run, scorer version, model and day."""
    def list_models(self, *, llm_integration: str) -> types.ListModelsResponse:
        """The names of the models that a provider offers to the caller."""
    def list_notification_channels(self) -> types.NotificationChannelList:
        """The ways to tell people of alerts."""
    def list_notification_routes(self, *, project_id: str) -> types.NotificationRouteList:
        """List the notification routes of a project, oldest first."""
    def list_otel_dialects(self) -> types.OtelDialectList:
        """The installed dialects of OpenTelemetry: whose spans are read as what."""
    def list_own_model_spending(self, *, from_: str | None = None, until: str | None = None) -> types.ModelSpendingReport:
        """What the caller spent on models outside of projects: trials on samples, having judges written, synthetic rows."""
    def list_project_groups(self, *, project_id: str, starting_token: int | None = None, limit: int | None = None) -> types.GroupCollaboratorPage:
        """List the groups a project is shared with."""
    def list_project_templates(self, *, project_id: str) -> types.ListProjectTemplatesResponse:
        """List all prompt templates that a project uses, newest first."""
    def list_project_users(self, *, project_id: str, starting_token: int | None = None, limit: int | None = None) -> types.UserCollaboratorPage:
        """List the users a project is shared with."""
    def list_projects(self, *, project_name: str | None = None, type: str | None = None) -> types.ListProjectsResponse:
        """List projects by name and type, newest first."""
    def list_projects_of_scorer(self, *, scorer_id: str, starting_token: int | None = None, limit: int | None = None) -> types.ScorerProjectPage:
        """Projects that use a scorer in a log stream or experiment."""
    def list_projects_of_scorer_version(self, *, scorer_version_id: str, starting_token: int | None = None, limit: int | None = None, scorer_id: str | None = None) -> types.ScorerProjectPage:
        """Projects in which a version of a scorer runs: pinned, or because it is the default."""
    def list_run_llm_integrations(self, *, project_id: str, run_id: str, multimodal_capabilities: Any | None = None) -> types.LlmIntegrations:
        """The models of the integrations of whoever created a run, by provider."""
    def list_saved_views(self, *, project_id: str) -> types.ListSavedViewsResponse:
        """The shared views of a project, and the own ones."""
    def list_scorer_kinds(self) -> types.ScorerKindList:
        """The installed kinds of scorers, each with the schema of its definitions."""
    def list_scorer_models(self, *, llm_integration: str) -> types.ListScorerModelsResponse:
        """Those of them that scorers may use."""
    def list_scorer_suspensions(self, *, scorer_id: str) -> types.ScorerSuspensions:
        """Versions of a scorer that are switched off because they kept running out of time or memory, by project."""
    def list_scorer_tags(self) -> types.ListScorerTagsResponse:
        """Every tag that any scorer has."""
    def list_scorer_versions(self, *, scorer_id: str, starting_token: int | None = None, limit: int | None = None, run_id: str | None = None) -> types.ScorerVersionPage:
        """Versions of a scorer, newest first; of a run the one that it uses."""
    def list_scorers(self, *, starting_token: int | None = None, limit: int | None = None, body: types.ScorerSearch | None = None) -> types.ScorerPage:
        """List scorers by filters."""
    def list_scores(self, *, project_id: str, run_id: str, record_id: str) -> types.ScoreDetails:
        """Results of a trace, a span or a session with all that is kept of them: votes, agreement, cost, how often scored."""
    def list_session_columns(self, *, project_id: str, body: types.AvailableColumnsQuery) -> types.ColumnList:
        """Columns of the sessions of a run: what can be shown, filtered and sorted by, and what of it is empty."""
    def list_social_providers(self) -> types.SocialProviders:
        """The configured providers that a browser can sign in at now, and by which flow."""
    def list_span_columns(self, *, project_id: str, body: types.AvailableColumnsQuery) -> types.ColumnList:
        """Columns of the spans of a run: what can be shown, filtered and sorted by, and what of it is empty."""
    def list_template_groups(self, *, template_id: str, starting_token: int | None = None, limit: int | None = None) -> types.GroupCollaboratorPage:
        """List the groups a template is shared with."""
    def list_template_label_moves(self, *, template_id: str, starting_token: int | None = None, limit: int | None = None) -> types.TemplateLabelMovePage:
        """List who moved which label of a prompt template from which version to which, newest first."""
    def list_template_labels(self, *, template_id: str) -> types.ListTemplateLabelsResponse:
        """List the labels of a prompt template, with the version each of them is on."""
    def list_template_users(self, *, template_id: str, starting_token: int | None = None, limit: int | None = None) -> types.UserCollaboratorPage:
        """List the users a template is shared with."""
    def list_trace_columns(self, *, project_id: str, body: types.AvailableColumnsQuery) -> types.ColumnList:
        """Columns of the traces of a run: what can be shown, filtered and sorted by, and what of it is empty."""
    def list_trends_metrics(self, *, project_id: str, log_stream_id: str) -> types.ListTrendsMetricsResponse:
        """Names of the numbers that widgets can be made of."""
    def list_users(self, *, starting_token: int | None = None, limit: int | None = None, actions: Any | None = None) -> types.UserPage:
        """List the users of the organisation, oldest first."""
    def list_widgets(self, *, project_id: str, log_stream_id: str) -> types.ListWidgetsResponse:
        """List the widgets of the dashboard in their order."""
    def log_spans(self, *, project_id: str, body: types.LogSpansRequest) -> types.LoggedSpans:
        """Log spans under an existing trace or span."""
    def log_traces(self, *, project_id: str, body: types.LogTracesRequest, per_item: str | None = None) -> types.LoggedTraces:
        """Log traces with their spans; answered once they are durable."""
    def login_with_api_key(self, *, body: types.LoginWithApiKeyRequest) -> types.Token:
        """Exchange an API key for an access token."""
    def login_with_social(self, *, body: types.LoginWithSocialRequest) -> types.Token:
        """Exchange an id token of a configured provider for an access token."""
    def login_with_social_code(self, *, body: types.LoginWithSocialCodeRequest) -> types.Token:
        """End a sign-in in the browser that began it: exchange what the provider sent it back with, and the cookie `sign_in`, for an access token."""
    def logout(self) -> types.LoggedOut:
        """End the login of the cookie `refresh_token`, of the bearer token, or of both, with all their tokens, and take the cookie back; without either there is nothing to end."""
    def move_template_label(self, *, template_id: str, label: str, body: types.TemplateLabelUpdate) -> types.MoveTemplateLabelResponse:
        """Put a label on a version of a prompt template; it leaves the version that had it."""
    def next_annotation_review(self, *, project_id: str, queue_id: str) -> types.AnnotationTask:
        """Reserve the next record that waits for a reviewer, with what its annotators answered."""
    def next_annotation_task(self, *, project_id: str, queue_id: str) -> types.AnnotationTask:
        """Reserve the next record for the caller, the same one until its time is over; null when there is none for now."""
    def order_trends_dashboard(self, *, project_id: str, log_stream_id: str, body: types.TrendsOrder) -> types.TrendsDashboard:
        """Put sections and widgets into another order."""
    def preview_dataset(self, *, dataset_id: str, starting_token: int | None = None, limit: int | None = None, body: types.DatasetPreview | None = None) -> types.DatasetContent:
        """Rows of the current version as a column mapping would make them; nothing is changed. A page ends after 8 MiB of cells."""
    def preview_dataset_rule(self, *, project_id: str, body: types.DatasetRuleTrial) -> types.DatasetRulePreview:
        """Say what a rule would have taken of the records of the last seven days."""
    def preview_log_stream_retention(self, *, project_id: str, log_stream_id: str) -> types.RetentionPreview:
        """Count what would be removed from the log stream now."""
    def preview_masking(self, *, project_id: str, body: types.MaskingTrial) -> types.MaskingTrialResult:
        """Try rules on a text or on any JSON. Nothing is stored."""
    def preview_project_retention(self, *, project_id: str) -> types.RetentionPreview:
        """Count what would be removed from the log streams of the project now."""
    def put_anthropic_integration(self, *, body: types.PutAnthropicIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Anthropic: Models of Anthropic, directly or through a proxy."""
    def put_azure_integration(self, *, body: types.PutAzureIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Azure OpenAI: Deployments of an Azure OpenAI resource."""
    def put_bookmark(self, *, project_id: str, record_id: str, body: types.NewBookmark) -> types.Bookmark:
        """Put a bookmark on a trace, a span or a session, for oneself or shared; the same again changes nothing."""
    def put_cloud_model_hosting_integration(self, *, body: types.PutCloudModelHostingIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Cloud model hosting: Models hosted by Amazon Bedrock."""
    def put_custom_integration(self, *, body: types.PutCustomIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Custom: A server of your own that speaks the chat-completions protocol."""
    def put_databricks_integration(self, *, body: types.PutDatabricksIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Databricks: Serving endpoints of a Databricks workspace."""
    def put_databricks_unity_catalog_sql_integration(self, *, body: types.PutDatabricksUnityCatalogSqlIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Databricks: Serving endpoints of a Databricks workspace."""
    def put_gateway_integration(self, *, body: types.PutGatewayIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Gateway: Any gateway that speaks the chat-completions protocol."""
    def put_managed_model_platform_integration(self, *, body: types.PutManagedModelPlatformIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Managed model platform: Endpoints of Amazon SageMaker."""
    def put_mistral_integration(self, *, body: types.PutMistralIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Mistral AI: Models of Mistral AI."""
    def put_nvidia_integration(self, *, body: types.PutNvidiaIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with NVIDIA NIM: Models behind NVIDIA NIM, hosted or self-hosted."""
    def put_openai_integration(self, *, body: types.PutOpenaiIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with OpenAI: Models of OpenAI."""
    def put_user(self, *, user_id: str, body: types.UserUpdate) -> types.User:
        """Change the given fields of a user. A new password, role, e-mail or state ends all sessions of the user."""
    def put_vertex_ai_integration(self, *, body: types.PutVertexAiIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Vertex AI: Gemini models of Vertex AI."""
    def put_writer_integration(self, *, body: types.PutWriterIntegrationRequest, name: str | None = None) -> types.Integration:
        """Set the integration with Writer: Palmyra models of Writer."""
    def query_dataset_content(self, *, dataset_id: str, starting_token: int | None = None, limit: int | None = None, body: types.DatasetContentSearch | None = None) -> types.DatasetContent:
        """Rows of the current version that pass filters, sorted by a column. A page ends after 8 MiB of cells."""
    def query_dataset_versions(self, *, dataset_id: str, starting_token: int | None = None, limit: int | None = None, body: types.DatasetVersionSearch | None = None) -> types.DatasetVersionPage:
        """List the versions of a dataset with what each changed, newest first unless sorted otherwise."""
    def query_datasets(self, *, starting_token: int | None = None, limit: int | None = None, actions: Any | None = None, body: types.DatasetSearch | None = None) -> types.DatasetPage:
        """List datasets, filtered and sorted."""
    def query_template_versions(self, *, template_id: str, starting_token: int | None = None, limit: int | None = None, body: types.TemplateVersionSearch | None = None) -> types.TemplateVersionPage:
        """List the versions of a prompt template, newest first unless sorted."""
    def query_templates(self, *, starting_token: int | None = None, limit: int | None = None, body: types.TemplateSearch | None = None) -> types.TemplatePage:
        """List prompt templates, filtered and sorted."""
    def query_trend_changes(self, *, project_id: str, log_stream_id: str, body: types.TrendsQuery) -> types.TrendChanges:
        """Changes of scorers, prompts, models and prices in a time, and level shifts of the series of the dashboard with what happened near them."""
    def query_widget(self, *, project_id: str, log_stream_id: str, widget_id: str, body: types.WidgetQuery) -> types.WidgetData:
        """What a widget shows."""
    def query_widgets(self, *, project_id: str, log_stream_id: str, body: types.TrendsQuery) -> types.QueryWidgetsResponse:
        """What all widgets of the dashboard show, or some of them, in one answer."""
    def recompute_costs(self, *, project_id: str, body: types.CostRecomputeRequest) -> types.CostRecomputeReply:
        """Price the calls of the matching traces again, by the prices that are known now for their days."""
    def recompute_metrics(self, *, project_id: str, body: types.RecomputeRequest) -> types.RecomputeReply:
        """Have scorers judge the matching traces, and all records in them, again."""
    def recompute_metrics_by_other_name(self, *, project_id: str, body: types.RecomputeRequest) -> types.RecomputeReply:
        """Have scorers judge the matching traces, and all records in them, again."""
    def refresh_token(self) -> types.Token:
        """Exchange the cookie `refresh_token` for a new access token and the next cookie."""
    def release_annotation_task(self, *, project_id: str, queue_id: str, record_id: str) -> types.AnnotationQueue:
        """Hand a reserved record back, so that somebody else gets it."""
    def remove_dataset_group(self, *, dataset_id: str, group_id: str) -> types.CollaboratorRemoved:
        """Stop sharing a dataset with a group."""
    def remove_dataset_user(self, *, dataset_id: str, user_id: str) -> types.CollaboratorRemoved:
        """Stop sharing a dataset with a user."""
    def remove_group_member(self, *, group_id: str, user_id: str) -> types.GroupRemoved:
        """Remove a user from a group, or leave it."""
    def remove_integration_group(self, *, integration_id: str, group_id: str) -> types.CollaboratorRemoved:
        """Stop sharing a integration with a group."""
    def remove_integration_user(self, *, integration_id: str, user_id: str) -> types.CollaboratorRemoved:
        """Stop sharing a integration with a user."""
    def remove_project_group(self, *, project_id: str, group_id: str) -> types.CollaboratorRemoved:
        """Stop sharing a project with a group."""
    def remove_project_user(self, *, project_id: str, user_id: str) -> types.CollaboratorRemoved:
        """Stop sharing a project with a user."""
    def remove_scorer_gate(self, *, scorer_id: str) -> types.RemoveScorerGateResponse:
        """Let any version become the default."""
    def remove_template_group(self, *, template_id: str, group_id: str) -> types.CollaboratorRemoved:
        """Stop sharing a template with a group."""
    def remove_template_label(self, *, template_id: str, label: str) -> types.RemoveTemplateLabelResponse:
        """Take a label off the version of a prompt template that has it."""
    def remove_template_user(self, *, template_id: str, user_id: str) -> types.CollaboratorRemoved:
        """Stop sharing a template with a user."""
    def render_template(self, *, body: types.RenderTemplateRequest, starting_token: int | None = None, limit: int | None = None) -> types.RenderedTemplatePage:
        """Show what comes of a template for rows of a dataset or for texts. A page ends after 8 MiB, too."""
    def renew_alert_secret(self, *, project_id: str, log_stream_id: str, alert_id: str) -> types.RenewAlertSecretResponse:
        """Give the webhooks of an alert a new secret; it is shown this once."""
    def renew_notification_route_secret(self, *, project_id: str, route_id: str) -> types.RenewNotificationRouteSecretResponse:
        """Give the webhooks of a notification route a new secret; it is shown this once."""
    def replace_dataset_content(self, *, dataset_id: str, body: types.DatasetContentReplacement) -> None:
        """Go back to an earlier version, or take over the rows of another dataset; a new version in both cases."""
    def replay_score(self, *, project_id: str, run_id: str, record_id: str, scorer_version_id: str, body: types.ReplayRequest) -> types.ScoreReplay:
        """Makes a score again and compares; the stored one stays. Code gives the same result, judges are asked anew."""
    def restore_scorer_version(self, *, scorer_id: str, version_number: int, body: types.RestoreScorerVersionRequest | None = None) -> types.ScorerVersion:
        """Make the content of an older version the next version."""
    def resume_scorer(self, *, scorer_id: str, body: types.ScorerResume | None = None) -> types.ScorerSuspensions:
        """Switch all versions of a scorer, or one, on again in the projects that the caller sees; the reply lists them."""
    def review_annotation_task(self, *, project_id: str, queue_id: str, record_id: str, body: types.AnnotationAnswers) -> types.AnnotationQueue:
        """Decide a record: these answers count instead of those of its annotators."""
    def search_experiments(self, *, project_id: str, body: types.ExperimentSearch | None = None) -> types.ExperimentPage:
        """List experiments page by page, filtered and sorted."""
    def search_groups(self, *, starting_token: int | None = None, limit: int | None = None, actions: Any | None = None, body: types.GroupSearch | None = None) -> types.GroupPage:
        """List the groups the caller sees, filtered and sorted."""
    def search_log_streams(self, *, project_id: str, body: types.LogStreamSearch | None = None) -> types.LogStreamPage:
        """List log streams page by page, filtered and sorted."""
    def search_metrics(self, *, project_id: str, body: types.MetricsSearch) -> types.FoundMetrics:
        """Numbers of the traces of a run over time, by buckets of `interval` minutes."""
    def search_projects(self, *, starting_token: int | None = None, limit: int | None = None, actions: Any | None = None, body: types.ProjectSearch | None = None) -> types.ProjectPage:
        """List projects page by page, filtered and sorted."""
    def search_sessions(self, *, project_id: str, body: types.RecordSearch) -> types.SessionPage:
        """Find sessions of a run by filters, sorted, page by page."""
    def search_sessions_partly(self, *, project_id: str, body: types.PartialSearch) -> types.PartialRecordPage:
        """Find sessions of a run likewise, with the selected columns only."""
    def search_spans(self, *, project_id: str, body: types.SearchRequest) -> types.RecordPage:
        """Find spans of a run by filters, sorted, page by page. A page ends after 8 MiB, too."""
    def search_spans_partly(self, *, project_id: str, body: types.PartialSearchRequest) -> types.PartialRecordPage:
        """Find spans of a run likewise, with the selected columns only."""
    def search_text(self, *, body: types.StreamSearch) -> types.StreamSearchPage:
        """Find a text in the traces or spans of many log streams at once, the newest first."""
    def search_traces(self, *, project_id: str, body: types.SearchRequest) -> types.RecordPage:
        """Find traces of a run by filters, sorted, page by page. A page ends after 8 MiB, too."""
    def search_traces_partly(self, *, project_id: str, body: types.PartialSearchRequest) -> types.PartialRecordPage:
        """Find traces of a run likewise, with the selected columns only."""
    def select_integration(self, *, integration_id: str) -> types.Integration:
        """Choose an integration among those of its provider, for oneself."""
    def select_project_template_version(self, *, project_id: str, template_id: str, version: int) -> types.Template:
        """Select a version of a prompt template that a project uses."""
    def select_template_version(self, *, template_id: str, version: int) -> types.Template:
        """Select a version of a prompt template."""
    def set_data_export(self, *, project_id: str, body: types.DataExportUpdate) -> types.DataExport:
        """Enable or disable the export of a project, and choose its files. What is in files already stays there."""
    def set_log_stream_retention(self, *, project_id: str, log_stream_id: str, body: types.RetentionUpdate) -> types.Retention:
        """Set for how many days the log stream keeps its traces; null leaves it to the project."""
    def set_masking_rules(self, *, project_id: str, body: types.NewMaskingRules) -> types.MaskingRules:
        """Replace the masking rules of a project. What is stored already stays as it is until it is changed."""
    def set_model_prices(self, *, body: types.NewModelPrices) -> types.ModelPrices:
        """Replace the own prices of models for all projects. Costs that are stored stay until they are recomputed."""
    def set_project_model_prices(self, *, project_id: str, body: types.NewModelPrices) -> types.ModelPrices:
        """Replace the own prices of models in a project. Costs that are stored stay until they are recomputed."""
    def set_project_retention(self, *, project_id: str, body: types.RetentionUpdate) -> types.Retention:
        """Set for how many days the log streams of the project keep their traces; null keeps them for ever."""
    def set_project_spending_budget(self, *, project_id: str, body: types.NewSpendingBudget) -> types.ProjectSpendingBudget:
        """Set what calls of models may cost in a project. Calls are refused once it is spent."""
    def set_project_unpriced_models(self, *, project_id: str, body: types.NewUnpricedModels) -> types.ProjectUnpricedModels:
        """Forbid calls of models without a price in a project, or allow them where the organisation does."""
    def set_scorer_gate(self, *, scorer_id: str, body: types.NewScorerGate) -> types.ScorerGate:
        """Let versions become the default only when their health on a dataset is not below that of the default version."""
    def set_scorer_settings(self, *, project_id: str, run_id: str, body: types.ScorerSettingsUpdate) -> types.ScorerSettings:
        """Replace the lists that are given: scorers, segment filters."""
    def set_spending_budget(self, *, body: types.NewSpendingBudget) -> types.SpendingBudget:
        """Set what calls of models may cost in the whole organisation. Calls are refused once it is spent."""
    def set_unpriced_models(self, *, body: types.NewUnpricedModels) -> types.UnpricedModels:
        """Forbid calls of models without a price in the whole organisation, or leave that to projects."""
    def sign_up(self, *, body: types.Signup) -> types.SignedUp:
        """Set the first password of an account, by the code of a sign-up link."""
    def start_judge_audit(self, *, scorer_id: str, body: types.JudgeAuditRequest | None = None) -> types.JudgeAuditStarted:
        """Test the judge of a version for bias, or say what that would ask and cost."""
    def start_shadow_trial(self, *, project_id: str, run_id: str, scorer_id: str, body: types.NewShadowTrial) -> types.ShadowTrial:
        """Have a version of a scorer score a share of live traffic beside the one in use, where it does not count."""
    def stop_shadow_trial(self, *, project_id: str, run_id: str, scorer_id: str) -> types.StopShadowTrialResponse:
        """End a trial, and forget what the candidate said."""
    def test_alert(self, *, project_id: str, log_stream_id: str, alert_id: str) -> types.WebhookDelivery:
        """Send a notification that says it is a test, and tell what came of it."""
    def test_notification_route(self, *, project_id: str, route_id: str) -> types.NotificationRouteTrial:
        """Send a notification that says it is a test, and tell what came of it."""
    def update_alert(self, *, project_id: str, log_stream_id: str, alert_id: str, body: types.AlertUpdate) -> types.Alert:
        """Change an alert; where what it watches changes, its state begins anew."""
    def update_annotation_queue(self, *, project_id: str, queue_id: str, body: types.AnnotationQueueUpdate) -> types.AnnotationQueue:
        """Change the name, the people, the order or the time for a record of a queue."""
    def update_annotation_template(self, *, project_id: str, template_id: str, body: types.AnnotationTemplateUpdate) -> types.AnnotationTemplate:
        """Rename a question, or say it differently; its type stays."""
    def update_comment(self, *, project_id: str, comment_id: str, body: types.CommentUpdate) -> types.Comment:
        """Change the text of an own comment."""
    def update_dataset(self, *, dataset_id: str, body: types.DatasetUpdate) -> types.Dataset:
        """Rename or publish a dataset, or map its columns; a mapping makes a new version."""
    def update_dataset_group(self, *, dataset_id: str, group_id: str, body: types.CollaboratorUpdate) -> types.GroupCollaborator:
        """Change the role of a group on a dataset."""
    def update_dataset_rule(self, *, project_id: str, rule_id: str, body: types.DatasetRuleUpdate) -> types.DatasetRule:
        """Change a rule, pause it or have it go on."""
    def update_dataset_user(self, *, dataset_id: str, user_id: str, body: types.CollaboratorUpdate) -> types.UserCollaborator:
        """Change the role of a user on a dataset."""
    def update_dataset_version(self, *, dataset_id: str, version_index: int, body: types.DatasetVersionUpdate) -> types.DatasetVersion:
        """Name a version, or take its name away."""
    def update_experiment(self, *, project_id: str, experiment_id: str, body: types.ExperimentUpdate) -> types.Experiment:
        """Rename an experiment."""
    def update_experiment_metric_settings(self, *, project_id: str, experiment_id: str, body: types.MetricSettingsUpdate) -> types.MetricSettings:
        """Replace the lists that are given: scorers, segment filters."""
    def update_experiment_tag(self, *, project_id: str, experiment_id: str, tag_id: str, body: types.NewRunTag) -> types.RunTag:
        """Change a tag of an experiment."""
    def update_group(self, *, group_id: str, body: types.GroupUpdate) -> types.Group:
        """Change the given fields of a group."""
    def update_group_member(self, *, group_id: str, user_id: str, body: types.GroupMemberUpdate) -> types.GroupMember:
        """Change the role of a member; a pending one is approved by it."""
    def update_insight(self, *, project_id: str, run_id: str, insight_id: str, body: types.InsightUpdate) -> types.Insight:
        """Dismiss an insight, or open it again."""
    def update_insights_settings(self, *, project_id: str, run_id: str, body: types.InsightsSettingsUpdate) -> types.InsightsSettings:
        """Have a run looked at for insights, or no longer."""
    def update_integration(self, *, integration_id: str, body: types.IntegrationUpdate) -> types.Integration:
        """Disable an integration, or enable it again."""
    def update_integration_group(self, *, integration_id: str, group_id: str, body: types.CollaboratorUpdate) -> types.GroupCollaborator:
        """Change the role of a group on a integration."""
    def update_integration_user(self, *, integration_id: str, user_id: str, body: types.CollaboratorUpdate) -> types.UserCollaborator:
        """Change the role of a user on a integration."""
    def update_log_stream(self, *, project_id: str, log_stream_id: str, body: types.LogStreamUpdate) -> types.LogStream:
        """Rename a log stream."""
    def update_metric_settings(self, *, project_id: str, log_stream_id: str, body: types.MetricSettingsUpdate) -> types.MetricSettings:
        """Replace the lists that are given: scorers, segment filters."""
    def update_notification_route(self, *, project_id: str, route_id: str, body: types.NotificationRouteUpdate) -> types.NotificationRoute:
        """Change a notification route."""
    def update_project(self, *, project_id: str, body: types.ProjectUpdate) -> types.UpdatedProject:
        """Change the given fields of a project."""
    def update_project_group(self, *, project_id: str, group_id: str, body: types.CollaboratorUpdate) -> types.GroupCollaborator:
        """Change the role of a group on a project."""
    def update_project_user(self, *, project_id: str, user_id: str, body: types.CollaboratorUpdate) -> types.UserCollaborator:
        """Change the role of a user on a project."""
    def update_saved_view(self, *, project_id: str, view_id: str, body: types.SavedViewUpdate) -> types.SavedView:
        """Rename or share a view, or save another state in it."""
    def update_scorer(self, *, scorer_id: str, body: types.ScorerUpdate) -> types.Scorer:
        """Change a scorer, or make one of its versions the default."""
    def update_scorer_settings(self, *, project_id: str, run_id: str, body: types.ScorerSettingsUpdate) -> types.ScorerSettings:
        """Replace the lists that are given: scorers, segment filters."""
    def update_span(self, *, project_id: str, span_id: str, body: types.SpanUpdate) -> types.UpdatedSpan:
        """Change a span; absent fields stay as they are, tags are added."""
    def update_template(self, *, template_id: str, body: types.TemplateUpdate) -> types.Template:
        """Rename a prompt template."""
    def update_template_group(self, *, template_id: str, group_id: str, body: types.CollaboratorUpdate) -> types.GroupCollaborator:
        """Change the role of a group on a template."""
    def update_template_user(self, *, template_id: str, user_id: str, body: types.CollaboratorUpdate) -> types.UserCollaborator:
        """Change the role of a user on a template."""
    def update_trace(self, *, project_id: str, trace_id: str, body: types.TraceUpdate) -> types.UpdatedTrace:
        """Change or complete a trace; absent fields stay as they are, tags are added."""
    def update_trends_section(self, *, project_id: str, log_stream_id: str, section_id: str, body: types.TrendsSectionUpdate) -> types.TrendsSection:
        """Rename a section, or move it."""
    def update_user(self, *, user_id: str, body: types.UserUpdate) -> types.User:
        """Change the given fields of a user. A new password, role, e-mail or state ends all sessions of the user."""
    def update_widget(self, *, project_id: str, log_stream_id: str, widget_id: str, body: types.WidgetUpdate) -> types.Widget:
        """Change a widget, or move it."""
    def validate_generated(self, *, body: types.JudgeTrial) -> types.StartedTask:
        """Try a scorer of kind 'Judge' on one record of each type that it scores; the result is polled."""
    def validate_generated_on_records(self, *, body: types.RecordJudgeTrial) -> types.StartedTrial:
        """Try a scorer of kind 'Judge' on records of a log stream or experiment, copied into a metrics-testing run."""
    def validate_judge(self, *, body: types.JudgeTrial) -> types.StartedTask:
        """Try a scorer of kind 'Judge' on one record of each type that it scores; the result is polled."""
    def validate_judge_on_records(self, *, body: types.RecordJudgeTrial) -> types.StartedTrial:
        """Try a scorer of kind 'Judge' on records of a log stream or experiment, copied into a metrics-testing run."""
    def verify_email(self, *, body: types.VerificationRequest) -> types.VerificationToken:
        """Get a token that is good for confirming this address and nothing else, and a code by mail if it needs confirming."""
