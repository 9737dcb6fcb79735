import time

import litellm
from common import BROKEN, MODEL, QUESTION, RULES, SESSION, TOOL, USER, expect_failure, get_weather, start_tracing

provider = start_tracing()
litellm.callbacks = ["otel"]


def ask(model):
    more = {"model": f"openai/{model}", "tools": [TOOL], "user": USER, "metadata": {"session_id": SESSION}}
    messages = [{"role": "system", "content": RULES}, {"role": "user", "content": QUESTION}]
    first = litellm.completion(messages=messages, **more)
    call = first.choices[0].message.tool_calls[0]
    messages += [
        first.choices[0].message.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": call.id, "content": get_weather("Paris")},
    ]
    litellm.completion(messages=messages, **more)


ask(MODEL)
expect_failure(lambda: ask(BROKEN))
# Spans are made after the reply, in a thread.
time.sleep(2)
provider.shutdown()
