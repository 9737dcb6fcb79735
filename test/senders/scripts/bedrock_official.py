from bedrock import ask
from common import BROKEN, expect_failure, start_tracing
from opentelemetry import _logs, trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.instrumentation.botocore import BotocoreInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

provider = start_tracing()
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
_logs.set_logger_provider(logs)
BotocoreInstrumentor().instrument()
with trace.get_tracer("app").start_as_current_span("ask"):
    ask("amazon.nova-micro-v1:0")
    expect_failure(lambda: ask(BROKEN))
provider.shutdown()
logs.shutdown()
