# Messages travel as log records.
from common import BROKEN, chat_with_tool, expect_failure, start_tracing
from openai import OpenAI
from opentelemetry import _logs, trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

provider = start_tracing()
logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
_logs.set_logger_provider(logs)
OpenAIInstrumentor().instrument()
with trace.get_tracer("app").start_as_current_span("ask"):
    chat_with_tool(OpenAI())
    expect_failure(lambda: chat_with_tool(OpenAI(), BROKEN))
provider.shutdown()
logs.shutdown()
