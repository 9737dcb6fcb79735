from anthropic import Anthropic
from common import BROKEN, SESSION, USER, claude_with_tool, expect_failure, start_tracing
from openinference.instrumentation import using_attributes
from openinference.instrumentation.anthropic import AnthropicInstrumentor
from opentelemetry import trace

provider = start_tracing()
AnthropicInstrumentor().instrument()
with using_attributes(session_id=SESSION, user_id=USER), trace.get_tracer("app").start_as_current_span("ask"):
    claude_with_tool(Anthropic())
    expect_failure(lambda: claude_with_tool(Anthropic(), BROKEN))
provider.shutdown()
