import asyncio
import os

os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"
from common import BROKEN, MODEL, QUESTION, RULES, start_tracing

provider = start_tracing()
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function


class Weather:
    @kernel_function(name="get_weather", description="The weather in a city.")
    def get_weather(self, city: str) -> str:
        return "sunny"


async def ask(model):
    agent = ChatCompletionAgent(
        service=OpenAIChatCompletion(ai_model_id=model), name="weather", instructions=RULES, plugins=[Weather()]
    )
    print(await agent.get_response(QUESTION))


async def run():
    await ask(MODEL)
    try:
        await ask(BROKEN)
    except Exception as error:
        print("failed as it should:", type(error).__name__)


asyncio.run(run())
provider.shutdown()
