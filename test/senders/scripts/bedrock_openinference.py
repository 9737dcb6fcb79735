from bedrock import ask
from common import BROKEN, SESSION, USER, expect_failure, start_tracing
from openinference.instrumentation import using_attributes
from openinference.instrumentation.bedrock import BedrockInstrumentor
from opentelemetry import trace

provider = start_tracing()
BedrockInstrumentor().instrument()
with using_attributes(session_id=SESSION, user_id=USER), trace.get_tracer("app").start_as_current_span("ask"):
    ask("amazon.nova-micro-v1:0")
    expect_failure(lambda: ask(BROKEN))
provider.shutdown()
