import asyncio

from common import BROKEN, MODEL, QUESTION, RULES, SESSION, USER, get_weather, start_tracing
from google.adk.agents import Agent
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, Part

provider = start_tracing()


async def ask(model):
    agent = Agent(name="weather", model=LiteLlm(model=f"openai/{model}"), instruction=RULES, tools=[get_weather])
    runner = InMemoryRunner(agent=agent, app_name="app")
    if not await runner.session_service.get_session(app_name="app", user_id=USER, session_id=SESSION):
        await runner.session_service.create_session(app_name="app", user_id=USER, session_id=SESSION)
    message = Content(role="user", parts=[Part(text=QUESTION)])
    async for event in runner.run_async(user_id=USER, session_id=SESSION, new_message=message):
        if event.is_final_response():
            print(event.content)


asyncio.run(ask(MODEL))
try:
    asyncio.run(ask(BROKEN))
except Exception as error:
    print("failed as it should:", type(error).__name__)
provider.shutdown()
