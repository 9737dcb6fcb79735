import asyncio

from common import BROKEN, MODEL, QUESTION, RULES, SESSION, USER, get_weather, start_tracing
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI
from openinference.instrumentation import using_attributes
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

provider = start_tracing()
LlamaIndexInstrumentor().instrument()


class Fake(OpenAI):
    @property
    def metadata(self):
        return OpenAI(model=MODEL).metadata


async def ask(model):
    llm = Fake(model=model, max_retries=0)
    agent = FunctionAgent(name="weather", tools=[get_weather], llm=llm, system_prompt=RULES, streaming=False)
    print(await agent.run(QUESTION))


async def run():
    await ask(MODEL)
    try:
        await ask(BROKEN)
    except Exception as error:
        print("failed as it should:", type(error).__name__)


with using_attributes(session_id=SESSION, user_id=USER):
    asyncio.run(run())
provider.shutdown()
