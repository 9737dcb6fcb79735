from common import BROKEN, SESSION, USER, expect_failure, start_tracing
from gemini import ask
from openinference.instrumentation import using_attributes
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor
from opentelemetry import trace

provider = start_tracing()
GoogleGenAIInstrumentor().instrument()
with using_attributes(session_id=SESSION, user_id=USER), trace.get_tracer("app").start_as_current_span("ask"):
    ask("gemini-2.5-flash")
    expect_failure(lambda: ask(BROKEN))
provider.shutdown()
