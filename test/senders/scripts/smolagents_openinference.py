from common import BROKEN, MODEL, QUESTION, SESSION, USER, expect_failure, get_weather, start_tracing
from openinference.instrumentation import using_attributes
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIModel, ToolCallingAgent, tool

provider = start_tracing()
SmolagentsInstrumentor().instrument()


def ask(model):
    agent = ToolCallingAgent(tools=[tool(get_weather)], model=OpenAIModel(model_id=model), name="weather", max_steps=3)
    print(agent.run(QUESTION))


with using_attributes(session_id=SESSION, user_id=USER):
    ask(MODEL)
    expect_failure(lambda: ask(BROKEN))
provider.shutdown()
