from common import BROKEN, MODEL, QUESTION, RULES, SESSION, USER, expect_failure, get_weather, start_tracing
from strands import Agent, tool
from strands.models.openai import OpenAIModel

provider = start_tracing()
attributes = {"session.id": SESSION, "user.id": USER}


def ask(model):
    agent = Agent(
        name="weather",
        model=OpenAIModel(model_id=model),
        system_prompt=RULES,
        tools=[tool(get_weather)],
        trace_attributes=attributes,
        callback_handler=None,
    )
    print(agent(QUESTION))


ask(MODEL)
expect_failure(lambda: ask(BROKEN))
provider.shutdown()
