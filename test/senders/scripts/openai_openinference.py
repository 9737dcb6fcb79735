from common import BROKEN, SESSION, USER, chat_with_tool, expect_failure, start_tracing
from openai import OpenAI
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry import trace

provider = start_tracing()
OpenAIInstrumentor().instrument()
with using_attributes(session_id=SESSION, user_id=USER), trace.get_tracer("app").start_as_current_span("ask"):
    chat_with_tool(OpenAI())
    expect_failure(lambda: chat_with_tool(OpenAI(), BROKEN))
provider.shutdown()
