from agno.agent import Agent
from agno.models.openai import OpenAIChat
from common import BROKEN, MODEL, QUESTION, RULES, SESSION, USER, expect_failure, get_weather, start_tracing
from openinference.instrumentation.agno import AgnoInstrumentor

provider = start_tracing()
AgnoInstrumentor().instrument()


def ask(model):
    agent = Agent(name="weather", model=OpenAIChat(id=model), instructions=RULES, tools=[get_weather], telemetry=False)
    print(agent.run(QUESTION, session_id=SESSION, user_id=USER).content)


ask(MODEL)
expect_failure(lambda: ask(BROKEN))
provider.shutdown()
