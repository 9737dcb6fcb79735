import asyncio

from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatClient
from common import BROKEN, MODEL, QUESTION, RULES, get_weather, start_tracing

provider = start_tracing()
enable_instrumentation(enable_sensitive_data=True)


async def ask(model):
    agent = OpenAIChatClient(model=model).as_agent(name="weather", instructions=RULES, tools=[get_weather])
    print(await agent.run(QUESTION))


async def run():
    await ask(MODEL)
    try:
        await ask(BROKEN)
    except Exception as error:
        print("failed as it should:", type(error).__name__)


asyncio.run(run())
provider.shutdown()
