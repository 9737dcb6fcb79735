from common import BROKEN, MODEL, QUESTION, RULES, expect_failure, get_weather, start_tracing
from pydantic_ai import Agent

provider = start_tracing()
Agent.instrument_all()


def ask(model):
    agent = Agent(f"openai-chat:{model}", name="weather", system_prompt=RULES, tools=[get_weather])
    print(agent.run_sync(QUESTION, conversation_id="session-1").output)


ask(MODEL)
expect_failure(lambda: ask(BROKEN))
provider.shutdown()
