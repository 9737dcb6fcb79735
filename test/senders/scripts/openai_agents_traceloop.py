from agents import Agent, Runner, function_tool
from common import BROKEN, MODEL, QUESTION, RULES, expect_failure, get_weather, start_tracing
from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

provider = start_tracing()
OpenAIAgentsInstrumentor().instrument()


def ask(model):
    agent = Agent(name="weather", instructions=RULES, model=model, tools=[function_tool(get_weather)])
    print(Runner.run_sync(agent, QUESTION).final_output)


ask(MODEL)
expect_failure(lambda: ask(BROKEN))
provider.shutdown()
