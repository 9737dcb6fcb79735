from agents import Agent, Runner, function_tool
from common import BROKEN, MODEL, QUESTION, RULES, SESSION, USER, expect_failure, get_weather, start_tracing
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

provider = start_tracing()
OpenAIAgentsInstrumentor().instrument()


def ask(model):
    agent = Agent(name="weather", instructions=RULES, model=model, tools=[function_tool(get_weather)])
    print(Runner.run_sync(agent, QUESTION).final_output)


with using_attributes(session_id=SESSION, user_id=USER):
    ask(MODEL)
    expect_failure(lambda: ask(BROKEN))
provider.shutdown()
