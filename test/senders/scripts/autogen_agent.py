import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from common import BROKEN, MODEL, QUESTION, RULES, get_weather

INFO = {"vision": False, "function_calling": True, "json_output": False, "structured_output": False, "family": "gpt-4o"}


async def ask(model):
    client = OpenAIChatCompletionClient(model=model, model_info=INFO)
    agent = AssistantAgent(
        "weather", model_client=client, system_message=RULES, tools=[get_weather], reflect_on_tool_use=True
    )
    print((await agent.run(task=QUESTION)).messages[-1])


async def run():
    await ask(MODEL)
    try:
        await ask(BROKEN)
    except Exception as error:
        print("failed as it should:", type(error).__name__)


def run_all():
    asyncio.run(run())
