# What every sender does: ask with rules, let a tool answer, then ask a model that is not there.
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

RULES = "Be brief."
QUESTION = "What is the weather in Paris?"
MODEL = "gpt-4o-mini"
BROKEN = "broken-model"
SESSION = "session-1"
USER = "user-1"
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: The city.
    """
    return "sunny"


def start_tracing() -> TracerProvider:
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider


def expect_failure(work):
    try:
        work()
    except Exception as error:
        print("failed as it should:", type(error).__name__)


def chat_with_tool(client, model=MODEL):
    """Chat completions as an application without a framework makes them."""
    messages = [{"role": "system", "content": RULES}, {"role": "user", "content": QUESTION}]
    first = client.chat.completions.create(model=model, messages=messages, tools=[TOOL], temperature=0.2)
    call = first.choices[0].message.tool_calls[0]
    messages += [
        {"role": "assistant", "tool_calls": [call.model_dump()]},
        {"role": "tool", "tool_call_id": call.id, "content": get_weather("Paris")},
    ]
    return client.chat.completions.create(model=model, messages=messages, tools=[TOOL], temperature=0.2)


def claude_with_tool(client, model="claude-sonnet-4-5"):
    tool = {"name": "get_weather", "description": "The weather in a city.", "input_schema": TOOL["function"]["parameters"]}
    messages = [{"role": "user", "content": QUESTION}]
    first = client.messages.create(model=model, system=RULES, max_tokens=100, messages=messages, tools=[tool])
    call = first.content[0]
    messages += [
        {"role": "assistant", "content": [call.model_dump(exclude_none=True)]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": get_weather("Paris")}]},
    ]
    return client.messages.create(model=model, system=RULES, max_tokens=100, messages=messages, tools=[tool])
