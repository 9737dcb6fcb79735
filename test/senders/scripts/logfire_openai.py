import logfire
from common import BROKEN, QUESTION, SESSION, USER, chat_with_tool, expect_failure, get_weather
from openai import OpenAI

logfire.configure(send_to_logfire=False, console=False, service_name="svc")
logfire.instrument_openai()
with logfire.span("ask {question}", question=QUESTION, **{"session.id": SESSION, "user.id": USER}):
    chat_with_tool(OpenAI())
    expect_failure(lambda: chat_with_tool(OpenAI(), BROKEN))
logfire.shutdown()
