import openlit
from common import BROKEN, SESSION, USER, chat_with_tool, expect_failure
from openai import OpenAI
from opentelemetry import trace

openlit.init(application_name="svc", disable_metrics=True)
with trace.get_tracer("app").start_as_current_span("ask"):
    chat_with_tool(OpenAI())
    expect_failure(lambda: chat_with_tool(OpenAI(), BROKEN))
trace.get_tracer_provider().shutdown()
